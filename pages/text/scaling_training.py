"""What a training says, as it is true for a result.

A training that goes on or was stopped carries no conclusion: its sentences say how far it came.
"""

from __future__ import annotations

from typing import Literal

from engine.experiments.scaling.task import wrong_look
from engine.experiments.scaling.training import Measure, Run, SweepResult, TrainingResult
from engine.experiments.scaling.verdict import final_losses
from pages.figures.numerals import measured_number
from pages.text.marking import mark
from pages.text.scaling_readings import DIGITS, WAYS, beside, capitalised, grouped
from pages.text.scaling_words import way_sign
from pages.text.translator import Translator

Stage = Literal["running", "stopped", "done"]
_SIGNIFICANT = 3  # digits of a share
_CURVES: dict[Measure, str] = {
    "loss": mark("Loss"),
    "accuracy": mark("Accuracy"),
    "gradient": mark("Gradient norm"),
}


def stage_of(result: TrainingResult | SweepResult, *, running: bool) -> Stage:
    """Return whether a result still grows, was stopped, or is whole."""
    if result.finished:
        return "done"
    return "running" if running else "stopped"


# ---- one training


def training_notices(result: TrainingResult, stage: Stage, t: Translator) -> list[str]:
    """Return what to notice in a training: at most three sentences of its course."""
    right, lost = right_words(result, stage, t), diverged_words(result, t)
    if stage == "done":
        return [right, lost or unsure_words(result, t)]
    return [reached_words(result, stage, t), right, lost]


def steps_taken(result: TrainingResult) -> tuple[int, int]:
    """Return the fewest and the most steps of the runs that did not diverge; all where none."""
    taken = [len(run.steps) for run in result.runs if run.diverged_at is None]
    every = result.params.steps
    return (min(taken), max(taken)) if taken else (every, every)


def reached_words(result: TrainingResult, stage: Stage, t: Translator) -> str:
    """Return how far a training came."""
    fewest, most = steps_taken(result)
    values = {"least": f"{fewest:,}", "done": f"{most:,}", "steps": f"{result.params.steps:,}"}
    if stage == "running":
        if fewest == most:
            return t("So far, after step {done} of {steps}; the end may look different.", **values)
        return t(
            "So far, after {least} to {done} of {steps} steps, since the runs take turns; the end "
            "may look different.",
            **values,
        )
    if fewest == most:
        return t("Stopped after step {done} of {steps}; what was done is kept.", **values)
    return t(
        "Stopped after {least} to {done} of {steps} steps, since the runs take turns; what was "
        "done is kept.",
        **values,
    )


def right_words(result: TrainingResult, stage: Stage, t: Translator) -> str:
    """Return what share of the answers is right, both ways; empty where one way has none."""
    unscaled, scaled = (result.final("accuracy", scaled=way) for way in WAYS)
    if unscaled is None or scaled is None:
        return ""
    names = {
        "scaled": percent(scaled),
        "unscaled": percent(unscaled),
        "guess": percent(1 / result.params.pairs),
    }
    if stage != "done":
        return t(
            "Over the last tenth of these steps {scaled} of the answers are right with the "
            "division and {unscaled} without it; guessing gives {guess}.",
            **names,
        )
    if any(map(_diverged, result.runs)):
        return t(
            "Over the last tenth of the steps {scaled} of the answers are right with the division "
            "and {unscaled} without it, in the runs that did not diverge; guessing gives {guess}.",
            **names,
        )
    return t(
        "Over the last tenth of the steps {scaled} of the answers are right with the division and "
        "{unscaled} without it; guessing gives {guess}.",
        **names,
    )


def percent(share: float) -> str:
    """Return a share in percent; one that is nearly all is not called all."""
    text = f"{100 * share:.{_SIGNIFICANT}g}"
    return ">99.9%" if text == "100" and share < 1 else f"{text}%"


def unsure_words(result: TrainingResult, t: Translator) -> str:
    """Return why a loss can be above that of guessing, where all seeds of a way are."""
    found = (final_losses(result, scaled=way) for way in WAYS)
    if not any(losses is not None and losses.above_guessing for losses in found):
        return ""
    S = result.params.pairs
    return t(
        "The loss can exceed ln {S}, that of guessing, since W_V starts confident: looking at a "
        "wrong key alone costs {cost} at the start.",
        S=S,
        cost=measured_number(wrong_look(S), DIGITS),
    )


def final_words(result: TrainingResult, measure: Measure, t: Translator) -> str:
    """Return one measure, unscaled and scaled, over the last tenth of the steps."""
    return " | ".join(_final(result, measure, scaled, t) for scaled in WAYS)


def _final(result: TrainingResult, measure: Measure, scaled: bool, t: Translator) -> str:
    value = result.final(measure, scaled=scaled)
    if value is not None:
        return measured_number(value, DIGITS)
    return t("diverged") if all(map(_diverged, result.of(scaled))) else "–"


def _diverged(run: Run) -> bool:
    return run.diverged_at is not None


# ---- the note of a curve


def end_words(result: TrainingResult, curve: Measure, t: Translator) -> str:
    """Return the mean over the last tenth of the steps of the runs that did not diverge."""
    finals = ((way, result.final(curve, scaled=way)) for way in WAYS)
    parts = [(way_sign(way, t), grouped(value)) for way, value in finals if value is not None]
    if not parts:
        return ""
    values = {"curve": t(_CURVES[curve]), "parts": beside(parts, t)}
    if result.finished:
        return t("{curve} over the last tenth of the steps, {parts}.", **values)
    return t("{curve} over the last tenth of the steps so far, {parts}.", **values)


def diverged_words(result: TrainingResult, t: Translator) -> str:
    """Return which runs diverged, and at which steps; empty where none did."""
    return t.sentences(*(_diverged_words(result, scaled, t) for scaled in WAYS))


def _diverged_words(result: TrainingResult, scaled: bool, t: Translator) -> str:
    begun = [run for run in result.of(scaled) if len(run.steps) or _diverged(run)]
    steps = [run.diverged_at for run in begun if run.diverged_at is not None]
    if not steps:
        return ""
    values = {
        "name": capitalised(way_sign(scaled, t)),
        "count": len(steps),
        "total": len(begun),
        "steps": t.listing(f"{step:,}" for step in sorted(set(steps))),
    }
    if len(steps) == len(begun):
        return t("{name}: {count} of {total} runs diverged, at step {steps}.", **values)
    return t(
        "{name}: {count} of {total} runs diverged, at step {steps}; the line is the mean of the "
        "others.",
        **values,
    )
