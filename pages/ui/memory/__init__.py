"""The parts of the page on memory."""
