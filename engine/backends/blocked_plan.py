"""How a call of attention in blocks is divided: blocks, parts, threads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.backends.threads import available_cores

QUERY_BLOCK = 256
KEY_BLOCK = 512
# Scores held at once when heads are few and small: about what a core's own cache holds.
BLOCK_ENTRIES = QUERY_BLOCK * KEY_BLOCK
PART_ENTRIES = 2**18  # Scores of one part in all: enough parts for every core
SMALL_PRODUCT = 2**18  # Multiplications that BLAS does on one thread anyway
EXP_PRODUCTS = 32  # Multiplications that cost as much as the exponential of a score
SHARED_PRODUCTS = 2**25  # Multiplications from which threads gain more than they cost


class Part(NamedTuple):
    """Which queries are computed together."""

    batch: int
    heads: slice  # key-value heads
    groups: slice  # all the query heads that each of them serves
    queries: slice


class Division(NamedTuple):
    """How the queries are divided into parts."""

    B: int
    H_kv: int
    G: int
    T: int
    heads: int  # key-value heads in a part
    t: int  # positions in a part

    @property
    def rows(self) -> int:
        """Queries in a part, at most."""
        return self.heads * self.G * self.t

    @property
    def length(self) -> int:
        """How many parts there are."""
        return self.B * -(-self.H_kv // self.heads) * -(-self.T // self.t)

    def threads(self, S: int, D: int, E: int, key_block: int, most: int | None) -> int:
        """Return on how many threads to compute; 0 is 1 that need not hold BLAS back."""
        scores = self.B * self.H_kv * self.G * self.T * S
        if scores * (D + E + EXP_PRODUCTS) >= SHARED_PRODUCTS:
            return most or available_cores()
        return 1 if self.G * self.t * key_block * max(D, E) > SMALL_PRODUCT else 0

    def parts(self) -> Iterator[Part]:
        """Yield every part, those of the first queries first."""
        for batch in range(self.B):
            for head in range(0, self.H_kv, self.heads):
                heads = slice(head, min(head + self.heads, self.H_kv))
                for first in range(0, self.T, self.t):
                    queries = slice(first, min(first + self.t, self.T))
                    yield Part(batch, heads, slice(None), queries)


def divide(shape: tuple[int, ...], query_block: int, key_block: int) -> Division:
    """Choose blocks that fill a core's cache, and parts that are enough for every core."""
    B, H_kv, G, T, S = shape
    t = min(T, max(1, query_block // G))
    most = min(BLOCK_ENTRIES // (G * t * key_block), PART_ENTRIES // (G * t * S))
    return Division(B, H_kv, G, T, heads=min(H_kv, max(1, most)), t=t)
