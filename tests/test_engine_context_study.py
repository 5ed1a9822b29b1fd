"""A model's attention on a text: recorded and computed, treated, measured, compared."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import EngineError
from engine.errors import ModelError, OptionError
from engine.experiments.context import recorded
from engine.experiments.context.endings import EndingsParams, compare_endings
from engine.experiments.context.focus import query_of, usual_query, word_place
from engine.experiments.context.layers import layers_of
from engine.experiments.context.record import rounded
from engine.experiments.context.sentences import CHINESE, PAIRS, RECORDED, pair_of
from engine.experiments.context.specials import WAYS, kept_places, keys_kept
from engine.experiments.context.study import Study, StudyParams, study
from engine.models.forward import run_model
from engine.models.loading import load
from tests import context_oracles as oracles
from tests import real_model
from tests.model_folders import write_model

ANIMAL, TROPHY, COUNCILMEN, ZH = PAIRS
WRONG = [None, 3, math.nan, b"text", ["text"]]


def made(tokens, special=(), *, seed=0, layers=2, heads=3, causal=False, text=None, extreme=False):
    """Return a study of generated weights; every token is a word of the text."""
    draw, T = np.random.default_rng(seed), len(tokens)
    scores = draw.normal(0, 2, (layers, heads, T, T))
    if causal:
        scores = np.where(np.tril(np.ones((T, T), bool)), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    if extreme:  # some rows look at special tokens alone
        keep = np.array([place in special for place in range(T)]) & (weights[:, 0] > 0)
        weights[:, 0] = np.where(keep | ~keep.any(axis=-1, keepdims=True), weights[:, 0], 0)
    weights /= weights.sum(axis=-1, keepdims=True)
    text = " ".join(tokens) if text is None else text
    flags = np.array([place in special for place in range(T)])
    ends = np.cumsum([len(token) + 1 for token in tokens])
    spans = [(0, 0) if flags[n] else (int(ends[n]) - len(tokens[n]) - 1, int(ends[n]) - 1)
             for n in range(T)]  # fmt: skip
    return Study(
        params=StudyParams(text=text),
        text=text,
        tokens=tuple(tokens),
        special=flags,
        unknown=np.zeros(T, bool),
        spans=tuple(spans),
        attention=weights.astype(np.float32),
        recorded=False,
        model_name="made",
        family="gpt2" if causal else "bert",
        version="",
        backend_name="numpy",
        precision="float32",
        seconds=0.0,
    )


def endings(first, second, **changes):
    """Compare two studies that are there already."""
    params = EndingsParams(first=first.text, second=second.text, **changes)
    kept = {first.text: first, second.text: second}
    return compare_endings(params, study=lambda asked: kept[asked.text])


# What was recorded.


@pytest.mark.parametrize("text", RECORDED)
def test_a_recorded_text_can_be_read_without_a_model(text):
    found = study(StudyParams(text=f" {text}\n"))
    T = len(found.tokens)
    assert found.recorded
    assert found.text == text
    assert found.length == T
    assert found.attention.shape == (6, 12, T, T)
    assert (found.layers, found.heads) == (6, 12)
    assert found.attention.dtype == np.float32
    assert not found.attention.flags.writeable
    np.testing.assert_allclose(found.attention.sum(axis=-1, dtype=np.float64), 1, atol=1e-6)
    assert [found.tokens[place] for place in np.flatnonzero(found.special)] == ["[CLS]", "[SEP]"]
    for token, special, unknown, (start, end) in zip(
        found.tokens, found.special, found.unknown, found.spans, strict=True
    ):
        assert unknown == (token == "[UNK]")
        if not special and not unknown:
            assert text[start:end].lower() == token.removeprefix("##")


def test_the_record_is_what_the_model_gives():
    model, about = load(str(real_model.folder())), recorded.record()
    assert (about.version, about.family) == (model.version, "bert")
    for text in RECORDED:
        encoded, found = model.encode(text), about.texts[text]
        assert encoded.pieces == found.tokens
        assert encoded.spans == found.spans
        np.testing.assert_array_equal(encoded.special, found.special)
        np.testing.assert_array_equal(encoded.unknown, found.unknown)
        passed = run_model(model.config, model.parameters, encoded.ids, backend="numpy")
        np.testing.assert_allclose(passed.attention, found.attention, rtol=0, atol=1e-5)


def test_a_record_is_read_as_it_was_written(tmp_path):
    first = recorded.record().texts[CHINESE]
    small = replace(first, attention=first.attention[:1, :2], effects=first.effects[:, :1])
    record = replace(recorded.record(), texts={"a": small, "它": first})
    for name in ("one.npz", "other.npz"):
        recorded.write_record(tmp_path / name, record)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "other.npz").read_bytes()
    again = recorded.read_record(tmp_path / "one.npz")
    assert replace(again, texts={}) == replace(record, texts={})
    for text, read in again.texts.items():
        for name in recorded.RecordedText.__dataclass_fields__:
            np.testing.assert_array_equal(getattr(read, name), getattr(record.texts[text], name))


def test_the_record_is_small():
    assert recorded.DATA_FILE.stat().st_size < 2_000_000


@given(st.lists(st.floats(0, 2, width=32), min_size=1))
def test_effects_are_kept_to_a_hundred_thousandth(numbers):
    given_ = np.array([*numbers, math.nan], np.float32)
    kept = rounded(given_)
    np.testing.assert_array_equal(np.isnan(kept), np.isnan(given_))
    normal = given_[:-1] > 1e-37
    np.testing.assert_allclose(kept[:-1][normal], given_[:-1][normal], rtol=1e-5)


def test_pairs_differ_in_one_piece_and_hold_their_words():
    for pair in PAIRS:
        first, second = (study(StudyParams(text=text)) for text in (pair.first, pair.second))
        assert sum(a != b for a, b in zip(first.tokens, second.tokens, strict=True)) == 1
        for each in (first, second):
            places = [word_place(each, word) for word in (pair.query, pair.one, pair.other)]
            assert None not in places
            assert len(set(places)) == 3
            assert pair_of(each.text) == pair
    assert pair_of(ANIMAL.first, TROPHY.second) is None
    # Both adjectives of the texts' own sentence in Chinese are no pieces of this model.
    unknown = study(StudyParams(text=CHINESE))
    assert unknown.unknown[-4]
    assert CHINESE[-3] == "累"
    assert unknown.unknown.sum() > 10


# What is refused.


@pytest.mark.parametrize("name", ["model", "version", "text"])
@pytest.mark.parametrize("value", WRONG)
def test_what_is_no_text_is_refused(name, value):
    with pytest.raises(OptionError, match="must be text"):
        study(replace(StudyParams(), **{name: value}))


def test_other_text_needs_a_model(tmp_path):
    with pytest.raises(ModelError, match="load a model"):
        study(StudyParams(text="The animal."))
    with pytest.raises(ModelError):
        study(StudyParams(model=str(tmp_path / "none")))
    with pytest.raises(ModelError, match="Version 123"):
        study(StudyParams(version="123"))
    version = recorded.record().version
    assert study(StudyParams(version=version)).version == version


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_a_model_reads_any_text(family, backend, tmp_path):
    folder = str(write_model(tmp_path / family, family))
    shares: list[float] = []
    found = study(StudyParams(folder, "", "the animal"), backend=backend, progress=shares.append)
    model = load(folder)
    encoded = model.encode("the animal")
    passed = run_model(model.config, model.parameters, encoded.ids, backend=backend)
    np.testing.assert_array_equal(found.attention, passed.attention)
    assert found.tokens == encoded.pieces
    assert found.causal == (family == "gpt2")
    assert not found.recorded
    assert found.backend_name == backend.name
    assert found.precision == "float32"
    assert found.model_name == family
    assert shares[-1] == 1
    assert shares == sorted(shares)
    again = StudyParams(folder, found.version, "the animal")
    assert study(again, backend=backend).version == model.version
    with pytest.raises(ModelError, match="is wanted"):
        study(replace(again, version="0" * 12), backend=backend)
    with pytest.raises(EngineError):
        study(StudyParams(folder, "", ""), backend=backend)


# Special tokens.

SIZES = st.integers(1, 7)


@given(SIZES, st.sets(st.integers(0, 6)), st.integers(0, 99), st.booleans(), st.booleans())
def test_special_tokens_are_treated_as_loops_do(T, special, seed, causal, extreme):
    read = made("abcdefg"[:T], special, seed=seed, causal=causal, extreme=bool(extreme and special))
    for way in WAYS:
        if way != "shown" and read.special.all():
            with pytest.raises(OptionError, match="show them"):
                kept_places(read, way)
            continue
        kept, layers = kept_places(read, way), layers_of(read, way)
        found = keys_kept(read.attention[:, :, kept], kept, way)
        for layer, head in np.ndindex(2, 3):
            matrix = read.attention[layer, head]
            places, rows = oracles.treated(matrix, read.special, way)
            assert kept.tolist() == places
            np.testing.assert_allclose(found[layer, head], rows, atol=1e-6)
            looked = oracles.looked(matrix, read.special, way)
            for measure, expected in zip(
                (layers.distance, layers.diagonal, layers.special_share), looked, strict=True
            ):
                assert measure[layer, head] == pytest.approx(expected, abs=1e-6)
        even = oracles.looked(oracles.even(T, causal), read.special, way)
        levels = (layers.even_distance, layers.even_diagonal, layers.even_special_share)
        assert levels == pytest.approx(even, abs=1e-12)
        np.testing.assert_allclose(layers.mean_distance, layers.distance.mean(axis=1), atol=1e-12)


def test_a_row_with_nothing_left_stays_empty():
    rows = np.array([[1, 0, 0, 0], [0.5, 0.125, 0.125, 0.25]])
    found = keys_kept(rows, np.array([1, 2, 3]), "renormalised")
    assert found.tolist() == [[0, 0, 0], [0.25, 0.25, 0.5]]


@pytest.mark.parametrize("way", ["", "Hidden", None, 3, math.nan, "x" * 1000])
def test_there_are_three_ways(way):
    with pytest.raises(OptionError, match="shown, hidden or renormalised") as caught:
        kept_places(made("ab"), way)
    assert len(str(caught.value)) < 200
    with pytest.raises(OptionError):
        layers_of(made("ab"), way)
    with pytest.raises(OptionError):
        compare_endings(EndingsParams(specials=way))


def test_the_distances_of_the_animal_are_those_of_the_list_of_claims():
    found = layers_of(study(StudyParams()))
    assert found.mean_distance.round(1).tolist() == [4.8, 5.4, 5.8, 6.0, 6.2, 6.0]


# Which token is looked at.


@pytest.mark.parametrize(
    ("text", "word"),
    [(pair.first, pair.query) for pair in PAIRS]
    + [("a fit man said he saw it", "he"), ("It was", "It"), ("no pronoun", "no"), (CHINESE, "它")]
    + [(", no pronoun", "no"), (", ; !", ","), ("Its it", "Its")],
)
def test_the_pronoun_is_looked_at_first(text, word):
    read = study(StudyParams(text=text)) if text in RECORDED else made(text.split())
    place = usual_query(read)
    start, end = read.spans[place]
    assert read.text[start:end] == word
    assert query_of(read, 0) == place
    assert query_of(read, read.length) == read.length - 1


def pieces(text):
    """Return a study whose tokens are the pieces that | sets apart, white space before them."""
    parts = text.split("|")
    ends = np.cumsum([len(part) for part in parts]).tolist()
    spans = [(end - len(part), end) for end, part in zip(ends, parts, strict=True)]
    return replace(made(parts, text="".join(parts)), spans=tuple(spans))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Her|acles| fought|;| he| won", 4),
        ("Him|ala|ya| and| it", 4),
        ("It|z|ha|k| gave| it", 5),
        ("Is| it|2| it", 3),
        ("it|é| it", 2),
        ("F|it|;| it", 3),
        ("I|t| it", 0),
        ("it|'|s", 0),
        (" them|selves", 0),
        ("a| th|ey|re| it", 4),
        ("是|it|的", 1),
        ("其|它|人|说|它|好", 4),
        ("其|他|的|，|他|们", 4),
        ("吉|他|是|她|的", 3),
        ("他|人|说|它", 3),
        ("看|他|们", 1),
        ("把|它|们|吃|了", 1),
        ("其|他|吉|他", 0),
    ],
)
def test_a_piece_of_a_name_is_no_pronoun(text, place):
    assert usual_query(pieces(text)) == place


@pytest.mark.parametrize(
    ("text", "word", "place"),
    [
        ("fit|é| it", "fit", None),
        ("it|2| it", "it", 2),
        ("it|é| it", "it", 2),
        ("那|奖|杯|大", "奖杯", 1),
    ],
)
def test_a_word_ends_where_no_letter_or_digit_follows(text, word, place):
    assert word_place(pieces(text), word) == place


@pytest.mark.parametrize(
    ("text", "causal", "place"),
    [
        ("the| cat| sat", False, 0),
        ("the| cat| sat", True, 2),
        ("the| cat| sat|.", True, 2),
        ("the| cat|,| it| sat", True, 3),
        ("It| was| here", False, 0),
        ("It| was| here", True, 2),
        ("It| was| it| here", True, 2),
        ("It", True, 0),
        ("I|t| was", True, 2),
        ("!|;", True, 1),
    ],
)
def test_what_is_looked_at_sees_more_than_itself(text, causal, place):
    read = pieces(text)
    assert usual_query(replace(read, family="gpt2") if causal else read) == place


def test_candidates_are_words_where_there_are_two():
    for tokens, words in (("q,ab!", True), ("q,a!;", False)):
        first, second = (made([*tokens, end], seed=n) for n, end in enumerate("XY"))
        found = endings(first, second, query=1)
        assert {first.tokens[each[0]] for each in (found.one, found.other)} <= set(tokens) - {"q"}
        if words:
            assert {first.tokens[each[0]] for each in (found.one, found.other)} == {"a", "b"}


def test_the_first_token_is_taken_where_all_are_special():
    assert usual_query(made("ab", {0, 1})) == 0
    assert usual_query(made("ab", {0})) == 1
    assert word_place(made(["fit", "it"]), "it") == 1
    assert word_place(made(["fit", "iter"]), "it") is None


@pytest.mark.parametrize("query", [-1, 17, 1.0, "1", "", None, True, math.nan, 10**400])
def test_a_position_that_is_not_there_is_refused(query):
    with pytest.raises(OptionError, match="whole number from 0 to 16"):
        query_of(study(StudyParams()), query)
    for name in ("query", "one", "other"):
        with pytest.raises(OptionError, match="whole number from 0 to 16"):
            compare_endings(EndingsParams(**{name: query}))


# Two endings.


def test_the_animal_turns_in_the_head_of_the_list_of_claims():
    """The numbers come from transformers: see claim 19."""
    found = compare_endings(EndingsParams())
    assert [found.first.tokens[place[0]] for place in (found.query, found.one, found.other)] == [
        "it",
        "animal",
        "street",
    ]
    assert found.most_turned == (4, 0)
    assert found.turned.sum() == 11
    weights = found.rows[:, 4, 0][:, [2, 8]]
    assert weights.round(3).tolist() == [[0.100, 0.082], [0.047, 0.188]]
    assert found.same_places
    assert not found.automatic
    assert found.first_layer_difference < 1e-6 < np.abs(np.diff(found.log_ratio, axis=0)).max()
    assert not found.turned[0].any()
    assert found.movement[found.most_moved] == pytest.approx(0.45266676, abs=1e-5)
    back = compare_endings(EndingsParams(first=ANIMAL.second, second=ANIMAL.first))
    np.testing.assert_allclose(back.movement, found.movement, atol=1e-12)
    np.testing.assert_array_equal(back.preference, found.preference[::-1])


def test_no_head_need_turn():
    found = compare_endings(EndingsParams(first=TROPHY.first, second=TROPHY.second))
    assert not found.turned.any()
    assert found.most_turned is None
    assert found.movement.max() == found.movement[found.most_moved] > 0.1


WORDS = st.lists(st.sampled_from("abc,"), max_size=4)


@given(WORDS, WORDS, WORDS, WORDS, st.sampled_from(WAYS), st.integers(0, 99), st.booleans())
def test_endings_are_compared_as_loops_do(begin, middle, changed, end, way, seed, causal):
    tokens = [["[", *begin, *each, *end, "]"] for each in (middle, changed)]
    texts = [
        made(each, {0, len(each) - 1}, seed=seed + n, causal=causal, text=f"{' '.join(each)} {n}")
        for n, each in enumerate(tokens)
    ]
    pairs = oracles.shared(*tokens)
    try:
        found = endings(*texts, specials=way)
    except OptionError as refused:
        plain = [i for i, _ in pairs if not texts[0].special[i]]
        visible = [i for i in plain if not causal or i < plain[0]]  # with causal: before the first
        few = len(plain) < 3 if not causal else len(visible) < 2
        assert tokens[0] == tokens[1] or few, refused
        return
    kept = [pair for pair in pairs if way == "shown" or not texts[0].special[pair[0]]]
    assert list(found.shared) == kept
    assert found.query in kept
    assert found.automatic
    i, j = found.query
    still = causal and tokens[0][: i + 1] == tokens[1][: j + 1]
    assert (found.most_moved is None) == still
    assert (tokens[0][i] == ",") <= ({tokens[0][place] for place, _ in kept} <= {",", "[", "]"})
    rises = dict.fromkeys(kept, 0.0)
    for layer, head in np.ndindex(2, 3):
        row, other = (
            oracles.row_of(text.attention[layer, head], text.special, way, found.query[n])
            for n, text in enumerate(texts)
        )
        at = (layer, head)
        np.testing.assert_allclose(found.rows[0][at], [row[i] for i, _ in kept], atol=1e-6)
        np.testing.assert_allclose(found.rows[1][at], [other[j] for _, j in kept], atol=1e-6)
        assert found.movement[at] == pytest.approx(oracles.movement(row, other, pairs), abs=1e-6)
        for n, weights in enumerate((row, other)):
            one, two = weights[found.one[n]], weights[found.other[n]]
            assert found.preference[n][at] == pytest.approx(one - two, abs=1e-6)
            assert found.log_ratio[n][at] == pytest.approx(math.log(one / two), abs=1e-4)
        for i, j in kept:
            rises[i, j] += other[j] - row[i]
        a, b = found.preference[0][at], found.preference[1][at]
        assert found.turned[at] == (a * b < 0 and not still)
    free = {pair: rise for pair, rise in rises.items()
            if not texts[0].special[pair[0]] and pair != found.query
            and (not causal or pair[0] <= found.query[0])}  # fmt: skip
    words = {pair: rise for pair, rise in free.items() if tokens[0][pair[0]] != ","}
    free = words if len(words) >= 2 else free
    assert rises[found.one] == pytest.approx(min(free.values()), abs=1e-5)
    assert rises[found.other] == pytest.approx(max(free.values()), abs=1e-5)
    if found.turned.any():
        change = np.abs(found.preference[0] - found.preference[1])
        assert change[found.most_turned] == change[found.turned].max()


def test_tokens_that_are_named_are_compared():
    first, second = made("abXcde", text="1"), made("abYYcde", text="2", seed=5)
    found = endings(first, second, query=6, one=1, other=4)
    assert (found.query, found.one, found.other) == ((5, 6), (0, 0), (3, 4))
    assert not found.same_places
    assert not found.automatic
    half = endings(first, second, query=6, one=1)
    assert half.one == (0, 0)
    assert half.other not in (half.one, half.query)
    assert half.automatic
    # In a pair that is known, what is named goes before its words.
    named = compare_endings(EndingsParams(one=3, other=7))
    assert (named.one, named.other) == ((2, 2), (6, 6))
    street = compare_endings(EndingsParams(one=9))  # it would be the other one
    assert street.one == (8, 8) != street.other
    assert street.automatic


def test_what_rounding_alone_turns_does_not_count():
    first, second = made("abX", text="1"), made("abY", text="2")
    for read, sign in ((first, 1), (second, -1)):
        weights = np.full((2, 3, 3, 3), 1 / 3)
        weights[0, 0, 0] += np.array([sign, -sign, 0]) * 1e-7
        weights[1, 2, 0] += np.array([sign, -sign, 0]) * 1e-2
        object.__setattr__(read, "attention", weights.astype(np.float32))
    found = endings(first, second, query=1, one=1, other=2)
    assert np.argwhere(found.turned).tolist() == [[1, 2]]
    assert found.most_turned == (1, 2)


def test_a_weight_of_zero_has_no_ratio():
    first, second = made("abcX", text="1"), made("abcY", text="2")
    weights = first.attention.copy()
    weights[:, :, 0, 1] = 0
    found = endings(replace(first, attention=weights), second, query=1, one=2, other=3)
    assert np.isnan(found.log_ratio[0]).all()
    assert np.isfinite(found.log_ratio[1]).all()
    # The first text prefers the second of them wherever the first has no weight at all.
    np.testing.assert_array_equal(found.turned, second.attention[:, :, 0, 1:3] @ [1, -1] > 0)
    assert found.turned.any()
    assert math.isnan(found.first_layer_difference)


@pytest.mark.parametrize(
    ("before", "after", "turned"),
    [
        ((0.0, 3e-45), (5e-12, 0.0), True),
        ((0.0, 3e-45), (0.0, 5e-12), False),
        ((0.0, 0.0), (5e-12, 0.0), False),
        ((0.3, 1e-30), (1e-44, 0.2), True),
        ((0.3, 1e-30), (0.2, 1e-44), False),
    ],
)
def test_weights_too_small_for_a_ratio_still_have_an_order(before, after, turned):
    texts = []
    for n, pair in enumerate((before, after)):
        read = made("abcX" if n == 0 else "abcY", text=str(n))
        weights = read.attention.copy()
        weights[:, :, 0, 1:3] = pair
        texts.append(replace(read, attention=weights))
    found = endings(*texts, query=1, one=2, other=3)
    assert found.turned.all() == found.turned.any() == turned
    assert np.isnan(found.log_ratio).any()
    assert math.isnan(found.first_layer_difference)


def test_little_movement_is_told_from_none():
    first, second = made("abcX", text="1"), made("abcY", text="2")
    for share in (2.3e-5, 1e-7):
        weights = first.attention.copy()
        weights[1, 2, 0, :2] = 0.25 + share, 0.25 - share
        base = first.attention.copy()
        base[1, 2, 0, :2] = 0.25
        found = endings(replace(first, attention=base), replace(second, attention=weights),
                        query=1, one=2, other=3)  # fmt: skip
        assert found.most_moved == ((1, 2) if share > 1e-6 else None)
        assert 1e-6 < found.movement_rounding < 2e-5


def test_what_comes_later_moves_nothing_in_a_causal_model(backend, tmp_path):
    folder = str(write_model(tmp_path / "gpt2", "gpt2"))
    for second, query, pair, still in (
        ("the it an an it the it", 3, (1, 2), True),
        ("the an an it", 4, (1, 3), False),
    ):
        params = EndingsParams(folder, "", "the it an it", second, query, *pair)
        found = compare_endings(params, backend=backend)
        assert (found.most_moved is None) == still
        assert (found.movement.max() <= found.movement_rounding) == still
        assert not (still and found.turned.any())


@pytest.mark.parametrize(
    ("first", "second", "changes", "sentence"),
    [
        ("abc", "abc", {}, "same pieces"),
        ("abX", "abY", {}, "share two more tokens"),
        ("Xab", "Yac", {}, "share no token"),
        ("abcX", "abcY", {"query": 4}, "both texts share"),
        ("abcX", "abcY", {"one": 4}, "both texts share"),
        ("abcX", "abcY", {"one": 2, "other": 2}, "two tokens"),
    ],
)
def test_texts_that_cannot_be_compared_are_refused(first, second, changes, sentence):
    with pytest.raises(OptionError, match=sentence):
        endings(made(first, text="1"), made(second, text="2"), **changes)


def test_hidden_tokens_are_not_compared_and_later_ones_not_seen():
    first, second = (made(each, {0}, text=each) for each in ("sabcX", "sabcY"))
    assert endings(first, second, one=1).one == (0, 0)
    with pytest.raises(OptionError, match="not hidden"):
        endings(first, second, one=1, specials="hidden")
    causal = [replace(each, family="gpt2") for each in (first, second)]
    with pytest.raises(OptionError, match="before it"):
        endings(*causal, query=3, one=2, other=4)
    assert endings(*causal, query=4, one=2, other=3).other == (2, 2)


def test_two_texts_are_two_halves_of_the_work():
    shares: list[float] = []
    compare_endings(EndingsParams(), progress=shares.append)
    assert shares == [0.5, 1.0]
