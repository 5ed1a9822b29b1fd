"""Everything a person sees: page scripts at the top, what they share in subfolders."""
