"""The figures of soft lookup."""
