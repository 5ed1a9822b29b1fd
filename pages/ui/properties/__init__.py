"""The parts of the page on the properties of self-attention."""
