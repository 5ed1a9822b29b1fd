"""The parts of the masks page: its state, its inspector, one module a tab."""
