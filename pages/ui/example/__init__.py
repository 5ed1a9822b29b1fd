"""The parts of the worked-example page: its state, its inspector, one module a tab."""
