"""Taking figures away: options, preview, export bar, and the deck that collects slides."""
