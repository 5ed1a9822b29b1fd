"""Every check of the product: `python3 -m tests` installs what they need and runs them."""
