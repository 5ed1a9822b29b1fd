"""Makes the record that ships with the product, from the model's own files.

    python -m engine.experiments.context.record FOLDER [FILE]

FOLDER holds config.json, model.safetensors and tokenizer.json of all-MiniLM-L6-v2. It takes some
minutes: every text is read once for each key that some token lacks somewhere.

Shape legend: L layers, H heads a layer, T tokens.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from engine.experiments.context.effects import (
    ROUNDING,
    ROWS,
    Place,
    Rows,
    above,
    every_place,
    floors_of,
    relative,
    removable,
)
from engine.experiments.context.recorded import DATA_FILE, Record, RecordedText, write_record
from engine.experiments.context.sentences import RECORDED
from engine.experiments.context.study import PRECISION
from engine.models.cuts import Cut
from engine.models.forward import run_cuts, run_model
from engine.models.hub import USUAL_REPOSITORY
from engine.models.loading import Model, load
from engine.models.tokens import Encoded
from engine.shapes import Array

BACKEND = "numpy"
LICENCE = "Apache-2.0"
KEPT_BITS = 16  # of the 23 of an effect: right to 1 in 100,000, and a third smaller


def make_record(model: Model) -> Record:
    """Return what is recorded of a model."""
    return Record(
        model_name=USUAL_REPOSITORY.rpartition("/")[2],
        repository=USUAL_REPOSITORY,
        licence=LICENCE,
        family=model.config.family,
        version=model.version,
        backend_name=BACKEND,
        precision=PRECISION,
        texts={text: record_text(model, text) for text in RECORDED},
    )


def record_text(model: Model, text: str) -> RecordedText:
    """Return what is recorded of one text."""
    encoded = model.encode(text)
    passed = run_model(model.config, model.parameters, encoded.ids, backend=BACKEND)
    places = every_place(model.config.layers, model.config.heads)
    effects = [
        [_effects(model, encoded, passed.final, place, rows) for place in places] for rows in ROWS
    ]
    return RecordedText(
        tokens=encoded.pieces,
        special=encoded.special,
        unknown=encoded.unknown,
        spans=encoded.spans,
        attention=passed.attention,
        effects=rounded(np.array(effects, dtype=np.float32)),
        floors=recorded_floors(model, encoded, passed.final),
    )


def recorded_floors(model: Model, encoded: Encoded, whole: Array) -> Array:
    """Return the largest effects that rounding makes, (L, T) float32, from each layer on."""
    floors = [
        floors_of(model, encoded.ids, whole, layer, BACKEND) for layer in range(model.config.layers)
    ]
    return np.array(floors, dtype=np.float32)


def _effects(model: Model, encoded: Encoded, whole: Array, place: Place, rows: Rows) -> Array:
    """Return the effects (T, T) on the final vector of each token of the lack of each key."""
    length, causal = len(whole), model.config.family == "gpt2"
    pairs = [
        (query, int(key))
        for query in range(length)
        for key in np.flatnonzero(removable(length, causal, query, rows))
    ]
    # What no token sees is taken away once, not once for each.
    cuts = [
        Cut(key, None if rows == "all" else query, place.layer, place.head) for query, key in pairs
    ]
    distinct = list(dict.fromkeys(cuts))
    lacking = run_cuts(model.config, model.parameters, encoded.ids, distinct, backend=BACKEND)
    number = {cut: index for index, cut in enumerate(distinct)}
    effects = np.full((length, length), np.nan)
    for (query, key), cut in zip(pairs, cuts, strict=True):
        effect = relative(lacking[number[cut], query], whole[query])
        effects[query, key] = above(effect, ROUNDING)  # noughts compress
    return effects


def rounded(numbers: Array) -> Array:
    """Return float32 numbers to the nearest of ``KEPT_BITS`` bits: the rest does not compress."""
    lost = 23 - KEPT_BITS
    bits = numbers.astype(np.float32).view(np.uint32)
    near = (bits + (1 << (lost - 1))) & ~np.uint32((1 << lost) - 1)
    return np.where(np.isnan(numbers), np.float32(np.nan), near.view(np.float32))


def main(arguments: list[str]) -> None:
    """Write the record of the model in a folder."""
    folder, *file = arguments
    write_record(Path(*file) if file else DATA_FILE, make_record(load(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
