"""What the reader chose on this page, and the parameters that follow from it."""

from __future__ import annotations

from typing import get_args

from engine import EngineError
from engine.experiments.context.endings import EndingsParams
from engine.experiments.context.knock import KnockParams, Rows, Scope
from engine.experiments.context.sentences import CHINESE, PAIRS, Pair
from engine.experiments.context.single_layer import MOST_HEADS, SingleLayerParams
from engine.experiments.context.specials import Specials
from engine.experiments.context.study import StudyParams
from engine.experiments.context.two_endings import EndingName
from engine.experiments.context.two_layers import TwoLayersParams
from pages.gallery.context_mechanism import OneLayerView, TwoLayersView
from pages.gallery.context_model import ModelView
from pages.text import mark
from pages.ui.choice_store import ChoiceStore
from pages.ui.context import models

PAGE = "who-is-it"
TABS = {
    "picture": mark("The picture"),
    "one-layer": mark("One layer"),
    "two-layers": mark("Two layers"),
    "heads": mark("The heads"),
    "endings": mark("Two endings"),
    "layers": mark("Layer by layer"),
    "cause": mark("Weight and cause"),
}
OF_A_MODEL = ("heads", "endings", "layers", "cause")
SOURCES = ("recorded", "own")
UNPAIRED = "unpaired"  # the recorded sentence that has no pair
RECORDED = (*(pair.name for pair in PAIRS), UNPAIRED)
TEXTS = ("first", "second")
PLACES = ("folder", "hub")
SCOPES: tuple[Scope, ...] = get_args(Scope)
ROWS: tuple[Rows, ...] = get_args(Rows)
SPECIALS: tuple[Specials, ...] = get_args(Specials)
_SINGLE, _TWO, _VIEW, _KNOCK = SingleLayerParams(), TwoLayersParams(), ModelView(), KnockParams()
SINGLE = {
    "single_d_model": "d_model",
    "single_d_k": "d_k",
    "single_heads": "heads",
    "single_seed": "seed",
    "positions": "positions",
}

STORE = ChoiceStore(
    "context",
    {
        "tab": "picture",
        **{choice: getattr(_SINGLE, name) for choice, name in SINGLE.items()},
        "single_head": OneLayerView().head,
        "strength": _TWO.strength,
        "residual": _TWO.residual,
        "ending": TwoLayersView().ending,
        "matrices": TwoLayersView().layer,
        "source": "recorded",
        "pair": PAIRS[0].name,
        "text": "first",
        "first": PAIRS[0].first,
        "second": PAIRS[0].second,
        "place": "folder",
        "folder": "",
        "repository": models.USUAL_REPOSITORY,
        "layer": _VIEW.layer,
        "head": _VIEW.head,
        "query": _VIEW.query,
        "specials": _VIEW.specials,
        "one": 0,
        "other": 0,
        "scope": _KNOCK.scope,
        "rows": _KNOCK.rows,
    },
)
key, get, word, whole, put = STORE.key, STORE.get, STORE.word, STORE.whole, STORE.put


def single_params() -> SingleLayerParams:
    """Return the random heads of one layer."""
    return SingleLayerParams(**{name: STORE.field(choice) for choice, name in SINGLE.items()})


def single_count() -> int:
    """Return how many random heads there are to look at; one while their number is none."""
    heads = get("single_heads")
    return heads if isinstance(heads, int) and 1 <= heads <= MOST_HEADS else 1


def two_params() -> TwoLayersParams:
    """Return the model of two layers that is built by hand."""
    return TwoLayersParams(STORE.field("strength"), STORE.field("residual"))


def pair() -> Pair:
    """Return the recorded pair of sentences that is chosen."""
    return next((each for each in PAIRS if each.name == word("pair")), PAIRS[0])


def two_layers_view() -> TwoLayersView:
    """Return whose matrices are shown, and in which sentence."""
    ending: EndingName = "wide" if word("ending") == "wide" else "tired"
    return TwoLayersView(whole("matrices"), ending)


def is_recorded() -> bool:
    """Say whether the recorded sentences are shown, and no model runs."""
    return word("source") == "recorded"


def texts() -> tuple[str, str]:
    """Return the two texts that are compared."""
    if not is_recorded():
        return word("first"), word("second")
    if is_unpaired():
        return CHINESE, CHINESE
    return pair().first, pair().second


def is_unpaired() -> bool:
    """Say whether a sentence is shown that has no pair."""
    return is_recorded() and word("pair") == UNPAIRED and word("tab") != "endings"


def text() -> str:
    """Return the text that is shown where only one is."""
    return texts()[TEXTS.index(word("text"))]


def reference() -> str:
    """Return which model the reader named, loaded or not; empty where none is needed."""
    if is_recorded():
        return ""
    if word("place") == "hub":
        return models.HUB + word("repository").strip()
    return word("folder").strip()


def model() -> dict[str, str]:
    """Return the model as fields of parameters; raises ModelError where it is not loaded."""
    if is_recorded():
        return {}
    found = models.require(reference())
    return {"model": reference(), "version": found.version}


def study_params() -> StudyParams:
    """Return whose attention is shown."""
    return StudyParams(**model(), text=text())


def endings_params() -> EndingsParams:
    """Return which two texts are compared."""
    first, second = texts()
    return EndingsParams(
        **model(),
        first=first,
        second=second,
        query=place("query"),
        one=place("one"),
        other=place("other"),
        specials=STORE.field("specials"),
    )


def knock_params() -> KnockParams:
    """Return which keys are cut, and where."""
    return KnockParams(
        **model(),
        text=text(),
        query=place("query"),
        scope=STORE.field("scope"),
        layer=chosen_layer(),
        head=chosen_head(),
        rows=STORE.field("rows"),
    )


def model_view() -> ModelView:
    """Return what of a study is shown."""
    return ModelView(
        layer=chosen_layer(),
        head=chosen_head(),
        query=place("query"),
        specials=STORE.field("specials"),
    )


def tokens() -> tuple[str, ...]:
    """Return the pieces of the text that is shown; none while they cannot be read."""
    try:
        return models.pieces(reference(), texts()[0] if word("tab") == "endings" else text())
    except EngineError:  # said where the result is computed
        return ()


def place(name: str) -> int:
    """Return the token of a choice, counted from 1; 0, an automatic one, where it is not there."""
    chosen = whole(name)
    return chosen if chosen <= len(tokens()) else 0


def sizes() -> tuple[int, int]:
    """Return layers and heads of the model that is shown."""
    return models.sizes(reference())


def chosen_layer() -> int:
    """Return the layer that is looked at, counted from 1; the last where the model has fewer."""
    return min(whole("layer"), sizes()[0])


def chosen_head() -> int:
    """Return the head that is looked at, counted from 1; the last where the model has fewer."""
    return min(whole("head"), sizes()[1])


# Callbacks ------------------------------------------------------------------------------------

_SOURCE = ("source", "pair", "text")
_VIEWED = ("layer", "head", "query", "specials")
OF_TAB: dict[str, tuple[str, ...]] = {
    "picture": (),
    "one-layer": (*SINGLE, "single_head"),
    "two-layers": ("strength", "residual", "ending", "matrices"),
    "heads": (*_SOURCE, *_VIEWED),
    "endings": (*_SOURCE, *_VIEWED, "one", "other"),
    "layers": (*_SOURCE, *_VIEWED),
    "cause": (*_SOURCE, *_VIEWED, "scope", "rows"),
}


def show_usual(tab: str, **chosen: object) -> None:
    """Go to a tab with its usual input and some choices of its own."""
    STORE.put_usual(*OF_TAB[tab], tab=tab, **chosen)


def look_at(layer: int, head: int) -> None:
    """Look at one head, counted from 1; a callback."""
    put("layer", layer)
    put("head", head)


def look_at_cell(row: int, column: int) -> None:
    """Look at the head of a cell that was clicked; a callback."""
    look_at(row + 1, column + 1)


def look_from(row: int, _column: int) -> None:
    """Let the token of a cell that was clicked be the one that looks; a callback."""
    put("query", row + 1)
