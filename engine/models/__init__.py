"""Models with weights of their own: BERT encoders and GPT-2 decoders, run on either backend.

Importing this package loads nothing; what reads files or the hub imports its libraries when asked.
"""
