"""The ledger as figures: every claim in its row, nothing lost, nothing over anything else."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, get_args

import altair as alt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.finding import VERDICTS, Finding, Value
from engine.experiments.claims.ledger import LedgerResult
from pages.figures.canvas import Canvas
from pages.figures.claims.ledger import PARTS, Part, ledger_figure
from pages.figures.claims.lines import draw_line
from pages.figures.claims.rows import SIZES, Entry, Rows
from pages.figures.claims.verdicts import COLOURS, SIGNS, badge, scaled
from pages.figures.figure import Figure, LanguageCode, SizeName, Style, ThemeName
from pages.figures.measure import has_wide
from pages.figures.palette import contrast, theme
from pages.figures.typeset import line_width
from pages.gallery import ENTRIES
from pages.gallery.claims import IDEA, NAMES
from pages.text import translator
from pages.text.claims.every import WORDS
from pages.text.claims.model import VERDICT_WORDS
from tests.claims_found import ALONE, nothing_yet, whole, with_findings
from tests.figure_marks import Box, boxes, fonts, frame, real_width, texts

OUTPUTS, LANGUAGES, THEMES = get_args(SizeName), get_args(LanguageCode), get_args(ThemeName)
# A symbol is drawn in parts, and a power of ten with digits of the usual height.
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789")
WORD = re.compile(r"[^\s_^−⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
T = translator("en")
FULL_REFUSAL: dict[str, Value] = {
    "reason": "{way} needs {bytes} bytes, and {free} are free.",
    "way": "dot",
    "bytes": 10**9,
    "free": 10**6,
}


@lru_cache(maxsize=4)
def ledger(case: str) -> LedgerResult:
    refused = Finding(22, "open", FULL_REFUSAL, "refused")
    return {
        "whole": whole,
        "nothing": nothing_yet,
        "refused": lambda: with_findings(refused),
    }[case]()


@lru_cache(maxsize=64)
def drawn(part: Part, style: Style, case: str = "whole") -> Figure:
    return ledger_figure(ledger(case), style, part)


def words_in(figure: Figure) -> str:
    """Return every character of a figure from the top, without what only parts lines."""
    rows = sorted(texts(figure.spec), key=lambda box: (round(box.top), box.left))
    return squeezed("".join(box.text for box in rows))


def squeezed(text: str) -> str:
    return re.sub(r"[\s_^]", "", text)


def shown_claims(part: Part) -> list[int]:
    return [claim.number for claim in CLAIMS if part[0] <= claim.number <= part[1]]


# The rows ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", OUTPUTS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", ["whole", "nothing", "refused"])
def test_nothing_leaves_its_room_or_stands_over_anything_else(size, language, case):
    style = Style(size=size, language=language)
    for part in PARTS:
        spec = drawn(part, style, case).spec
        shown = texts(spec)
        assert min(box.size for box in shown) >= (12 if size == "screen" else 18)
        room = _room(spec, size)
        for box in boxes(spec):
            assert box.inside(room if _of_a_row(box, spec) else frame(spec)), box
        assert not _overlaps(shown), part


def _room(spec: dict[str, Any], size: SizeName) -> Box:
    if size == "screen":
        return frame(spec)
    left, top, width, height = spec["usermeta"]["frame"]["body"]
    return Box(left, top, left + width, top + height)


def _of_a_row(box: Box, spec: dict[str, Any]) -> bool:
    framed = [layer for layer in spec["layer"] if layer.get("name") in ("title", "bar", "caption")]
    return box not in boxes({**spec, "layer": framed})


def _overlaps(shown: list[Box]) -> list[tuple[str, str]]:
    """Return texts that cover each other; parts of one symbol touch."""
    return [
        (a.text, b.text)
        for place, a in enumerate(shown)
        for b in shown[:place]
        if a.meets(b, slack=4.0) and max(len(a.text), len(b.text)) > 2
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", OUTPUTS)
def test_every_claim_stands_in_its_row_with_verdict_and_number(size, language):
    t, result = translator(language), ledger("whole")
    seen: list[int] = []
    for part in PARTS:
        figure = drawn(part, Style(size=size, language=language))
        numbers = [box for box in texts(figure.spec) if box.text in map(str, shown_claims(part))]
        rows = sorted((box for box in numbers if box.right < 110), key=lambda box: box.top)
        assert [int(box.text) for box in rows] == shown_claims(part)
        seen += shown_claims(part)
        said = words_in(figure)
        for claim in shown_claims(part):
            finding, words = result.finding(claim), WORDS[claim]
            assert _parts_in(t(words.short), figure)
            verdict = finding.verdict if finding else "open"
            assert squeezed(t(VERDICT_WORDS[verdict].word)) in said
            assert finding is None or _parts_in(words.number_of(finding, t), figure)
    assert seen == [*range(1, 26)]


def _parts_in(text: str, figure: Figure) -> bool:
    """Return whether every word of a text is drawn; a line of Chinese may end within one."""
    drawn_words = " ".join(box.text for box in texts(figure.spec))
    if has_wide(text):
        return not Counter(squeezed(text.translate(LOWERED))) - Counter(squeezed(drawn_words))
    return all(word in drawn_words for word in WORD.findall(text))


@given(
    claims=st.lists(st.text("Mm i_k0", min_size=1, max_size=56), min_size=1, max_size=7),
    measured=st.text("0123456789.; ×±", max_size=56),
    size=st.sampled_from(OUTPUTS),
    verdict=st.sampled_from(VERDICTS),
)
@settings(max_examples=60, deadline=None)
def test_long_words_keep_to_their_rows(claims, measured, size, verdict):
    style = Style(size=size)
    drawn_badge = badge(verdict, style, T)
    entries = [Entry(n, text, drawn_badge, measured) for n, text in enumerate(claims, 1)]
    room = None if size == "screen" else 500.0
    rows = Rows(entries, style, T, room)
    heights = rows.heights
    assert room is None or rows.height <= room + 1e-6
    assert min(heights) > 0
    canvas = Canvas(SIZES[size].total, rows.height, style.colours, 18 if size != "screen" else 12)
    rows.draw(canvas, 0.0, 0.0)
    assert all(box.bottom <= rows.height + 0.5 for box in texts(canvas.spec("")))


def test_rows_are_even_where_that_is_enough():
    style = Style(size="slide")
    mark = badge("wrong", style, T)
    rows = Rows([Entry(n, "short", mark, "0") for n in range(1, 8)], style, T, 470.0)
    assert len(set(rows.heights)) == 1
    assert rows.font == max(SIZES["slide"].fonts)
    many = Rows([Entry(n, "long " * 16, mark, "0") for n in range(1, 8)], style, T, 470.0)
    assert many.font < rows.font


# Lines -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["The variance of q·k", "0.449; (0.660, 1.670)", "T × T, −1"])
def test_a_line_is_as_wide_as_in_the_font(text):
    liberation = [font for font in fonts(20) if "Liberation" in str(font.getname())]
    if not liberation:
        pytest.skip("the font made to the measure of Helvetica is not here")
    assert line_width(text, 20) == pytest.approx(liberation[0].getlength(text), rel=0.04)


def written(text: str) -> list[Box]:
    """Return what a line is made of, from left to right."""
    canvas = Canvas(600, 40, theme("light"))
    draw_line(canvas, 10.0, 20.0, text, 16, "#000000")
    return sorted(texts(canvas.spec("")), key=lambda box: box.left)


def test_words_and_symbols_follow_each_other_from_the_edge():
    shown = written("grows like d_k from 16 on")
    assert [box.text for box in shown] == ["grows", "like", "d", "k", "from 16 on"]
    assert shown[0].left == 10
    for before, after in pairwise(shown):
        assert -2 < after.left - before.right < 8, (before.text, after.text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", OUTPUTS)
def test_an_index_is_smaller_than_the_text_beside_it(size, language):
    """No text of a sheet is below 18 pixels, so that the text has to be well above that."""
    raised = 0
    for part in PARTS:
        shown = texts(drawn(part, Style(size=size, language=language)).spec)
        written_at = {
            box.size for box in shown if box.text.startswith(("softmax", "d", "10", "−10"))
        }
        for box in shown:
            if box.text in ("k", "−16") or (box.text == "9" and box.left > 90):
                assert min(written_at - {box.size}) * 0.87 > box.size, box
                raised += 1
    assert raised >= 4


def test_a_line_of_chinese_has_no_gap_before_its_symbol():
    shown = written("不缩放时，softmax 从 d_k = 16 起")
    assert [box.text for box in shown] == ["不缩放时，softmax", "从", "d", "k", "= 16 起"]
    for before, after in pairwise(shown):
        assert after.left - before.right < 8, (before.text, after.text)


def test_a_line_without_symbols_is_one_text():
    assert [box.text for box in written("1.1 × 2 of 3²")] == ["1.1 × 2 of 3²"]


def test_a_power_of_ten_needs_no_raised_digits_of_the_font():
    shown = written("6 × 10⁻¹⁶ of 3²")
    assert "".join(box.text for box in shown) == "6×10−16of 3²"
    base = next(box for box in shown if box.text == "of 3²")
    for box in shown:
        raised = box.text == "−16"
        assert (box.bottom < base.bottom - 2) == raised, box


# Verdicts ----------------------------------------------------------------------------------


def test_verdicts_are_told_apart_without_colour():
    assert set(SIGNS) == set(VERDICTS)
    assert len(set(SIGNS.values())) == len(VERDICTS)
    assert len({T(words.word) for words in VERDICT_WORDS.values()}) == len(VERDICTS)
    assert len({words.icon for words in VERDICT_WORDS.values()}) == len(VERDICTS)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_sign_stays_in_its_square(verdict):
    drawn = re.findall(r"[A-Za-z][^A-Za-z]*", SIGNS[verdict])
    for command in (each for each in drawn if each[0] in "MLC"):
        points = [abs(float(each)) for each in re.findall(r"-?[\d.]+", command)]
        assert max(points) <= 8


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_verdict_can_be_read_on_its_ground(name, verdict):
    drawn_badge = badge(verdict, Style(theme=name), T)
    assert contrast(drawn_badge.colour, drawn_badge.fill) >= 4.5
    assert contrast(drawn_badge.colour, theme(name).background) >= 4.5
    assert set(COLOURS["light"]) == set(COLOURS["dark"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_badge_holds_its_word(verdict, language):
    drawn_badge = badge(verdict, Style(language=language), translator(language))
    assert 18 * 1.75 + real_width(drawn_badge.word, 18) < drawn_badge.width(18)


def test_a_path_is_scaled_number_by_number():
    assert scaled("M-6,0L2.5,-5h14z", 2) == "M-12.00,0.00L5.00,-10.00h28.00z"


# What belongs to a figure ------------------------------------------------------------------


def test_the_parts_are_all_claims_and_their_titles_say_which():
    numbers = [number for part in PARTS for number in range(part[0], part[1] + 1)]
    assert numbers == [claim.number for claim in CLAIMS]
    for (first, last), title in PARTS.items():
        assert re.findall(r"\d+", title) == [str(first), str(last)]
    assert [ENTRIES[name].title for name in NAMES.values()] == list(PARTS.values())
    assert [entry.name for entry in IDEA.entries] == [f"claims-{n}" for n in (1, 2, 3, 4, 5)]


def test_the_table_has_every_number_at_full_precision():
    result = ledger("whole")
    rows = [row for part in PARTS for row in drawn(part, Style()).table.rows]
    assert {row[0] for row in rows} == {*range(1, 26)}
    found = {(row[0], row[3]): row[4] for row in rows}
    assert found[16, "free"] == ALONE[16].values["free"]
    assert found[1, "deviations 2"] == 7.98730210
    bare = [row for part in PARTS for row in drawn(part, Style(), "nothing").table.rows]
    assert [row[0] for row in bare] == [*range(1, 26)]
    assert {(row[3], row[4]) for row in bare} == {("", "")}
    for finding in result.findings:
        count = sum(len(v) if isinstance(v, tuple) else 1 for v in finding.values.values())
        assert sum(row[0] == finding.claim for row in rows) == count


def test_a_figure_is_a_valid_specification():
    alt.Chart.from_dict(drawn((11, 15), Style(size="slide", theme="dark")).spec, validate=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_says_what_measured_and_what_it_shows(language):
    for part in PARTS:
        figure = drawn(part, Style(size="slide", language=language))
        assert ledger("whole").device in figure.note
        assert figure.name == f"claims-{part[0]}-to-{part[1]}"
        for claim in shown_claims(part):
            assert translator(language)(WORDS[claim].short) in figure.alt


def test_another_verdict_is_drawn_in_another_way():
    changed = replace(ALONE[16], verdict="confirmed", case="free")
    before = drawn((16, 20), Style())
    after = ledger_figure(with_findings(*ALONE.values(), changed), Style(), (16, 20))
    assert words_in(before).count("Wrong") == words_in(after).count("Wrong") + 1
    assert before.table != after.table
