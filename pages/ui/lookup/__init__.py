"""The parts of the page on soft lookup."""
