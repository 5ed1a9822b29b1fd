"""Printed and computed: the verdicts follow from the numbers, in both directions."""

import copy
import math

import numpy as np
import pytest

from engine.experiments.printed import VERDICTS, load_printed, printed_claims

EXPECTED = {6: "misprint", 7: "wrong", 8: "wrong"}


def claims(printed=None, backend="numpy"):
    return {claim.claim: claim for claim in printed_claims(printed, backend=backend)}


def changed(number, line, values):
    printed = copy.deepcopy(load_printed())
    next(claim for claim in printed if claim["claim"] == number)["printed"][line] = values
    return claims(printed)[number]


def test_the_three_verdicts(backend):
    found = claims(backend=backend)
    assert {number: claim.verdict for number, claim in found.items()} == EXPECTED


def test_computed_numbers_are_those_of_the_mathematics():
    root = math.sqrt(2)
    powers = [math.exp(score / root) for score in (2, 4, 3, 3)]
    row = [power / sum(powers) for power in powers]
    claim = claims()[6]
    np.testing.assert_allclose(claim.line("exponentials").computed, powers, rtol=1e-12)
    np.testing.assert_allclose(claim.line("sum").computed, [sum(powers)], rtol=1e-12)
    np.testing.assert_allclose(claim.line("weights").computed, row, rtol=1e-12)
    output = [2 * row[0] + row[2] + row[3], row[0] + 2 * row[1] + 2 * row[2] + row[3]]
    np.testing.assert_allclose(claim.line("output").computed, output, rtol=1e-12)


def test_claim_6_shows_what_its_rounded_exponentials_give():
    claim = claims()[6]
    assert claim.line("exponentials").printed == ("4.10", "16.95", "8.33", "8.33")
    assert claim.line("sum").printed == ("37.71",)
    quotients = [part / 37.71 for part in (4.10, 16.95, 8.33, 8.33)]
    np.testing.assert_allclose(claim.line("weights").from_printed, quotients, rtol=1e-12)
    assert claim.line("weights").agrees == (True, False, True, True)
    np.testing.assert_allclose(claim.line("output").from_printed, [0.660, 1.672], rtol=1e-12)
    assert claim.line("output").agrees == (True, False)


def test_claim_7_shows_what_its_printed_weights_give():
    output = claims()[7].line("output")
    np.testing.assert_allclose(output.from_printed, [1.340, 1.332], rtol=1e-12)
    assert (output.agrees, output.follows) == ((False, False), (False, False))


def test_claim_8_shows_every_step():
    claim = claims()[8]
    powers = [math.exp(score) for score in (1.05, 0.2, -0.15)]
    np.testing.assert_allclose(claim.line("scaled").computed, [1.05, 0.2, -0.15], rtol=1e-9)
    np.testing.assert_allclose(claim.line("exponentials").computed, powers, rtol=1e-9)
    np.testing.assert_allclose(claim.line("sum").computed, [sum(powers)], rtol=1e-9)
    quotients = [power / sum(powers) for power in powers]
    np.testing.assert_allclose(claim.line("weights").computed, quotients, rtol=1e-9)
    assert claim.line("scores").verdict == claim.line("scaled").verdict == "confirmed"


@pytest.mark.parametrize(
    ("number", "lines", "verdict"),
    [
        (6, {"weights": ["0.109", "0.449", "0.221", "0.221"], "output": ["0.660", "1.670"]}, 0),
        (6, {"weights": ["0.109", "0.449", "0.221", "0.221"]}, 1),
        (6, {"weights": ["0.109", "0.451", "0.221", "0.221"]}, 2),
        (6, {"output": ["0.660", "1.676"]}, 2),
        (7, {"output": ["1.340", "1.330"]}, 0),
        (7, {"output": ["1.340", "1.332"]}, 1),
        (7, {"output": ["1.340", "1.224"]}, 2),
        (8, {"weights": ["0.58", "0.25", "0.17"]}, 0),
        (8, {"weights": ["0.578", "0.247", "0.174"]}, 0),
        (8, {"weights": ["0.58", "0.25", "0.12"]}, 2),
        (8, {"scaled": ["2.1", "0.4", "-0.3"], "weights": ["0.79", "0.14", "0.07"]}, 1),
    ],
)
def test_a_verdict_flips_with_the_printed_numbers(number, lines, verdict):
    printed = copy.deepcopy(load_printed())
    next(claim for claim in printed if claim["claim"] == number)["printed"].update(lines)
    assert claims(printed)[number].verdict == VERDICTS[verdict]


def test_digits_decide_how_much_is_claimed():
    assert changed(8, "weights", ["0.6", "0.2", "0.2"]).verdict == "confirmed"
    assert changed(8, "weights", ["0.60", "0.20", "0.20"]).verdict == "wrong"


def test_every_printed_line_has_a_judgement_for_each_number():
    for claim in claims().values():
        for line in claim.lines:
            assert len(line.agrees) == len(line.printed)
            assert len(line.computed) >= len(line.printed)
            assert bool(line.verdict) == bool(line.printed)
            assert not line.follows or len(line.follows) == len(line.printed)
        assert any(line.claimed for line in claim.lines)
        assert claim.source
