"""Every figure by name, and settings as text that give the same figure again."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import EngineError
from engine.experiments.worked_example import Params, run
from pages.figures.figure import LanguageCode, Style
from pages.gallery import ENTRIES, IDEAS, exhibit, prepare, speaker_notes
from pages.gallery.notes import command
from pages.gallery.settings import changed, differences, field_names, written
from pages.gallery.worked_example import View
from tests.worked_examples import examples

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)
EXAMPLE = [name for name in ENTRIES if name.startswith("worked-example")]


@dataclass(frozen=True)
class Sample:
    """One field of every kind that parameters have."""

    switch: bool = True
    whole: int = 3
    number: float = 0.5
    word: Literal["left", "right"] = "left"
    maybe: int | None = None
    lengths: tuple[int, ...] = (1, 2)
    labels: tuple[str, ...] = ("a", "b")
    matrix: tuple[tuple[float, ...], ...] = ((1.0, 0.0),)


SAMPLES = st.builds(
    Sample,
    switch=st.booleans(),
    whole=st.integers(-(10**17), 10**17),
    number=NUMBERS.filter(lambda value: abs(value) < 1e12),
    word=st.sampled_from(["left", "right"]),
    maybe=st.none() | st.integers(-9, 9),
    lengths=st.lists(st.integers(0, 9999), max_size=5).map(tuple),
    labels=st.lists(st.text(max_size=5), max_size=4).map(tuple),
)


@given(SAMPLES)
def test_every_kind_of_value_survives_as_text(sample):
    again = Sample()
    for name in field_names(Sample):
        again = changed(again, name, written(getattr(sample, name)))
    assert again == sample


@given(SAMPLES)
def test_what_differs_from_the_usual_gives_the_same_again(sample):
    again = Sample()
    for name, text in differences(sample):
        again = changed(again, name, text)
    assert repr(again) == repr(sample)
    assert {name for name, _ in differences(sample)} <= set(field_names(Sample))


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("switch", "off", False),
        ("switch", " TRUE ", True),
        ("lengths", "128, 256", (128, 256)),
        ("labels", "我,它", ("我", "它")),
        ("maybe", "None", None),
        ("matrix", "[[1, 2.5], [0, -1]]", ((1.0, 2.5), (0.0, -1.0))),
    ],
)
def test_people_may_write_a_value_as_they_are_used_to(name, text, value):
    assert getattr(changed(Sample(), name, text), name) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("switch", "maybe"),
        ("switch", ""),
        ("whole", "1.5"),
        ("whole", "1e3"),
        ("whole", "٣"),
        ("whole", "9" * 19),
        ("number", "abc"),
        ("number", "nan"),
        ("number", "inf"),
        ("word", "up"),
        ("maybe", "x"),
        ("lengths", "1,x"),
        ("lengths", "[1, 2"),
        ("labels", "[1, 2"),
        ("labels", '["a", null]'),
        ("labels", '[["a"], "b"]'),
        ("labels", '[{"a": 1}]'),
        ("labels", "[true]"),
        ("matrix", "[[1, 2], [3]]"),
        ("matrix", "[]"),
        ("matrix", "[" * 100_000),
        ("labels", "x" * 300_000),
    ],
)
def test_a_value_that_is_none_is_refused_in_one_sentence(name, text):
    with pytest.raises(EngineError) as caught:
        changed(Sample(), name, text)
    assert len(str(caught.value)) < 300
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_names_and_titles_differ_so_that_a_list_can_be_read():
    names = [entry.name for idea in IDEAS for entry in idea.entries]
    assert len(names) == len(set(names)) == len(ENTRIES)
    titles = [entry.title for entry in ENTRIES.values()]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("idea", IDEAS, ids=lambda idea: idea.name)
def test_no_setting_of_an_idea_means_two_things(idea):
    names = [*idea.readers, *field_names(idea.params), *field_names(idea.view)]
    assert len(names) == len(set(names))
    assert idea.params() == idea.params()  # every field has a default
    assert idea.view() == idea.view()


def test_everything_is_prepared_in_the_order_of_a_lecture():
    assert [each.entry.name for each in prepare(backend="numpy")] == list(ENTRIES)
    some = ["worked-example-output", "attention-in-six-steps"]
    assert [each.entry.name for each in prepare(some, backend="numpy")] == some[::-1]


@pytest.mark.parametrize(
    ("assignment", "words"),
    [
        ("causal=true", "idea.name=value"),
        ("worked_example.causal", "idea.name=value"),
        ("=", "idea.name=value"),
        ("", "nothing"),
        ("sums.x=1", "no idea called sums"),
        ("worked_example.size=1", "no setting called size"),
        ("worked_example.causal=2", "true, false"),
        ("worked_example.row=0", "from 1 to 4"),
        ("worked_example.row=5", "from 1 to 4"),
        ("worked_example.column=1", "set row as well"),
        ("worked_example.inputs=1abc", "damaged"),
        ("worked_example.example=none", "textbook, three-scores, random"),
        ("worked_example.x=[[1,0]]", "d_model"),
        ("printed.claim=6", "no setting"),
        ("overview.anything=1", "no setting"),
    ],
)
def test_a_setting_that_does_not_apply_is_refused_in_one_sentence(assignment, words):
    with pytest.raises(EngineError) as caught:
        prepare(EXAMPLE, [assignment], "numpy")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_setting_that_would_change_nothing_is_refused():
    with pytest.raises(EngineError, match="changes none of the figures"):
        prepare(["attention-in-six-steps"], ["worked_example.causal=true"], "numpy")


def test_an_unknown_figure_and_backend_are_refused():
    with pytest.raises(EngineError, match="no figure called"):
        prepare(["worked-example"], [], "numpy")
    with pytest.raises(EngineError):
        prepare([], [], "abacus")


def test_settings_reach_the_calculation():
    (drawn,) = prepare(["worked-example-weights"], ["worked_example.causal=on"], "numpy")
    assert np.all(drawn.result.trace.weights[np.triu_indices(4, 1)] == 0)
    assert drawn.draw(Style()).name.endswith("causal")


def made_by(words: list[str]) -> list[str]:
    """Return the values of every ``--set`` of a command."""
    return [words[place + 1] for place, word in enumerate(words) if word == "--set"]


@given(examples())
def test_the_command_in_the_notes_makes_the_same_figure(params):
    result = run(params, backend="numpy")
    view = View(row=1, column=1)
    for name in ("worked-example-scores", "worked-example-value"):
        shown = exhibit(name, result, params=params, view=view, backend="numpy")
        words = shlex.split(command(shown, Style(size="slide")))
        assert words[1:3] == ["-m", "pages.export"]
        figure = words[words.index("--figure") + 1]
        (again,) = prepare([figure], made_by(words), words[words.index("--backend") + 1])
        assert again.draw(Style()) == shown.draw(Style())


def test_notes_hold_parameters_numbers_and_the_command():
    params = replace(Params(), causal=True)
    shown = exhibit(
        "worked-example-weights", run(params, backend="numpy"), params=params, backend="numpy"
    )
    words: dict[LanguageCode, str] = {"en": "causal mask", "zh": "因果掩码"}
    for language, word in words.items():
        style = Style(language=language, size="half", theme="dark", decimals=4, transparent=True)
        notes = speaker_notes(shown, shown.draw(style), style)
        assert word in notes
        assert "1   0   0   0" in notes  # the first query sees itself alone
        for part in ("--size half", "--theme dark", f"--language {language}", "--transparent"):
            assert part in notes
        assert "worked_example.causal=true" in notes


def test_the_numbers_in_the_notes_are_those_of_the_calculation():
    result = run(Params(), backend="numpy")
    shown = exhibit("worked-example-output", result, backend="numpy")
    lines = speaker_notes(shown, shown.draw(Style()), Style()).splitlines()
    start = lines.index("O =")
    numbers = [[float(text) for text in line.split()] for line in lines[start + 1 : start + 5]]
    x, w_q, w_k, w_v = (np.array(each) for each in (Params.x, Params.w_q, Params.w_k, Params.w_v))
    scores = (x @ w_q) @ (x @ w_k).T / np.sqrt(2)
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(numbers, weights @ (x @ w_v), rtol=1e-5)


def test_labels_as_json_stay_what_they_are():
    labels = ("a,b", '"', "[x]", "它")
    text = written(labels)
    assert tuple(json.loads(text)) == labels
    assert changed(Params(), "tokens", text).tokens == labels
