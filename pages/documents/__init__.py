"""What a person brings in and takes away as text: CSV, JSON, links, NumPy code, LaTeX, Markdown.

Nothing here knows the screen. What cannot be read is refused with an EngineError.
"""
