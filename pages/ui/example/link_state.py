"""The worked-example page in the address bar: read from a link, written after every run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine import EngineError
from engine.experiments import presets
from engine.experiments.worked_example import LIMITS, ROLES, STEPS, Params, sizes_of
from engine.experiments.worked_example import NAMES as MATRIX_NAMES
from pages.documents import link
from pages.ui import address, messages
from pages.ui.example import state
from pages.ui.link_fields import Whole, Word

MOST = max(most for _, most in LIMITS.values())  # rows or columns of the largest matrix
# Address name -> (state name, the values that are allowed).
CHOICES: dict[str, tuple[str, tuple[object, ...]]] = {
    "example": ("preset", tuple(state.PRESETS)),
    "seed": ("seed", ()),
    "tab": ("tab", tuple(state.TABS)),
    "step": ("step", STEPS),
    "role": ("role", ROLES),
    "row": ("row", tuple(range(MOST))),
    "column": ("column", tuple(range(MOST))),
    "decimals": ("decimals", tuple(range(state.DECIMALS[0], state.DECIMALS[1] + 1))),
    "matrix": ("matrix", tuple(MATRIX_NAMES)),
    "ask": ("practice_step", STEPS),
    "ask_role": ("practice_role", ROLES),
    "ask_row": ("practice_row", tuple(range(MOST))),
    "claim": ("printed_claim", state.CLAIMS),
    "as": ("copy_kind", state.COPY_KINDS),
}
COUNTED_FROM_ONE = ("row", "column", "ask_row")
SIZES = state.SIZES
SWITCHES = {"scale": ("on", "off"), "mask": ("none", "causal")}
NAMES = (*CHOICES, *SIZES, "S", *SWITCHES, "inputs")
DESCRIBES_MATRICES = {"example", "seed", *SIZES, "inputs"}
CHANGES_MATRICES = {"S", *SWITCHES}


def restore() -> None:
    """Take over what the address says, when it says something new."""
    state.fill_defaults()
    arrival = address.read(state.PAGE, NAMES)
    if arrival is None:
        return
    given = arrival.values
    for name, (choice, allowed) in CHOICES.items():
        if arrival.whole or name in given:
            state.put(choice, _choice(given, name, choice, allowed))
    if arrival.whole or DESCRIBES_MATRICES & set(given):
        state.load(_params(given))
    elif CHANGES_MATRICES & set(given):
        state.load(_switched(given, state.params()))


def _choice(
    given: Mapping[str, str], name: str, choice: str, allowed: tuple[object, ...]
) -> object:
    default = state.DEFAULTS[choice]
    if name not in given:
        return default
    if isinstance(default, str):
        word = Word(tuple(map(str, allowed))).read(name, given[name])
        return default if word is None else word
    shift = 1 if name in COUNTED_FROM_ONE else 0
    least, most = (
        (int(str(allowed[0])), int(str(allowed[-1]))) if allowed else (0, state.LARGEST_SEED)
    )
    number = _number(given, name, least + shift, most + shift)
    return default if number is None else number - shift


def _number(given: Mapping[str, str], name: str, least: int, most: int) -> int | None:
    """Return a whole number of the address, or None when there is none that is allowed."""
    return Whole(least, most).read(name, given[name]) if name in given else None


def _params(given: Mapping[str, str]) -> Params:
    """Return the matrices that the address describes; unusable parts fall back in words."""
    if "inputs" in given:
        try:
            return link.decode(given["inputs"])
        except EngineError as error:
            messages.keep(error)
    asked = {name: _number(given, name, *LIMITS[name]) for name in SIZES}
    preset = str(state.get("preset"))
    fresh = state.from_preset(preset, state.seed_now(), _sized(Params(), asked))
    # The seeded presets take their sizes as they are drawn.
    return _switched(given, fresh if preset in state.SEEDED else _sized(fresh, asked))


def _sized(start: Params, asked: Mapping[str, int | None]) -> Params:
    now = sizes_of(start)
    sizes = {name: asked[name] or getattr(now, name) for name in SIZES}
    if sizes == {name: getattr(now, name) for name in SIZES}:
        return start
    return presets.resize(start, **sizes, seed=state.seed_now())


def _switched(given: Mapping[str, str], start: Params) -> Params:
    length = _number(given, "S", *LIMITS["S"])
    if length is not None:
        start = presets.with_context(start, state.seed_now(), length)
    for name, allowed in SWITCHES.items():
        if name in given:
            Word(allowed).read(name, given[name])  # what is none of them is said
    scaled = given.get("scale", "on" if start.scaled else "off") != "off"
    causal = given.get("mask", "causal" if start.causal else "none") == "causal"
    return replace(start, scaled=scaled, causal=causal)


def publish() -> None:
    """Write the view into the address: what differs from the usual, and what a link states."""
    now = state.params()
    values: dict[str, str | None] = {}
    for name, (choice, _) in CHOICES.items():
        value = state.get(choice)
        shift = 1 if name in COUNTED_FROM_ONE else 0
        shown = str(value + shift) if isinstance(value, int) else str(value)
        usual = value == state.DEFAULTS[choice] and not address.shows(name, shown)
        values[name] = None if usual else shown
    values |= dict.fromkeys((*SIZES, "S", *SWITCHES, "inputs"))
    if state.is_edited():
        values["inputs"] = link.encode(now)
    else:
        values |= _described(now)
    address.write(state.PAGE, values)


def _described(now: Params) -> dict[str, str | None]:
    """Return the address of unedited matrices: their sizes and switches where unusual."""
    sizes = sizes_of(now)
    usual = sizes_of(state.from_preset(str(state.get("preset")), state.seed_now(), Params()))
    values: dict[str, str | None] = {
        name: str(getattr(sizes, name))
        for name in SIZES
        if getattr(sizes, name) != getattr(usual, name)
    }
    if now.context is not None:
        values["S"] = str(sizes.S)
    if not now.scaled:
        values["scale"] = "off"
    if now.causal:
        values["mask"] = "causal"
    return values
