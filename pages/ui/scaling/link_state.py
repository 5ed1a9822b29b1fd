"""The page on √d_k in the address bar: read from a link, written after every run."""

from __future__ import annotations

from engine.experiments.scaling.components import DISTRIBUTIONS
from engine.experiments.scaling.inputs import (
    LEAST_SIGMA,
    MOST_CORRELATION,
    MOST_D_K,
    MOST_MEAN,
    MOST_SEED,
    MOST_SIGMA,
)
from engine.experiments.scaling.optimisers import OPTIMISERS
from engine.experiments.scaling.pair import LEAST_TEMPERATURE, MOST_SCORE, MOST_TEMPERATURE
from engine.experiments.scaling.reach import LEAST_REPEATS, LEAST_T, MOST_REPEATS, MOST_T
from engine.experiments.scaling.saturation import LEAST_KEYS, MOST_EXPONENT, MOST_KEYS
from engine.experiments.scaling.saturation import MOST_SAMPLES as MOST_QUERIES
from engine.experiments.scaling.trainable import (
    LEAST_D_K,
    LEAST_PAIRS,
    MOST_PAIRS,
    MOST_RATE,
    MOST_STEPS,
)
from engine.experiments.scaling.trainable import MOST_D_K as MOST_TRAINED
from engine.experiments.scaling.variance import MOST_SAMPLES
from pages.ui import link_fields
from pages.ui.link_fields import Names, Real, Text, Whole, Word
from pages.ui.number_lists import link_text, link_text_once
from pages.ui.scaling import state

# Address name -> (choice, how it is read and written).
NAMES: Names = {
    "tab": ("tab", Word(tuple(state.TABS))),
    "d_k": ("d_ks", Text(link_text_once)),
    "seed": ("seed", Whole(0, MOST_SEED)),
    "samples": ("samples", Whole(2, MOST_SAMPLES)),
    "components": ("distribution", Word(DISTRIBUTIONS)),
    "sigma": ("sigma", Real(LEAST_SIGMA, MOST_SIGMA)),
    "mean": ("mean", Real(-MOST_MEAN, MOST_MEAN)),
    "correlation": ("correlation", Real(0, MOST_CORRELATION)),
    "width": ("width", Whole(1, MOST_D_K)),
    "keys": ("keys", Whole(LEAST_KEYS, MOST_KEYS)),
    "queries": ("queries", Whole(2, MOST_QUERIES)),
    "exponent": ("exponent", Real(0, MOST_EXPONENT)),
    "measure": ("measure", Word(state.MEASURES)),
    "first": ("first", Real(-MOST_SCORE, MOST_SCORE)),
    "second": ("second", Real(-MOST_SCORE, MOST_SCORE)),
    "temperature": ("temperature", Real(LEAST_TEMPERATURE, MOST_TEMPERATURE)),
    "head_d_k": ("head_d_ks", Text(link_text_once)),
    "T": ("T", Whole(LEAST_T, MOST_T)),
    "repeats": ("repeats", Whole(LEAST_REPEATS, MOST_REPEATS)),
    "gradient_of": ("reached", Word(state.REACHED)),
    "row": ("row", Whole(1, MOST_T)),
    "trained_d_k": ("d_k", Whole(LEAST_D_K, MOST_TRAINED)),
    "pairs": ("pairs", Whole(LEAST_PAIRS, MOST_PAIRS)),
    "optimiser": ("optimiser", Word(OPTIMISERS)),
    "rate": ("rate", Real(0, MOST_RATE)),
    "steps": ("steps", Whole(1, MOST_STEPS)),
    "seeds": ("seeds", Text(link_text)),
    "curve": ("curve", Word(state.CURVES)),
    "sweep_seeds": ("sweep_seeds", Text(link_text)),
    "rates": ("rates", Text(link_text)),
}


def restore() -> None:
    """Take over what the address says, when it says something new."""
    link_fields.restore(state.PAGE, state.STORE, NAMES)


def publish() -> None:
    """Write the view into the address."""
    link_fields.publish(state.PAGE, state.STORE, NAMES)
