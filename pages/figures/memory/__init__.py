"""The figures of memory: bytes, tokens and operations as functions of the length T."""
