"""How much a deck and its slides may hold, so that nobody's file can stop the program."""

MOST_SLIDES = 100
LARGEST_FILE = 96 * 1024 * 1024  # bytes of a saved deck
LONGEST_TEXT = 100_000  # characters of a caption, a description, or speaker notes
LONGEST_TITLE = 200
LONGEST_NAME = 200
MOST_DECIMALS = 6
