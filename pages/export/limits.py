"""How much a deck and its slides may hold, so that nobody's file can stop the program."""

MOST_SLIDES = 150
LARGEST_FILE = 32 * 1024 * 1024  # bytes of a saved deck
MOST_PARTS = 1_500_000  # lists and objects in it; each takes memory, however little it holds
LONGEST_TEXT = 100_000  # characters of a description, or of speaker notes
LONGEST_NOTE = 2_000  # characters of a caption
MOST_CHARACTERS = 512  # different ones beyond Latin and Chinese: a font is sought for each
MOST_POINTS = 4_000  # of a chart, along x
LONGEST_TITLE = 200
LONGEST_NAME = 200
MOST_DECIMALS = 6
