"""The figures of the masks page."""
