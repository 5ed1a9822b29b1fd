"""``python -m pages.export``: the figures of the product as files, without a browser."""

from __future__ import annotations

import sys

from pages.export.cli.main import main

sys.exit(main(sys.argv[1:]))
