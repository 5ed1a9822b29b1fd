"""One module per idea: each computes, with ``Params``, ``Result`` and ``run``."""
