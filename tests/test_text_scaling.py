"""What is said of a training and of a sweep holds for that result, whole or not."""

from __future__ import annotations

import math
import re
from decimal import Decimal

import numpy as np
import pytest

from engine.experiments.scaling.verdict import Losses, ahead, best_losses, final_losses
from pages.text import LANGUAGES, translator
from pages.text.grouping import in_full, without_groups
from pages.text.scaling_training import (
    Stage,
    final_words,
    stage_of,
    steps_taken,
    sweep_notices,
    training_notices,
)
from tests.scaling_results import NAN, SWEEPS, TRAININGS, one_run, swept, trained

T = translator("en")
GUESS = math.log(16)
CONCLUSIONS = (
    "None of these",
    "learn the task",
    "learns the task",
    "does better",
    "not decided",
    "above",
)


def said_of_sweep(scaled, unscaled, stage="done", rates=(0.01, 0.1), **changes) -> str:
    seeds = tuple(range(len(scaled[0])))
    result = swept(rates, scaled, unscaled, finished=stage == "done", seeds=seeds, **changes)
    return " ".join(sweep_notices(result, stage, T))


# What is ahead -----------------------------------------------------------------------------


def losses(*of_seeds: float) -> Losses:
    return Losses(np.array(of_seeds), GUESS, 0.1)


@pytest.mark.parametrize(
    ("of_seeds", "standing"),
    [
        ((0.0, 0.27), "learned"),
        ((0.0, 0.28), "between"),
        ((2.48, 9.0), "between"),
        ((2.51, 9.0), "guessing"),
    ],
)
def test_a_way_stands_where_every_seed_does(of_seeds, standing):
    assert losses(*of_seeds).standing == standing
    assert losses(*reversed(of_seeds)).standing == standing


@pytest.mark.parametrize(
    ("unscaled", "scaled", "said"),
    [
        ((2.0, 2.1), (1.0, 1.7), "scaled"),
        ((2.0, 2.1), (1.0, 1.75), "neither"),  # two seeds are no further apart than a tenth
        ((1.0, 1.7), (2.0, 2.1), "unscaled"),
        ((1.0, 3.0), (2.0, 2.1), "neither"),
        ((1.0,), (1.0,), "neither"),
    ],
)
def test_a_way_is_ahead_only_when_every_seed_is_by_more_than_the_margin(unscaled, scaled, said):
    assert ahead(losses(*unscaled), losses(*scaled)) == said


def test_the_best_rate_is_that_of_the_lowest_mean_without_a_diverged_seed():
    result = swept([1, 2, 3], [[1, 1], [0, NAN], [0.2, 1.2]], [[NAN, 1]] * 3, seeds=(1, 2))
    best = best_losses(result, scaled=True)
    assert best is not None
    assert (best.rate, best.of_seeds.tolist(), best.mean) == (3.0, [0.2, 1.2], 0.7)
    assert best_losses(result, scaled=False) is None


# Sweeps ------------------------------------------------------------------------------------

CASES = {
    "both learned": ([[0.2, 0.1], [3, 3]], [[0.05, 0.2], [3, 3]], "Both ways learn the task"),
    "the same rate": ([[0.2, 0.1], [3, 3]], [[0.2, 0.1], [3, 3]], "Both ways learn the task"),
    "another rate": ([[3, 3], [0.0, 0.1]], [[0.1, 0.1], [3, 3]], "Both ways learn the task"),
    "neither": ([[2.7, 2.8], [3, 3]], [[9, 9], [2.6, 2.7]], "Neither way learns the task"),
    "only divided": ([[0.1, 0.1], [2, 2]], [[3, 4], [2.9, 2.6]], "None of these rates makes up"),
    "only undivided": ([[3, 4], [2.9, 2.6]], [[0.1, 0.1], [2, 2]], "the division does better"),
    "undecided": ([[0.1, 0.4], [3, 3]], [[0.3, 0.9], [3, 3]], "not decided which way"),
    "one lucky seed": ([[0.1, 0.1], [3, 3]], [[0.05, 3], [3, 3]], "not decided which way"),
}  # fmt: skip
VERDICTS = {said for _, _, said in CASES.values()}


@pytest.mark.parametrize(("scaled", "unscaled", "said"), CASES.values(), ids=CASES)
def test_a_sweep_says_the_one_verdict_that_holds(scaled, unscaled, said):
    text = said_of_sweep(scaled, unscaled)
    assert [each for each in sorted(VERDICTS) if each in text] == [said]


@pytest.mark.parametrize("stage", ["running", "stopped"])
@pytest.mark.parametrize(("scaled", "unscaled", "_said"), CASES.values(), ids=CASES)
def test_a_sweep_that_is_not_whole_says_how_far_it_came_and_no_verdict(
    stage, scaled, unscaled, _said
):
    text = said_of_sweep(scaled, unscaled, stage)
    assert "2 of 6 learning rates" in text
    assert ("Stopped" in text) == (stage == "stopped")
    assert not [each for each in CONCLUSIONS if each in text]


def test_one_seed_has_no_spread_and_several_have_one():
    assert "spread over seeds is not known" in said_of_sweep([[0.1], [1]], [[3], [3]])
    assert "not known" not in said_of_sweep([[0.1, 0.1], [1, 1]], [[3, 3], [3, 3]])


@pytest.mark.parametrize("diverged", ["Without", "With"])
def test_a_way_that_always_diverged_is_compared_with_nothing(diverged):
    lost, whole = [[NAN, 2.0], [NAN, NAN]], [[0.1, 0.1], [1, 1]]
    ways = (lost, whole) if diverged == "With" else (whole, lost)
    text = said_of_sweep(*ways)
    assert f"{diverged} the division at least one run diverged at each of the 2 rates." in text
    assert not [each for each in VERDICTS if each in text]


def test_losses_above_guessing_are_counted_among_the_rates_that_did_not_diverge():
    unscaled = [[5, 1], [2.7, 2.7], [NAN, 9], [2.7727, 2.7727]]  # the last is shown as 2.773
    learned = [[0.1, 0.1]] * 4
    text = said_of_sweep(learned, unscaled, rates=(1, 2, 3, 4))
    assert "at 1 of 3 rates without the division and at 0 of 4 with it; rates at which" in text
    text = said_of_sweep([[9, 9]] * 4, [[0.1, 3], *learned[1:]], rates=(1, 2, 3, 4))
    assert "at 0 of 4 rates without the division and at 4 of 4 with it." in text
    assert "above that of guessing" not in said_of_sweep(learned, learned, rates=(1, 2, 3, 4))


# One training ------------------------------------------------------------------------------


def training(*ways, finished=True, steps=20, of=0):
    """Return a training: for each seed the loss without the division and with it, at any step."""
    runs = [
        one_run(seed, scaled, [levels[scaled]] * steps)
        for seed, levels in enumerate(ways)
        for scaled in (False, True)
    ]
    return trained(*runs, finished=finished, steps=of or steps, seeds=tuple(range(len(ways))))


def said_of(result, stage="done") -> str:
    return " ".join(training_notices(result, stage, T))


def test_a_loss_above_guessing_is_said_as_the_probability_of_the_right_answer():
    levels = (4.0, 5.0)
    text = said_of(training((levels[0], 0.1), (levels[1], 0.1)))
    pattern = (
        r"the mean loss is (\S+), above ln 16 = (\S+): .* probability of (\S+), less than "
        r"the 1/16 = (\S+) of"
    )
    found = re.search(pattern, text)
    assert found is not None
    loss, guess, right, chance = map(float, found.groups())
    each = [math.exp(-level) for level in levels]
    assert math.isclose(right, math.prod(each) ** (1 / len(each)), rel_tol=5e-3)
    assert right < chance == 1 / 16
    assert (loss, guess) == (4.5, 2.773)
    assert "wrong key" not in text


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        ([(2.78, 0.1)], []),  # above, but by less than a tenth
        ([(3.0, 0.1), (5.0, 0.1)], []),  # one seed is not
        ([(3.2, 0.1), (5.0, 0.1)], ["Without"]),
        ([(0.1, 3.2)], ["With"]),
        ([(3.2, 3.2)], ["Without", "With"]),
    ],
)
def test_a_loss_above_guessing_is_said_of_every_way_where_all_seeds_are_clearly_above(ways, said):
    text = said_of(training(*ways))
    names = [name for name in ("Without", "With") if f"{name} the division the mean loss" in text]
    assert names == said


@pytest.mark.parametrize("loss", [12.3, 300.0, 900_000.0, -math.log(9.7e-40)])
def test_a_probability_that_no_float_holds_is_a_power_of_ten(loss):
    digit, power = f"{Decimal(-loss).exp():.0e}".split("e-")
    assert f"a probability of {digit}e−{int(power)}, less than" in said_of(training((loss, 0.1)))


@pytest.mark.parametrize("stage", ["running", "stopped"])
@pytest.mark.parametrize("level", [0.1, 9.0])
def test_a_training_that_is_not_whole_says_its_step_and_no_conclusion(stage, level):
    text = said_of(training((level, level), finished=False, steps=1_250, of=5_000), stage)
    assert "after step 1,250 of 5,000" in text
    assert ("Stopped" in text) == (stage == "stopped")
    assert "above" not in text
    assert "At the end" not in text


def test_runs_that_are_not_level_are_said_to_be_so():
    result = TRAININGS["stopped"]
    assert steps_taken(result) == (0, 25)
    assert "Stopped after 0 to 25 of 100 steps" in said_of(result, "stopped")
    assert "So far, after 0 to 25 of 100 steps" in said_of(result, "running")


def test_what_has_not_begun_is_not_called_diverged():
    begun = trained(
        one_run(1, True, [1.0]), one_run(1, False, []), finished=False, steps=9, seeds=(1,)
    )
    assert final_words(begun, "loss", T) == "– | 1.000"
    assert final_words(TRAININGS["all diverged"], "loss", T) == "diverged | diverged"
    assert "%" not in said_of(begun, "running")
    assert final_losses(begun, scaled=False) is None


def test_numbers_of_the_runs_that_did_not_diverge_are_said_to_be_theirs():
    assert "in the runs that did not diverge" in said_of(TRAININGS["some diverged"])
    text = said_of(TRAININGS["default"])
    assert "from the same starts and the same examples" in text
    assert "diverge" not in text
    scaled, unscaled = (
        100 * np.mean([run.accuracy[-4:].mean() for run in TRAININGS["default"].of(way)])
        for way in (True, False)
    )
    assert f"{scaled:.3g}% of the answers are right with the division and {unscaled:.3g}%" in text


@pytest.mark.parametrize(("loss", "share"), [(0.0, "100%"), (0.001, ">99.9%"), (0.004, "99.9%")])
def test_a_share_that_is_nearly_all_is_not_called_all(loss, share):
    text = said_of(training((3.0, loss)))  # whose accuracy is 1 - loss / 4
    assert f"Over the last tenth of the steps {share} of the answers are right" in text


def test_a_result_is_whole_stopped_or_goes_on():
    whole, part = TRAININGS["default"], TRAININGS["stopped"]
    assert [stage_of(each, running=now) for each in (whole, part) for now in (True, False)] == [
        "done", "done", "running", "stopped",
    ]  # fmt: skip


def stages(result) -> tuple[Stage, ...]:
    return ("done",) if result.finished else ("running", "stopped")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_result_has_words_without_gaps_or_nan(language):
    t = translator(language)
    said = []
    for result in TRAININGS.values():
        for stage in stages(result):
            said += training_notices(result, stage, t)
    for swept_result in SWEEPS.values():
        for stage in stages(swept_result):
            said += sweep_notices(swept_result, stage, t)
    assert not [text for text in said if "nan" in text.lower() or "{" in text]


# Large numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1024", "1,024"), ("-1000000", "-1,000,000"), ("999", "999"), ("1e+09", "1,000,000,000"),
        ("1000.25", "1,000.25"), ("0001024", "0001024"), ("1024 x", "1024 x"), ("1e+30", "1e+30"),
    ],
)  # fmt: skip
def test_a_large_number_is_shown_in_full(text, shown):
    assert in_full(text) == shown


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1,024", "1024"),
        ("1,000,000.5", "1000000.5"),
        ("3,5", "3,5"),
        ("1,0240", "1,0240"),
        ("0,500", "0,500"),
    ],
)
def test_groups_of_three_digits_are_a_number_and_other_commas_are_not(text, plain):
    assert without_groups(text) == plain
