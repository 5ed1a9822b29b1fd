"""What the page on the square root of d_k shows in place of what is not there, or does not fit."""

from __future__ import annotations

import pytest

from pages.text.scaling_readings import with_error
from pages.ui.scaling.gradient import LONGEST, ratio_words
from tests.navigation import after_the_first_visit
from tests.open_pages import SCALING, open_page, words


@pytest.fixture(autouse=True)
def navigation_has_run():
    with after_the_first_visit():
        yield


def text_of(address: dict[str, str]) -> str:
    return " ".join(words(open_page(SCALING, **address))).replace("$", "")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ({"d_k": "4, 16", "width": "3"},
         "d_k = 3 is not in the list; the distribution shown is that of d_k = 16."),
        ({"d_k": "4, 16", "width": "4"}, ""),
        ({"d_k": "4, 16"}, ""),
        ({"tab": "gradient", "head_d_k": "4", "T": "5", "row": "9"},
         "There is no row 9 among 5 tokens; the Jacobian shown is that of row 1."),
        ({"tab": "gradient", "head_d_k": "4", "T": "5", "row": "5"}, ""),
    ],
)  # fmt: skip
def test_a_choice_that_is_not_there_is_said_to_give_way(address, said):
    text = text_of(address)
    assert said in text
    assert ("not in the list" in text or "There is no row" in text) == bool(said)


def test_the_slider_says_the_temperature_that_the_figure_uses():
    app = open_page(SCALING, tab="saturation", temperature="0.123456789", d_k="16")
    (slider,) = app.select_slider
    assert slider.value == 0.123456789
    assert "0.123456789" in slider.options


@pytest.mark.parametrize(
    ("ratio", "error"),
    [(9.1, 1.3), (1.199, 0.044), (0.99912, 0.00054), (1.2e-4, 4.5e-5), (3e-12, 5e-12),
     (8.7e-10, 8.7e-10), (1.0, 0.0), (31.2, 11.9), (123.4, 0.012)],
)  # fmt: skip
def test_a_ratio_and_its_error_fit_their_tile(ratio, error):
    said, below = ratio_words(ratio, error)
    assert max(len(said), len(below)) <= LONGEST
    assert (below == "") == (said == with_error(ratio, error))
    assert float(said.split("\xa0")[0].replace("−", "-")) == pytest.approx(ratio, rel=0.2)
