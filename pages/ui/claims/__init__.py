"""The parts of the ledger of claims."""
