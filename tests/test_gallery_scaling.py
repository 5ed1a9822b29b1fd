"""The figures of the square root of d_k by name: every setting, its notes, and what is refused."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any

import pytest

from engine import EngineError
from engine.experiments.scaling.training import RATES, TrainingParams, sweeping, training
from pages.export import slide_bytes, slide_of
from pages.export.cli import main
from pages.figures.figure import Style
from pages.gallery import ENTRIES, IDEAS, exhibit, prepare, speaker_notes
from pages.gallery.notes import command
from pages.gallery.prepare import names_of
from pages.gallery.scaling import SATURATION_RESULTS, SPREAD_RESULTS
from pages.gallery.scaling_head import REACH_RESULTS, SWEPT, TRAINED, SweepParams
from pages.gallery.settings import changed, differences, field_names, written
from pages.text import LANGUAGES, translator
from tests.conftest import require_backend

BACKENDS = ("numpy", "mlx")
# Every setting with another value than the usual one, and small enough to be computed at once.
SETTINGS: dict[str, dict[str, str]] = {
    "scaling": {
        "d_ks": "[2,8,24]", "samples": "40", "distribution": "laplace", "sigma": "1.5",
        "mean": "-0.25", "correlation": "0.125", "seed": "7", "d_k": "8",
    },
    "scaling_saturation": {
        "d_ks": "[4,32]", "keys": "5", "samples": "20", "exponent": "0.75", "seed": "7",
        "measure": "effective",
    },
    "scaling_pair": {"first": "-2.5", "second": "1000.25", "temperature": "7.5"},
    "scaling_gradients": {"d_ks": "[2,9]", "T": "3", "repeats": "2", "seed": "7", "of": "vectors",
                          "row": "3"},
    "scaling_training": {
        "d_k": "6", "pairs": "3", "optimiser": "sgd", "rate": "0.25", "steps": "12",
        "seeds": "[4,9]", "batch": "5", "curve": "gradient",
    },
    "scaling_sweep": {
        "d_k": "6", "pairs": "3", "optimiser": "sgd", "steps": "12", "seeds": "[4,9]", "batch": "5",
        "rates": "[0.25,0.1,1e-12]",
    },
}  # fmt: skip
OURS = [idea for idea in IDEAS if idea.name.startswith("scaling")]
FIGURES = [entry.name for idea in OURS for entry in idea.entries]


def forget() -> None:
    """Let nothing be kept that an earlier test computed."""
    for kept in (SPREAD_RESULTS, SATURATION_RESULTS, REACH_RESULTS, TRAINED):
        kept.clear()
    SWEPT.clear()


def idea_named(name: str) -> Any:
    return next(idea for idea in OURS if idea.name == name)


def assignments(idea: Any, uses: tuple[str, ...]) -> list[str]:
    """Return every setting that a figure takes: those of the parameters, and what it shows."""
    left_out = {field for field, _ in differences(idea.view())} | set(uses)
    viewed = set(field_names(idea.view)) - left_out
    given = SETTINGS[idea.name].items()
    return [f"{idea.name}.{name}={text}" for name, text in given if name not in viewed]


def test_every_setting_is_tried_with_an_unusual_value():
    assert {idea.name: set(names_of(idea)) for idea in OURS} == {
        name: set(settings) for name, settings in SETTINGS.items()
    }
    for idea in OURS:
        for name, text in SETTINGS[idea.name].items():
            owner = idea.params() if name in field_names(idea.params) else idea.view()
            assert repr(getattr(changed(owner, name, text), name)) != repr(getattr(owner, name))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", FIGURES)
def test_the_command_in_the_notes_makes_the_same_file(tmp_path, name, backend):
    require_backend(backend)
    entry = ENTRIES[name]
    idea = next(idea for idea in OURS if entry in idea.entries)
    (made,) = prepare([name], assignments(idea, entry.uses), backend)
    style = Style("dark", "zh", "half", 4, True)
    words = shlex.split(command(made, style, "svg"))
    words[words.index("--to") + 1] = str(tmp_path)
    forget()
    assert main.main(words[3:]) == 0
    (path,) = tmp_path.iterdir()
    assert path.read_bytes() == slide_bytes(slide_of(made, style), "svg")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("idea", OURS, ids=lambda idea: idea.name)
def test_the_notes_tell_every_setting(idea, language):
    usual = idea.describe(idea.params(), idea.view(), language)
    for name, text in SETTINGS[idea.name].items():
        params, view = idea.params(), idea.view()
        if name in field_names(idea.params):
            params = changed(params, name, text)
        else:
            view = changed(view, name, text)
        told = idea.describe(params, view, language)
        assert told != usual, name
        assert all(title and said for title, said in told)


def test_the_notes_of_a_broken_assumption_tell_all_three_numbers():
    idea = idea_named("scaling")
    usual = dict(idea.describe(idea.params(), idea.view(), "en"))
    broken = dict(idea.describe(replace(idea.params(), mean=-0.5), idea.view(), "en"))
    said = {"Standard deviation of the components": "1", "Mean": "−0.5", "Correlation": "0"}
    assert {name: text for name, text in broken.items() if name not in usual} == said


def test_a_sweep_names_its_rates_or_those_of_its_optimiser():
    idea = idea_named("scaling_sweep")
    told = dict(idea.describe(replace(idea.params(), optimiser="sgd"), idea.view(), "en"))
    assert [float(rate) for rate in told["Learning rates"].split(", ")] == list(RATES["sgd"])
    told = dict(idea.describe(replace(idea.params(), rates=(0.5, 0.25)), idea.view(), "en"))
    assert told["Learning rates"] == "0.25, 0.5"
    given = ["rates=0.5, 0.25,0.5", "d_k=4", "pairs=2", "steps=2"]
    words = [f"scaling_sweep.{each}" for each in given]
    (made,) = prepare(["scaling-learning-rates"], words, "numpy")
    assert made.result.rates.tolist() == [0.25, 0.5]
    with pytest.raises(EngineError, match="no setting called rate"):
        prepare(["scaling-learning-rates"], ["scaling_sweep.rate=0.5"], "numpy")


def test_two_scores_need_no_backend_and_the_notes_name_none_that_did_nothing():
    (made,) = prepare(["scaling-pair"], [], None)
    assert made.backend == "numpy"
    assert exhibit("scaling-pair", made.result, backend=None).backend == "numpy"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_notes_of_a_training_that_was_stopped_say_so(language):
    params = TrainingParams(d_k=4, pairs=2, steps=4, seeds=(1,))
    *_, before, last = training(params, backend="numpy", every=2)
    said = "This was stopped before its end; the command computes it to the end."
    for result in (before, last):
        shown = exhibit("scaling-training", result, params=params, backend="numpy")
        style = Style(language=language, size="slide")
        notes = speaker_notes(shown, shown.draw(style), style)
        assert (translator(language)(said) in notes) == (not result.finished)
    assert (before.finished, last.finished) == (False, True)


def test_the_notes_of_a_sweep_that_was_stopped_say_which_rates_were_trained():
    params = SweepParams(d_k=4, pairs=2, steps=4, rates=(0.001, 0.01, 0.1))
    results = [each for each in sweeping(params, params.rates, backend="numpy") if len(each.rates)]
    assert [len(each.rates) for each in results] == [1, 2, 3]
    for done, result in enumerate(results, 1):
        shown = exhibit("scaling-learning-rates", result, params=params, backend="numpy")
        style = Style(size="slide")
        notes = speaker_notes(shown, shown.draw(style), style)
        listed = ", ".join(f"{rate:g}" for rate in params.rates[:done])
        said = f"So far only {done} of 3 rates, those that were trained to the end: {listed}."
        assert (said in notes) == (done < 3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_trained_bit_by_bit_on_the_page_is_what_the_command_trains(backend):
    require_backend(backend)
    forget()
    params = TrainingParams(d_k=6, pairs=3, steps=30, seeds=(2, 5))
    *_, whole = training(params, backend=backend, every=7)
    chosen = SweepParams(d_k=6, pairs=3, steps=30, rates=(0.001, 0.0125))
    *_, swept = sweeping(chosen, chosen.rates, backend=backend)
    for name, result in (("scaling-training", whole), ("scaling-learning-rates", swept)):
        shown = exhibit(name, result, params=result.params, backend=backend)
        words = shlex.split(command(shown, Style()))
        settings = [words[place + 1] for place, word in enumerate(words) if word == "--set"]
        (again,) = prepare([name], settings, backend)
        assert again.result is not result
        assert again.draw(Style()) == shown.draw(Style())


EXTREMES: dict[str, dict[str, tuple[float, ...]]] = {
    "scaling": {"sigma": (0.01, 100.0), "mean": (-10.0, 10.0, 1e-300), "correlation": (0.0, 0.99)},
    "scaling_saturation": {"exponent": (0.0, 2.0, 1 / 3)},
    "scaling_pair": {"first": (-1e6, 1e6, 1e-7), "temperature": (0.1, 20.0)},
    "scaling_training": {"rate": (1e9, 1e-12, 5e-324)},
}


@pytest.mark.parametrize("name", EXTREMES)
def test_the_least_and_the_greatest_numbers_survive_as_text(name):
    usual = idea_named(name).params()
    for field, values in EXTREMES[name].items():
        for value in values:
            assert getattr(changed(usual, field, written(value)), field) == value


TEN_THOUSAND = ",".join(map(str, range(1, 10_001)))
BAD = {
    "scaling": (
        "samples=1", "samples=0", "samples=1000001", "samples=2.5", "d_ks=0", "d_ks=-1",
        "d_ks=2.5", "d_ks=", "d_ks=[1,null]", f"d_ks={TEN_THOUSAND}", f"d_ks=[{TEN_THOUSAND}]",
        "sigma=0", "sigma=nan", "sigma=", "mean=1e400", "correlation=1", "distribution=cauchy",
        "seed=-1", "d_k=3", "d_k=0", "d_k=none of them",
    ),
    "scaling_saturation": (
        "keys=1", "samples=1", "exponent=-1", "exponent=inf", "measure=biggest", "d_ks=4097",
    ),
    "scaling_pair": ("first=1e7", "second=x", "temperature=0"),
    "scaling_gradients": ("T=1", "repeats=1", "of=values", "d_ks=2048", "d_ks=[[2]]",
                          "row=0", "row=17", "row=1.5"),
    "scaling_training": (
        "rate=0", "rate=1.1e9", "rate=inf", "steps=0", "seeds=1,1", "seeds=", "seeds=[true]",
        f"seeds={TEN_THOUSAND}", "batch=0", "d_k=3", "pairs=65", "optimiser=rmsprop", "curve=lost",
    ),
    "scaling_sweep": (
        "rate=0.01", "steps=5001", "seeds=x", "rates=0", "rates=0.1,x", "rates=[true]",
        "rates=[Infinity]", "rates=[[0.1]]", f"rates={TEN_THOUSAND}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "settings"), BAD.items())
def test_what_cannot_be_is_one_sentence_and_the_exit_code_of_a_bad_request(
    tmp_path, capsys, name, settings, language
):
    figure = idea_named(name).entries[0].name
    for setting in settings:
        words = ["--figure", figure, "--set", f"{name}.{setting}", "--backend", "numpy"]
        code = main.main(["--to", str(tmp_path / "new"), "--language", language, *words])
        answer, complaint = capsys.readouterr()
        assert (code, answer) == (2, ""), setting
        assert complaint.count("\n") == 1, setting
        assert len(complaint) < 400, setting
        assert "row 1, column 1" not in complaint, setting  # it is no matrix
        assert list(tmp_path.iterdir()) == []


def test_a_rate_at_which_everything_diverges_is_drawn_all_the_same():
    given = ["d_k=8", "pairs=4", "steps=40", "optimiser=sgd", "rate=1e9", "seeds=1"]
    (made,) = prepare(["scaling-training"], [f"scaling_training.{each}" for each in given], "numpy")
    assert any(run.diverged_at is not None for run in made.result.runs)
    for kind in ("svg", "png", "pdf", "pptx", "csv"):
        assert slide_bytes(slide_of(made, Style(size="slide")), kind)


@pytest.mark.parametrize("idea", OURS, ids=lambda idea: idea.name)
def test_how_far_the_computing_is_rises_to_the_end(idea):
    forget()
    heard: list[float] = []
    first, second = idea.entries[0].name, "attention-in-six-steps"
    prepare([first, second], assignments(idea, idea.entries[0].uses), "numpy", heard.append)
    assert heard == sorted(heard)
    assert (heard[0] > 0, heard[-1]) == (True, 1.0)
    within = [share for share in heard if 0.5 < share < 1]  # the first half is the overview
    assert bool(within) == (idea.name != "scaling_pair")
