"""Results of two endings and of knocked out keys, put together by loops over generated weights."""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.context.endings import EndingsParams, EndingsResult
from engine.experiments.context.knock import KnockParams, KnockResult
from engine.experiments.context.study import Study, StudyParams
from engine.experiments.read_only import read_only

SPECIAL = ("[CLS]", "[SEP]")


def weights(tokens: int, layers: int = 6, heads: int = 12, seed: int = 1) -> np.ndarray:
    """Return weights (L, H, T, T) whose rows add up to 1, most of them small."""
    generator = np.random.default_rng(seed)
    raw = np.exp(1.6 * generator.standard_normal((layers, heads, tokens, tokens)))
    return np.asarray(raw / raw.sum(axis=-1, keepdims=True), dtype=np.float32)


def made(
    tokens: tuple[str, ...], attention: np.ndarray, *, recorded: bool = True, family: str = "bert"
) -> Study:
    """Return a study of tokens that stand side by side in their text."""
    text = " ".join(token for token in tokens if token not in SPECIAL)
    spans, at = [], 0
    for token in tokens:
        if token in SPECIAL:
            spans.append((0, 0))
            continue
        spans.append((at, at + len(token)))
        at += len(token) + 1
    special = np.array([token in SPECIAL for token in tokens])
    unknown = np.array([token == "[UNK]" for token in tokens])
    (special,), (unknown,), (attention,) = map(read_only, (special, unknown, attention))
    return Study(
        StudyParams(text=text), text, tokens, special, unknown, tuple(spans), attention,
        recorded, "all-MiniLM-L6-v2", family, "0" * 12, "numpy", "float32", 0.0,
    )  # fmt: skip


def endings(
    first: tuple[str, ...], second: tuple[str, ...], params: EndingsParams | None = None,
    *, query: int, one: int, other: int, seed: int = 1, layers: int = 6, heads: int = 12,
    alike: int = 1,
) -> EndingsResult:  # fmt: skip
    """Return two texts that have all tokens but their middle in common.

    Parameters
    ----------
    first, second : tuple of str
    query, one, other : int
        Places in the first text, from 0, all in the common beginning.
    alike : int
        So many layers give both texts the same ratios of weights.
    """
    studies = [
        made(tokens, weights(len(tokens), layers, heads, seed + place))
        for place, tokens in enumerate((first, second))
    ]
    if len(first) == len(second):
        same = studies[0].attention[:alike]
        (joined,) = read_only(np.concatenate([same, studies[1].attention[alike:]]))
        studies[1] = made(second, joined)
    return compared(studies[0], studies[1], params, query=query, one=one, other=other)


def compared(
    first: Study, second: Study, params: EndingsParams | None = None,
    *, query: int, one: int, other: int,
) -> EndingsResult:  # fmt: skip
    """Return what two studies have in common and where they differ, by loops."""
    a, b = first.tokens, second.tokens
    begin = 0
    while begin < min(len(a), len(b)) and a[begin] == b[begin]:
        begin += 1
    end = 0
    while end < min(len(a), len(b)) - begin and a[-1 - end] == b[-1 - end]:
        end += 1
    shared = [(i, i) for i in range(begin)]
    shared += [(len(a) - end + i, len(b) - end + i) for i in range(end)]
    layers, heads = first.attention.shape[:2]
    rows = np.zeros((2, layers, heads, len(shared)))
    rest = np.zeros((2, layers, heads))
    ratio, preference = np.full((2, layers, heads), math.nan), np.zeros((2, layers, heads))
    movement, turned = np.zeros((layers, heads)), np.zeros((layers, heads), dtype=bool)
    for layer in range(layers):
        for head in range(heads):
            for side, study in enumerate((first, second)):
                row = [float(w) for w in study.attention[layer, head, query]]
                for place, pair in enumerate(shared):
                    rows[side, layer, head, place] = row[pair[side]]
                known = {pair[side] for pair in shared}
                rest[side, layer, head] = math.fsum(w for j, w in enumerate(row) if j not in known)
                preference[side, layer, head] = row[one] - row[other]
                if row[one] > 0 and row[other] > 0:
                    ratio[side, layer, head] = math.log(row[one] / row[other])
            gaps = np.abs(rows[0, layer, head] - rows[1, layer, head])
            far = abs(rest[0, layer, head] - rest[1, layer, head])
            movement[layer, head] = (math.fsum(gaps) + far) / 2
            low, high = sorted(preference[:, layer, head])
            turned[layer, head] = low < -1e-6 and high > 1e-6
    change = np.abs(preference[0] - preference[1])
    most = np.unravel_index(int(movement.argmax()), movement.shape)
    turning = np.where(turned, change, -1.0)
    best = np.unravel_index(int(turning.argmax()), turning.shape)
    first_layer = np.abs(ratio[0, 0] - ratio[1, 0])
    read_only(rows, rest, movement, preference, ratio, turned)
    return EndingsResult(
        params=params or EndingsParams(first=first.text, second=second.text),
        first=first, second=second, shared=tuple(shared),
        query=(query, query), one=(one, one), other=(other, other),
        rows=rows, rest=rest, movement=movement, preference=preference, log_ratio=ratio,
        turned=turned, movement_rounding=1e-6, ratio_rounding=1e-5,
        most_moved=(int(most[0]), int(most[1])),
        most_turned=(int(best[0]), int(best[1])) if turned.any() else None,
        first_layer_difference=float(np.nanmax(first_layer)), same_places=True, automatic=False,
        backend_name="numpy", precision="float32", seconds=0.0,
    )  # fmt: skip


def ranks(values: list[float]) -> list[float]:
    """Return ranks from 1, the mean of those that are alike."""
    return [
        sum(other < value for other in values) + (1 + sum(other == value for other in values)) / 2
        for value in values
    ]


def spearman(one: list[float], other: list[float]) -> float:
    """Return the rank correlation; NaN with fewer than 3 or where all of one are alike."""
    if len(one) < 3 or len(set(one)) == 1 or len(set(other)) == 1:
        return math.nan
    a, b = ranks(one), ranks(other)
    mean = (len(a) + 1) / 2
    products = math.fsum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    squares = [math.fsum((x - mean) ** 2 for x in each) for each in (a, b)]
    return products / math.sqrt(squares[0] * squares[1])


def knocked(
    study: Study, query: int, effects: list[float], params: KnockParams | None = None
) -> KnockResult:
    """Return weights of a head and effects that are given, NaN where a key was not cut."""
    params = params or KnockParams(text=study.text, scope="head")
    layer, head = params.layer - 1, params.head - 1
    found = {
        "head": lambda: study.attention[layer, head, query],
        "layer": lambda: study.attention[layer, :, query].mean(axis=0),
        "everywhere": lambda: study.attention[:, :, query].mean(axis=(0, 1)),
    }[params.scope]()
    keys = [j for j, effect in enumerate(effects) if not math.isnan(effect)]
    one, other = [float(found[j]) for j in keys], [effects[j] for j in keys]
    weight, effect = read_only(np.array(found, dtype=np.float64), np.array(effects, np.float64))
    return KnockResult(
        params=params, study=study, query=query, weights=weight, effects=effect,
        correlation=spearman(one, other),
        chance=1.96 / math.sqrt(len(keys) - 1) if len(keys) > 2 else math.nan,
        top_weight=max(keys, key=lambda j: float(found[j]), default=-1),
        top_effect=max(keys, key=lambda j: effects[j], default=-1),
        top_weights=tuple(j for j in keys if found[j] == max(one)),
        top_effects=tuple(j for j in keys if effects[j] == max(other)), floor=2e-6,
        measured=len(keys), backend_name="numpy", precision="float32", seconds=0.0,
    )  # fmt: skip
