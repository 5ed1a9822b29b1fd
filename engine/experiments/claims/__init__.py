"""Every claim of the two source texts, measured through the experiments that the pages use."""
