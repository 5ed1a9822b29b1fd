"""Documents: what is brought in is read or refused in words, what is taken away is true."""

import ast
import base64
import contextlib
import gettext
import html
import json
import math
import re
import subprocess
import sys
import time
import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import EngineError, NumberError, ShapeError
from engine.experiments import presets
from engine.experiments.worked_example import Params, run, validate
from pages.documents import csv_matrix, json_document, latex, link, markdown, numpy_code
from pages.documents.incoming import LARGEST_TEXT
from pages.documents.numerals import written
from pages.text import Translator, translator
from tests.worked_examples import ANY_FINITE, LABELS, by_hand, examples, matrices

ENGLISH = translator("en")
X = Params().x
SHAPE = (4, 4)
LEGEND = "T x d_model"
EXACT = examples(cells=ANY_FINITE, most=4, labels=LABELS)


def refusal(call, *arguments, kind=EngineError):
    with pytest.raises(kind) as caught:
        call(*arguments)
    text = str(caught.value)
    assert "\n" not in text
    assert len(text) < 300
    assert caught.value.template.format(**caught.value.values) == text
    return text


def bits(params):
    """Tell 0.0 from -0.0, which compare equal."""
    return repr(params)


# --- CSV ------------------------------------------------------------------------------


def separated(separator, *, end="\n"):
    return "".join(separator.join(f"{cell:g}" for cell in row) + end for row in X)


@pytest.mark.parametrize(
    "text",
    [
        separated(","),
        separated(";"),
        separated("\t"),
        separated(" "),
        separated("   "),
        separated(", "),
        separated(" ; "),
        separated("，"),
        separated(",", end="\r\n"),
        separated(",", end=",\n"),
        "\n\n" + separated(",") + "\n \n\r\n",
        "\ufeff" + separated(","),
        separated(",").encode(),
        b"\xef\xbb\xbf" + separated(";", end="\r\n").encode(),
        str([list(row) for row in X]),
        str(np.array(X)),
        separated(",").replace("1", '"1"'),
        separated(" ").replace("1", "１"),
    ],
)
def test_a_matrix_is_read_however_it_is_separated(text):
    assert csv_matrix.parse(text, "X", SHAPE, LEGEND) == X


@given(st.data())
def test_csv_keeps_every_bit(data):
    rows, columns = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 12))
    matrix = data.draw(matrices(rows, columns, ANY_FINITE))
    assert repr(csv_matrix.parse(csv_matrix.dump(matrix), "X", (rows, columns))) == repr(matrix)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "1,2,3,4,5\n" * 3,
            "X must be 4 x 4 (T x d_model); this text has 3 rows of 5.",
        ),
        ("", "X must be 4 x 4 (T x d_model); this text has no numbers."),
        (" \n\n", "this text has no numbers"),
        ("1 2 3 4\n1 2 3\n1 2 3 4\n1 2 3 4", "row 2 of this text has length 3"),
        ("[]", "this text has"),
    ],
)
def test_a_wrong_shape_is_named(text, says):
    assert says in refusal(csv_matrix.parse, text, "X", SHAPE, LEGEND, kind=ShapeError)


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("abc", "holds abc, which is not a number"),
        ("", "is empty"),
        ("NaN", "is NaN"),
        ("-inf", "is infinite"),
        ("1e999", "is too large"),
        ("True", "holds True"),
        ("1.2.3", "holds 1.2.3"),
        ("#REF!", "holds #REF!"),
    ],
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_bad_cell_is_named_by_its_place(cell, says, separator):
    rows = [["1", "2"], ["3", cell], ["5", "6"]]
    text = "\n".join(separator.join(row) for row in rows)
    said = refusal(csv_matrix.parse, text, "W_V", (3, 2), "", kind=NumberError)
    assert said.startswith("W_V, row 2, column 2 ")
    assert says in said


def test_a_decimal_comma_is_explained():
    said = refusal(csv_matrix.parse, "1;0,5\n2;3", "X", (2, 2), "", kind=NumberError)
    assert said == ("X, row 1, column 2 holds 0,5; write decimals with a point, such as 0.5.")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (separated(",").encode("utf-16"), "UTF-16"),
        ("é".encode("latin-1") + b",1", "byte 1"),
        (b"PK\x03\x04rest", "xlsx"),
        (b"1," * LARGEST_TEXT, "too large"),
        ("1," * LARGEST_TEXT, "too large"),
    ],
)
def test_files_that_are_no_text_are_refused(data, says):
    assert says in refusal(csv_matrix.parse, data, "X", SHAPE, LEGEND)


def test_a_long_cell_and_a_null_are_refused_in_words():
    refusal(csv_matrix.parse, "1," + "9" * 200_000, "X", (1, 2), "")
    refusal(csv_matrix.parse, "1,\0", "X", (1, 2), "")


@given(st.text() | st.text("0123456789.,;\t\n -[]\"'e"), st.none() | st.just((2, 2)))
@example('"', None)
@example('1,"2\n3', None)
def test_any_text_is_a_matrix_or_refused(text, shape):
    with contextlib.suppress(EngineError):
        assert csv_matrix.parse(text, "X", shape)


@given(st.binary())
def test_any_bytes_are_a_matrix_or_refused(data):
    with contextlib.suppress(EngineError):
        csv_matrix.parse(data, "X")


# --- JSON -----------------------------------------------------------------------------


@given(EXACT)
def test_json_keeps_every_bit(params):
    assert bits(json_document.load(json_document.dump(params))) == bits(params)


def test_json_is_laid_out_to_be_read():
    text = json_document.dump(replace(Params(), tokens=("词", "b", "c", "d")))
    assert '"program": "Attention Workbench"' in text
    assert '"词"' in text
    assert "    [1.0, 0.0, 1.0, 0.0],\n" in text


def edited(**members):
    document = json.loads(json_document.dump(Params()))
    return json.dumps(document | members)


def without(name):
    document = json.loads(json_document.dump(Params()))
    del document[name]
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a JSON document; reading stops at line 1, column 1"),
        ('{"program": ', "not a JSON document"),
        ("1,2\n3,4", "not a JSON document"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 10_000, "number too long"),
        ("null", "not saved by Attention Workbench"),
        ("[]", "not saved by Attention Workbench"),
        ('{"name": "package", "version": "1.0.0"}', "not saved by Attention Workbench"),
        (edited(program="Other"), "not saved by Attention Workbench"),
        (edited(kind="masks"), "holds masks, not a worked example"),
        (edited(kind=[[]]), "not a worked example"),
        (edited(version=2), "version 2"),
        (edited(version=True), "must be a whole number"),
        (edited(version="1"), "must be a whole number"),
        (without("version"), "version"),
        (without("w_q"), "no matrix W_Q"),
        (edited(w_k=None), "no matrix W_K"),
        (edited(x=[[1, 2], [3]]), "Every row of X"),
        (edited(x=[[1, 2, 3, "four"]] * 4), "X, row 1, column 4 holds four"),
        (edited(x=[[1, 2, 3, None]] * 4), "X, row 1, column 4 is empty"),
        (edited(x=[[1, 2, 3, True]] * 4), "holds true"),
        (edited(x=[[1, 2, 3, [4]]] * 4), "other than a number"),
        (edited(x={"rows": 4}), "X must be a table"),
        (edited(x=7), "X must be a table"),
        (edited(x=[[math.nan] * 4] * 4), "holds NaN"),
        (edited(x=[[-math.inf] * 4] * 4), "holds -Infinity"),
        (edited(x=[[10**400] * 4] * 4), "too large"),
        (edited(w_q=[[1, 0]] * 3), "W_Q must have one row"),
        (edited(tokens=["a"]), "labels of X must be 4, one for each row; got 1"),
        (edited(tokens="abcd"), "must be a list"),
        (edited(tokens=["a", 2, "c", "d"]), "X, row 2 must be text"),
        (edited(tokens=["\ud800", "b", "c", "d"]), "cannot be shown"),
        (edited(tokens=[["a"]] * 100_000), "too large"),
        (edited(tokens=["a"] * 65), "must be a list"),
        (edited(scaled="yes"), "scaled is a switch"),
        (edited(causal=[1]), "causal is a switch"),
        ("{" + " " * LARGEST_TEXT + "}", "too large"),
        (b"\xff\xfe{}", "UTF-16"),
    ],
)
def test_a_document_that_cannot_be_used_is_refused_in_one_sentence(text, says):
    said = refusal(json_document.load, text)
    assert says in said
    said.encode()


def test_numbers_as_text_and_whole_numbers_are_read():
    document = edited(x=[[" 1 ", "０", 1, "−0.5"]] * 4)
    assert json_document.load(document).x[0] == (1.0, 0.0, 1.0, -0.5)


def test_missing_labels_are_numbered():
    assert json_document.load(without("tokens")).tokens == ("x1", "x2", "x3", "x4")
    crossed = json.loads(json_document.dump(presets.with_context(Params(), 1, 2)))
    del crossed["context_tokens"]
    assert json_document.load(json.dumps(crossed)).context_tokens == ("c1", "c2")


def test_a_byte_order_mark_is_skipped():
    data = b"\xef\xbb\xbf" + json_document.dump(Params()).encode()
    assert json_document.load(data) == Params()


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=10,
)


@given(st.text() | JSON_VALUES.map(json.dumps))
def test_any_text_is_a_document_or_refused(text):
    with contextlib.suppress(EngineError):
        json_document.load(text)


@given(st.sampled_from([*json.loads(json_document.dump(Params()))]), JSON_VALUES)
def test_any_member_is_read_or_refused(name, value):
    with contextlib.suppress(EngineError):
        validate(json_document.load(edited(**{name: value})))


# --- links ----------------------------------------------------------------------------


@given(EXACT)
def test_links_keep_every_bit(params):
    text = link.encode(params)
    assert re.fullmatch(r"[A-Za-z0-9_-]+", text)
    assert bits(link.decode(text)) == bits(params)


def test_links_are_short_and_the_largest_fits():
    assert len(link.encode(Params())) < 20
    assert len(link.encode(replace(Params(), causal=True))) < 50
    assert len(link.encode(presets.random_example(1, 12, 12, 8, 8, S=12))) < 2000
    generator = np.random.default_rng(0)

    def noise(rows, columns):
        return tuple(map(tuple, generator.normal(scale=1e-300, size=(rows, columns)).tolist()))

    largest = Params(
        x=noise(12, 12),
        w_q=noise(12, 8),
        w_k=noise(12, 8),
        w_v=noise(12, 8),
        context=noise(12, 12),
        tokens=("🐈" * 12,) * 12,
        context_tokens=("词" * 12,) * 12,
    )
    text = link.encode(largest)
    assert len(text) < link.LONGEST_LINK
    assert link.decode(text) == largest


def packed(content: bytes) -> str:
    return "1" + base64.urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip("=")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "damaged"),
        ("2abc", "not made by this version"),
        ("1", "damaged"),
        ("1!!!", "damaged"),
        ("1词", "damaged"),
        ("1abcd", "damaged"),
        (link.encode(Params())[:-3], "damaged"),
        (link.encode(Params()) + "AAAA", "damaged"),
        (packed(b"[]"), "damaged"),
        (packed(b"{"), "damaged"),
        (packed(b"\xff"), "damaged"),
        (packed(b'{"x":[[NaN]]}'), "X, row 1, column 1"),
        (packed(b'{"x":null}'), "no matrix X"),
        (packed(b'{"x":[[1,2]]}'), "token labels of X must be 1"),
        (packed(b"[" * 60_000), "damaged"),
        ("1" * 20_000, "too long"),
    ],
)
def test_a_damaged_link_is_refused(text, says):
    assert says in refusal(link.decode, text)


def test_a_link_that_unpacks_to_gigabytes_is_refused_at_once():
    layer = zlib.compressobj(9)
    content = b"".join(layer.compress(b" " * 1_000_000) for _ in range(11)) + layer.flush()
    bomb = "1" + base64.urlsafe_b64encode(content).decode()
    assert len(bomb) < link.LONGEST_LINK
    start = time.process_time()
    assert "damaged" in refusal(link.decode, bomb)
    assert time.process_time() - start < 0.2


@given(st.text() | st.from_regex(r"1[A-Za-z0-9_-]*", fullmatch=True) | st.binary().map(packed))
def test_any_link_is_read_or_refused(text):
    with contextlib.suppress(EngineError):
        link.decode(text)


@given(EXACT, st.data())
@settings(max_examples=50)
def test_a_link_with_one_wrong_character_is_read_or_refused(params, data):
    text = link.encode(params)
    place = data.draw(st.integers(0, len(text) - 1))
    wrong = data.draw(st.sampled_from("AZaz09-_+/=. é"))
    with contextlib.suppress(EngineError):
        validate(link.decode(text[:place] + wrong + text[place + 1 :]))


# --- numbers --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "decimals", "cells", "exact"),
    [
        ((2.0, 1.0), 3, ("2", "1"), True),
        ((2.0, 0.5), 3, ("2.0", "0.5"), True),
        ((1.1 + 2.2, -0.3), 3, ("3.3", "-0.3"), True),  # 3.3000000000000003
        ((2.0, 1.41421356), 3, ("2.000", "1.414"), False),
        ((-0.0001, 1.0), 3, ("0.000", "1.000"), False),
        ((-0.0, 0.0), 3, ("0", "0"), True),
        ((-math.inf, 0.25), 3, ("-∞", "0.25"), True),
        ((0.125, 1.0), 2, ("0.12", "1.00"), False),
        ((1e300, 1.0), 2, ("1.00e300", "1.00"), True),
    ],
)
def test_a_matrix_is_rounded_as_on_screen_and_says_whether_it_is_exact(row, decimals, cells, exact):
    text = written([row], decimals)
    assert (text.cells, text.is_exact) == ((cells,), exact)


# --- NumPy code -----------------------------------------------------------------------

SCRIPTS = {
    "textbook": Params(),
    "causal": replace(Params(), causal=True),
    "unscaled": replace(Params(), scaled=False),
    "three scores": presets.three_scores(),
    "cross": presets.random_example(7, 5, 6, 3, 4, S=3),
    "cross causal": replace(presets.random_example(8, 3, 12, 8, 8, S=12), causal=True),
    "one token": presets.random_example(9, 1, 1, 1, 1),
    "large": replace(Params(), x=((1e3, -1e3, 0.1, 1e-3),) * 4),
}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """Run every script in one fresh interpreter each, and keep what it printed."""
    folder = tmp_path_factory.mktemp("scripts")
    running = {}
    for number, (name, params) in enumerate(SCRIPTS.items()):
        code = numpy_code.render(
            run(params, backend="numpy"), decimals=3, t=translator(("en", "zh")[number % 2])
        )
        path = folder / f"{number}.py"
        path.write_text(code, encoding="utf-8")
        command = [sys.executable, "-I", "-W", "error", str(path)]
        running[name] = subprocess.run(
            command, cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=60
        )
    return running


@pytest.mark.parametrize("name", [*SCRIPTS])
def test_the_script_runs_alone_and_reproduces_the_output(scripts, name):
    done = scripts[name]
    assert done.returncode == 0, done.stderr
    printed = ast.literal_eval(done.stdout.splitlines()[-1])
    np.testing.assert_allclose(printed, by_hand(SCRIPTS[name]).output, rtol=1e-9, atol=1e-9)
    trace = run(SCRIPTS[name], backend="numpy").trace
    np.testing.assert_allclose(printed, trace.output, rtol=1e-9, atol=1e-9)


@settings(max_examples=20)
@given(examples(cells=ANY_FINITE, most=3))
def test_the_script_holds_the_inputs_to_the_last_bit(params):
    result = replace(run(Params(), backend="numpy"), params=params)
    tree = ast.parse(numpy_code.render(result, decimals=3, t=ENGLISH))
    held = {
        node.targets[0].id: ast.literal_eval(node.value.args[0])
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == "np.array"
    }
    names = {"X": params.x, "W_Q": params.w_q, "W_K": params.w_k, "W_V": params.w_v}
    for name, matrix in names.items():
        assert repr(held[name]) == repr([list(row) for row in matrix])
    assert ("C" in held) == (params.context is not None)


def test_the_comments_of_the_script_are_translated():
    class Shouting(Translator):
        def __call__(self, text, /, **values):
            return text.format(**values).upper()

    code = numpy_code.render(
        run(Params(), backend="numpy"), decimals=3, t=Shouting("en", gettext.NullTranslations())
    )
    comments = [line for line in code.splitlines() if line.startswith("#")]
    assert len(comments) >= 8
    assert all(comment == comment.upper() for comment in comments)
    assert "import numpy as np" in code
    compile(code, "script", "exec")


# --- LaTeX ----------------------------------------------------------------------------

AWKWARD = ("a|b", "$x_1$", "`c`", "50%&#~^\\{}")


def awkward(**changes):
    return run(replace(Params(), tokens=AWKWARD, **changes), backend="numpy")


def latex_matrices(text):
    """Read every pmatrix of the document back into numbers."""
    bodies = re.findall(r"\\begin\{pmatrix\} (.*?) \\end\{pmatrix\}", text)
    return [
        [[_latex_number(cell) for cell in row.split(" & ")] for row in body.split(r" \\ ")]
        for body in bodies
    ]


def _latex_number(cell):
    plain = cell.replace(r"-\infty", "-inf").replace(r" \times 10^{", "e").replace("}", "")
    return float(plain)


@settings(max_examples=30)
@given(examples(most=4))
def test_latex_holds_every_matrix_rounded(params):
    text = latex.render(run(params, backend="numpy"), decimals=4, t=ENGLISH)
    steps = by_hand(params)
    second = [] if params.context is None else [params.context]
    wanted = [
        params.x,
        *second,
        params.w_q,
        params.w_k,
        params.w_v,
        *(steps.q, steps.k, steps.v, steps.score, steps.scale, steps.mask),
        *(steps.softmax, steps.output),
    ]
    found = latex_matrices(text)
    assert len(found) == len(wanted)
    for actual, expected in zip(found, wanted, strict=True):
        np.testing.assert_allclose(actual, expected, atol=0.500001e-4, rtol=0)


def test_latex_is_well_formed():
    text = latex.render(awkward(causal=True), decimals=3, t=ENGLISH)
    assert text.count(r"\begin{") == text.count(r"\end{")
    assert text.count(r"\begingroup") == text.count(r"\endgroup") == 1
    body = text.partition(r"\begin{align*}")[2].partition(r"\end{align*}")[0]
    assert "\n\n" not in body  # a blank line ends the formula with an error
    lines = [line for line in body.strip().splitlines() if not line.startswith("%")]
    assert all(line.endswith(r" \\") for line in lines[:-1])
    assert not lines[-1].endswith(r"\\")
    for line in lines:
        outside = re.sub(r"\\begin\{pmatrix\}.*?\\end\{pmatrix\}", "", line)
        assert outside.count("&") == 1
    unescaped = re.sub(r"\\.", "", text)
    assert unescaped.count("{") == unescaped.count("}")
    assert r"S' = \frac{S}{\sqrt{2}} &\approx" in text
    assert r"S = Q K^{\mathsf{T}} &=" in text


def test_latex_labels_are_escaped():
    text = latex.render(awkward(), decimals=3, t=ENGLISH)
    labels = next(line for line in text.splitlines() if line.startswith(r"\noindent"))
    assert r"\$x\_1\$" in labels
    assert r"a\textbar{}b" in labels
    assert r"\textasciigrave{}c\textasciigrave{}" in labels
    assert r"50\%\&\#\textasciitilde{}\textasciicircum{}\textbackslash{}\{\}" in labels


def test_latex_says_when_scaling_is_off_and_names_the_second_input():
    params = presets.with_context(replace(Params(), scaled=False), 1, 6)
    text = latex.render(run(params, backend="numpy"), decimals=3, t=ENGLISH)
    assert "S' = S &" in text
    assert "K = C W_K" in text
    assert "Tokens of C: c1, c2, c3, c4, c5, c6." in text


@pytest.mark.parametrize(("d_model", "size"), [(6, ""), (9, r"\footnotesize"), (12, r"\tiny")])
def test_latex_is_set_smaller_where_matrices_are_wide(d_model, size):
    params = presets.random_example(1, 3, d_model, 2, 2)
    text = latex.render(run(params, backend="numpy"), decimals=3, t=ENGLISH)
    line = next(line for line in text.splitlines() if line.startswith(r"\begingroup"))
    assert line.startswith(r"\begingroup" + size)
    assert (line == r"\begingroup") == (not size)


def test_latex_writes_large_numbers_in_powers_of_ten():
    params = replace(Params(), w_v=((1e300, 1.0),) * 4)
    text = latex.render(run(params, backend="numpy"), decimals=2, t=ENGLISH)
    assert r"1.00 \times 10^{300}" in text


# --- Markdown -------------------------------------------------------------------------


def markdown_tables(text):
    """Read every table back: a list of rows of unescaped cells."""
    tables = []
    for block in text.split("\n\n"):
        if block.startswith("|"):
            rows = [line.strip("|").split("|") for line in block.splitlines()]
            tables.append([[html.unescape(cell.strip()) for cell in row] for row in rows])
    return tables


@settings(max_examples=30)
@given(examples(most=4, labels=LABELS))
def test_markdown_tables_hold_every_matrix_with_its_labels(params):
    text = markdown.render(run(params, backend="numpy"), decimals=4, t=ENGLISH)
    steps, second = by_hand(params), params.context
    keys = params.tokens if second is None else params.context_tokens
    tables = markdown_tables(text)[4 if second is None else 5 :]
    named = [
        (steps.q, params.tokens, None),
        (steps.k, keys, None),
        (steps.v, keys, None),
        *((m, params.tokens, keys) for m in (steps.score, steps.scale, steps.mask, steps.softmax)),
        (steps.output, params.tokens, None),
    ]
    assert len(tables) == len(named)
    for table, (matrix, rows, columns) in zip(tables, named, strict=True):
        assert {len(row) for row in table} == {len(matrix[0]) + 1}
        assert [row[0] for row in table[2:]] == [f"**{label}**" for label in rows]
        if columns is not None:
            assert tuple(table[0][1:]) == columns
        cells = [[float(cell.replace("∞", "inf")) for cell in row[1:]] for row in table[2:]]
        np.testing.assert_allclose(cells, matrix, atol=0.500001e-4, rtol=0)


def test_markdown_labels_cannot_break_a_table_or_become_formulas():
    text = markdown.render(awkward(), decimals=3, t=ENGLISH)
    for block in text.split("\n\n"):
        if block.startswith("|"):
            assert not set("$`_\\{}") & set(block)
            assert len({line.count("|") for line in block.splitlines()}) == 1
    assert html.unescape("&#36;x&#95;1&#36;") == AWKWARD[1]
    assert "&#36;x&#95;1&#36;" in text


def test_markdown_tells_the_six_steps_and_how_they_were_computed(backend):
    result = run(Params(), backend=backend)
    text = markdown.render(result, decimals=2, t=ENGLISH)
    assert [line[3] for line in text.splitlines() if line.startswith("## ")] == [*"I123456"]
    assert f"Computed in {result.precision}" in text
    assert "0.45" in text
    assert "rounded to 2 decimals" in text


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("document", [numpy_code, latex, markdown])
def test_documents_follow_the_language(document, language):
    result = run(replace(Params(), causal=True), backend="numpy")
    text = document.render(result, decimals=3, t=translator(language))
    assert text.endswith("\n")
    assert bool(re.search(r"[\u4e00-\u9fff]", text)) == (language == "zh")
    assert not re.search(r"\{[a-z_]+\}", re.sub(r"\\\w+\{.*?\}", "", text))


@pytest.mark.parametrize("small", [1e-16, 1e-300])
def test_a_small_typed_number_is_not_written_as_exact_zero(small):
    params = replace(Params(), x=((small, 5.0, 1.0, 0.0), *Params().x[1:]))
    text = latex.render(run(params, backend="numpy"), decimals=3, t=translator("en"))
    assert r"X &\approx" in text
    assert "X &=" not in text


def test_a_rounded_row_beside_a_huge_one_is_not_exact():
    params = replace(Params(), x=((1e12, 0.0, 1.0, 0.0), (1 / 3, 0.001, 0.0, 0.0), *Params().x[2:]))
    text = latex.render(run(params, backend="numpy"), decimals=3, t=translator("en"))
    assert r"Q = X W_Q &\approx" in text
