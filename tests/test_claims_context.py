"""Claims 19, 20 and 21: their numbers, and that each verdict turns when the fact does."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.experiments.claims import of_context as claims
from engine.experiments.claims.finding import Finding, Verdict
from engine.experiments.claims.results import Results
from engine.experiments.context.endings import EndingsParams
from engine.experiments.context.knock import KnockParams
from engine.experiments.context.recorded import record
from engine.experiments.context.sentences import PAIRS
from engine.experiments.context.single_layer import SingleLayerParams, compare_in_one_layer
from engine.experiments.context.study import StudyParams
from pages.text import translator
from pages.text.claims.every import WORDS

T = translator("en")
TIRED, WIDE = PAIRS[0].first, PAIRS[0].second
ANIMAL, STREET, IT = 2, 8, 10  # among the pieces, with [CLS] before the first word


def checked(number, results):
    (claim,) = (each for each in claims.CLAIMS if each.number == number)
    return claim.check(results)


def said(finding):
    words = WORDS[finding.claim]
    return T.sentences(*words.sentences(finding, T)).replace("\N{NO-BREAK SPACE}", " ")


class Changed(Results):
    """Results of which those of one experiment are changed."""

    def __init__(self, kind, change):
        super().__init__("numpy")
        self._kind, self._change = kind, change

    def of(self, params, run, *, backend=None):
        result = super().of(params, run, backend=backend)
        return self._change(result) if isinstance(params, self._kind) else result


def test_the_three_claims_are_there():
    assert [claim.number for claim in claims.CLAIMS] == [19, 20, 21]
    assert {claim.subject for claim in claims.CLAIMS} == {"context"}


# --- 19: two endings ------------------------------------------------------------------


def weights(text):
    """Return the weights of "it" on "animal" and "street", (6, 12, 2), as they are recorded."""
    found = record().texts[text]
    assert (found.tokens[ANIMAL], found.tokens[STREET], found.tokens[IT]) == (
        "animal",
        "street",
        "it",
    )
    return found.attention[:, :, IT, [ANIMAL, STREET]].astype(float)


def test_a_deeper_head_turns_and_no_first_layer_does(backend):
    finding = checked(19, Results(backend.name))
    assert (finding.verdict, finding.case) == ("qualified", "deeper")
    values = finding.values
    tired, wide = weights(TIRED), weights(WIDE)
    so = against = 0
    clearest = (0.0, 0, 0)
    for layer, head in np.ndindex(6, 12):
        (a, b), (c, d) = tired[layer, head], wide[layer, head]
        so += a > b and c < d
        against += a < b and c > d
        if a > b and c < d:
            clearest = max(clearest, (a - b - (c - d), layer + 1, head + 1))
    assert (values["turning"], values["against"], values["heads"]) == (so, against, 72)
    assert (values["layer"], values["head"]) == clearest[1:] == (5, 1)
    # As transformers computes them.
    assert values["tired"] == pytest.approx((0.09956095, 0.08234631), abs=1e-6)
    assert values["wide"] == pytest.approx((0.04688665, 0.18825613), abs=1e-6)
    assert values["mean_tired"] == pytest.approx(tired.mean(axis=(0, 1)))
    assert values["mean_wide"] == pytest.approx(wide.mean(axis=(0, 1)))
    ratios = np.log(tired[0, :, 0] / tired[0, :, 1]) - np.log(wide[0, :, 0] / wide[0, :, 1])
    assert values["first_difference"] == pytest.approx(np.abs(ratios).max(), abs=1e-9)
    rounding = [compare_in_one_layer(each, backend=backend).rounding for each in claims.SINGLES]
    assert values["drawn_difference"] <= values["drawn_rounding"] == min(rounding)


def test_other_pairs_are_counted_where_the_model_can_read_them():
    values = checked(19, Results("numpy")).values
    readable = [pair for pair in PAIRS[1:]
                if not any(record().texts[text].unknown.any() for text in (pair.first, pair.second))
                ]  # fmt: skip
    assert [pair.name for pair in readable] == ["trophy", "councilmen"]
    assert values["others"] == 2
    assert values["others_turning"] == 0


@pytest.mark.parametrize(
    ("kept", "turning", "verdict"),
    [
        (True, 5, "qualified"),
        (True, 1, "qualified"),
        (True, 0, "wrong"),
        (False, 5, "confirmed"),
        (False, 0, "open"),
    ],
)
def test_the_verdict_on_endings(kept, turning, verdict):
    assert claims.judge_reference(kept=kept, turning=turning) == verdict


def still(result):
    """Return endings in which no head turns."""
    return replace(result, turned=np.zeros_like(result.turned), most_turned=None)


def test_where_no_head_turns_it_is_wrong_and_no_head_is_named():
    finding = checked(19, Changed(EndingsParams, still))
    assert (finding.verdict, finding.case) == ("wrong", "nowhere")
    assert (finding.values["layer"], finding.values["turning"]) == (0, 0)
    assert "No head of MiniLM gives the animal more" in said(finding)
    assert "layer 0" not in said(finding)
    assert WORDS[19].number_of(finding, T) == "no head turns so"


@pytest.mark.parametrize(
    ("kind", "field", "who", "other"),
    [
        (SingleLayerParams, "largest_difference", "drawn", "but not in layer 1 of MiniLM"),
        (EndingsParams, "first_layer_difference", "first", "but not in 32 random heads"),
    ],
)
def test_where_one_layer_changes_the_ratio_it_is_not_kept(kind, field, who, other):
    """Only what changes is said to."""
    finding = checked(19, Changed(kind, lambda result: replace(result, **{field: 0.25})))
    assert (finding.verdict, finding.case) == ("confirmed", f"at_once {who}")
    assert "changes in one layer already: by up to 0.25" in said(finding)
    assert other in said(finding)
    assert said(finding).count("by up to") == 1
    no_turn = checked(19, Changed(kind, lambda result: replace(
        still(result) if kind is EndingsParams else result, **{field: 0.25})))  # fmt: skip
    assert no_turn.case == f"{'unclear' if kind is EndingsParams else 'at_once'} {who}"


def test_where_both_change_the_ratio_both_are_said_to():
    def changed(result):
        return replace(result, **{field: 0.25 for field in
                                  ("largest_difference", "first_layer_difference")
                                  if hasattr(result, field)})  # fmt: skip

    finding = checked(19, Changed((SingleLayerParams, EndingsParams), changed))
    assert finding.case == "at_once both"
    assert said(finding).count("by up to 0.25") == 2


def test_without_a_ratio_in_the_first_layer_nothing_is_decided():
    nan = checked(
        19, Changed(EndingsParams, lambda result: replace(result, first_layer_difference=math.nan))
    )
    assert (nan.verdict, nan.case) == ("open", "unmeasured")
    assert "nan" not in said(nan)
    assert "no ratio to compare" in said(nan)


def test_heads_that_turn_the_other_way_do_not_count():
    def mirrored(result):
        return replace(result, preference=-result.preference)

    usual = checked(19, Results("numpy")).values
    values = checked(19, Changed(EndingsParams, mirrored)).values
    assert (values["turning"], values["against"]) == (usual["against"], usual["turning"])


def test_endings_are_said_with_their_numbers():
    finding = checked(19, Results("numpy"))
    text = said(finding)
    assert "5 of 72, the clearest in layer 5, head 1, from 0.100 : 0.082 to 0.047 : 0.188" in text
    assert "the other way: 6" in text
    assert text.endswith("0 of 2.")
    assert WORDS[19].number_of(finding, T) == (
        "layer 5, head 1: animal : street 0.100 : 0.082 → 0.047 : 0.188"
    )


# --- 20: how far layers look ------------------------------------------------------------


def distances(text, *, own):
    """Return the mean distance of each layer by loops over queries and keys."""
    found = record().texts[text]
    places = [n for n in range(len(found.tokens)) if not (own and found.special[n])]
    means = []
    for layer in found.attention.astype(float):
        total = 0.0
        for head in layer:
            for i in places:
                row = sum(head[i][j] for j in places) if own else 1.0
                total += sum(head[i][j] / row * abs(i - j) for j in places)
        means.append(total / len(layer) / len(places))
    return means, sum(abs(i - j) for i in places for j in places) / len(places) ** 2


def test_the_last_layers_look_farther_than_the_first(backend):
    finding = checked(20, Results(backend.name))
    assert (finding.verdict, finding.case) == ("qualified", "halves within")
    values = finding.values
    for name, own in (("shown", False), ("own", True)):
        means, even = distances(TIRED, own=own)
        assert values[name] == pytest.approx(means, abs=1e-5)
        assert values[f"{name}_even"] == pytest.approx(even)
        assert np.mean(means[3:]) > np.mean(means[:3])
    # As transformers computes them.
    assert values["shown"] == pytest.approx(
        (4.83722, 5.37979, 5.77667, 6.01127, 6.18023, 5.99022), abs=1e-4
    )
    assert values["own"] == pytest.approx(
        (3.88564, 3.07122, 3.46757, 4.56693, 4.23153, 4.61576), abs=1e-4
    )
    assert np.mean(values["own"][3:]) < values["own_even"]
    special = record().texts[TIRED].attention[..., [0, 15]].sum(axis=-1).mean(axis=(1, 2))
    assert values["special"] == pytest.approx(special, abs=1e-6)
    english = [text for text, found in record().texts.items() if not found.unknown.any()]
    assert (values["texts"], values["ways"], values["farther"]) == (6, 12, 12)
    assert len(english) == 6


@pytest.mark.parametrize(
    ("farther", "rising", "verdict"),
    [
        ((True, True), True, "confirmed"),
        ((True, True), False, "qualified"),
        ((True, False), False, "open"),
        ((False, False), False, "wrong"),
    ],
)
def test_the_verdict_on_distance(farther, rising, verdict):
    assert claims.judge_distance(farther, rising=rising) == verdict


def with_layers(order):
    """Return studies whose layers come in another order."""
    return Changed(StudyParams, lambda text: replace(text, attention=text.attention[order]))


def test_other_layers_come_to_another_verdict():
    backwards = checked(20, with_layers([5, 4, 3, 2, 1, 0]))
    assert (backwards.verdict, backwards.case) == ("wrong", "falls within")
    assert "In none of 6 recorded sentences do the last 3 layers" in said(backwards)
    first = checked(20, with_layers([0, 0, 0, 0, 0, 0]))
    assert first.verdict == "wrong", "layers that look equally far"
    mixed = checked(20, with_layers([0, 1, 5, 2, 3, 4]))
    assert (mixed.verdict, mixed.values["farther"]) == ("open", halves(mixed))


def halves(finding):
    """Return in how many cases the last half is farther, of layers 1, 2, 6 and 3, 4, 5."""
    found = [distances(text, own=own)[0] for own in (False, True)
             for text, each in record().texts.items() if not each.unknown.any()]  # fmt: skip
    assert len(found) == finding.values["ways"]
    return sum(sum(each[place] for place in (2, 3, 4)) > each[0] + each[1] + each[5]
               for each in found)  # fmt: skip


def test_layers_that_always_rise_confirm_it():
    """Every layer looks a step farther: weight moves from oneself to the key that is farthest."""

    def rising(text):
        attention = np.zeros_like(text.attention)
        tokens = np.arange(text.length)
        for layer in range(text.layers):
            far = np.where(tokens < text.length / 2, text.length - 2, 1)
            attention[layer, :, tokens, tokens] = 1 - layer / 6
            attention[layer, :, tokens, far] += layer / 6
        return replace(text, attention=attention)

    finding = checked(20, Changed(StudyParams, rising))
    assert (finding.verdict, finding.case) == ("confirmed", "rises beyond")
    assert "every layer looks farther than the one before" in said(finding)
    assert "no farther than equal weights" not in said(finding)


def test_equal_weights_are_those_among_the_same_tokens():
    """Layers that look 5 tokens far among the 14 own ones: 4.64 is equal there, 5.31 among 16."""

    def far(text):
        attention = np.zeros_like(text.attention)
        own = np.flatnonzero(~text.special)
        attention[..., own[:, None], own] = 1 / len(own)
        farthest = np.where(own - own[0] < own[-1] - own, own[-1], own[0])
        attention[..., own, farthest] += 0.07
        return replace(text, attention=attention)

    finding = checked(20, Changed(StudyParams, far))
    assert finding.values["own_even"] < finding.values["own"][0] < finding.values["shown_even"]
    assert finding.case == "falls beyond"


def test_distances_are_said_beside_equal_weights():
    finding = checked(20, Results("numpy"))
    text = said(finding)
    assert "looks 4.84, 5.38, 5.78, 6.01, 6.18, 5.99 tokens far" in text
    assert "equal weights would look 5.31 far" in text
    assert "get 0.29–0.62 of the weight" in text
    last = np.mean(distances(TIRED, own=True)[0][3:])
    assert f"the mean of the last 3 layers, {last:.2f}, is no farther than equal" in text
    assert WORDS[20].number_of(finding, T) == (
        "mean distance 4.84 in the first layer, 5.99 in the last; equal weights 5.31"
    )


# --- 21: weight and cause ---------------------------------------------------------------


def ranked(values):
    """Return the ranks of some values, equal ones in the middle of theirs."""
    return [sum(b < a for b in values) + (sum(b == a for b in values) + 1) / 2 for a in values]


def test_the_largest_weight_often_lacks_the_largest_effect(backend):
    finding = checked(21, Results(backend.name))
    assert (finding.verdict, finding.case) == ("confirmed", "correlated")
    found = record().texts[TIRED]
    rows = found.attention[:, :, IT].reshape(72, -1).astype(float)
    effects = found.effects[0, :, IT].astype(float)  # 72 heads, 6 layers, everywhere
    layers = [*(number // 12 for number in range(72)), *range(6), 0]
    effects[effects <= found.floors[layers, IT][:, None]] = 0
    missed = sum(
        row.argmax() != effect.argmax()
        for row, effect in zip(rows, effects, strict=False)
        if 2 * (effect == 0).sum() <= effect.size
    )
    correlations = [
        np.corrcoef(ranked(row), ranked(effect))[0, 1]
        for row, effect in zip(rows, effects, strict=False)
        if 2 * (effect == 0).sum() <= effect.size
    ]
    assert (finding.values["missed"], finding.values["heads"]) == (missed, len(correlations))
    assert finding.values["median"] == pytest.approx(np.median(correlations))
    assert finding.values["related"] == sum(each > 1.96 / 15**0.5 for each in correlations)
    everywhere = np.corrcoef(ranked(rows.mean(axis=0)), ranked(effects[-1]))[0, 1]
    assert finding.values["everywhere"] == pytest.approx(everywhere)
    assert finding.values["top_weight"] == (found.tokens[rows.mean(axis=0).argmax()],) == ("[CLS]",)
    assert finding.values["top_effect"] == (found.tokens[effects[-1].argmax()],) == ("animal",)
    assert finding.values["keys"] == len(found.tokens) == 16


@pytest.mark.parametrize(
    ("related", "missed", "verdict", "case"),
    [
        (70, 26, "confirmed", "correlated"),
        (37, 8, "confirmed", "correlated"),
        (36, 8, "qualified", "unrelated"),
        (70, 7, "open", "rarely"),
        (70, 0, "wrong", "always"),
        (0, 0, "wrong", "always"),
    ],
)
def test_the_verdict_on_causes(related: int, missed: int, verdict: Verdict, case: str):
    assert claims.judge_cause(related, missed, 72) == verdict
    usual = checked(21, Results("numpy")).values
    finding = Finding(21, verdict, {**usual, "related": related, "missed": missed}, case)
    text = said(finding)
    assert ("Yet in" in text) == (missed > 7)
    assert ("do not go together" in text) == (case == "unrelated")


def test_a_weight_that_tells_every_effect_is_a_cause():
    def told(result):
        return replace(result, top_effects=result.top_weights)

    finding = checked(21, Changed(KnockParams, told))
    assert (finding.verdict, finding.case) == ("wrong", "always")
    assert "In every head the key with the largest weight has the largest effect" in said(finding)


def alike(result):
    """Return knocked out keys whose effects are all nought."""
    return replace(result, correlation=math.nan, top_effects=tuple(range(result.measured)))


def test_where_nothing_can_be_ranked_nothing_is_decided(recwarn):
    finding = checked(21, Changed(KnockParams, alike))
    assert (finding.verdict, finding.case) == ("open", "unmeasured")
    assert "In no head" in said(finding)
    assert WORDS[21].number_of(finding, T) == "no rank correlation"
    assert not recwarn.list


def test_heads_that_cannot_be_ranked_are_left_out():
    def some(result):
        return alike(result) if (result.params.layer, result.params.head) <= (1, 2) else result

    usual, found = (
        checked(21, results).values for results in (Results("numpy"), Changed(KnockParams, some))
    )
    assert usual["heads"] - found["heads"] == 2
    assert np.isfinite(found["median"])


def test_several_keys_at_the_top_are_all_named():
    def tied(result):
        return replace(result, top_weights=(0, 2), top_effects=(2, 5))

    assert checked(21, Changed(KnockParams, tied)).values["missed"] == 0
    finding = checked(21, Changed(KnockParams, lambda result: replace(
        tied(result), top_weights=(0, 3))))  # fmt: skip
    assert finding.values["missed"] == finding.values["heads"]
    tokens = record().texts[TIRED].tokens
    said_ = (
        f"that of {tokens[0]}, {tokens[3]}, the largest effect that of {tokens[2]}, {tokens[5]}."
    )
    assert said(finding).endswith(said_)


def test_causes_are_said_with_the_tokens_that_differ():
    finding = checked(21, Results("numpy"))
    assert "in 69 of the 71 heads whose effects are mostly more than rounding" in said(finding)
    assert "Yet in 26 heads" in said(finding)
    assert said(finding).endswith("that of [CLS], the largest effect that of animal.")
    assert WORDS[21].number_of(finding, T) == (
        "rank correlation 0.83; largest weight [CLS], largest effect animal"
    )
