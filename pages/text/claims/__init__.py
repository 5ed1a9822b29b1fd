"""The words of the claims: what is claimed, and the sentences that decide it."""
