"""Figures of the ledger: every claim with its verdict and its number."""
