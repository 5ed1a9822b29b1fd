"""Soft lookup: a dictionary that answers with a weighted mean, and what its weights rest on."""
