"""The figures of the square-root-of-d_k page."""
