"""The parts of the page on pronouns and a real model."""
