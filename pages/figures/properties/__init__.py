"""The figures of the properties of self-attention."""
