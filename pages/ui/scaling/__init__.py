"""The parts of the page on the square root of d_k: its state, its inspector, one module a tab."""
