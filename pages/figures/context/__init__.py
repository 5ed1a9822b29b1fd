"""The figures of a pronoun and whom it attends to."""
