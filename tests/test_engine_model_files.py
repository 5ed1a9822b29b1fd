"""A model's files: read as a whole or refused in a sentence, once per process."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import pickle
import re
import socket
import struct
import tempfile
import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from engine.errors import EngineError, ModelError, OptionError, OutOfMemoryError
from engine.models.files import read_json
from engine.models.loading import Model, forget, load, loaded
from engine.models.panics import refused_with
from engine.models.reference import folder_of, name_of
from engine.models.text import MOST_CHARACTERS
from engine.models.tokenizer import read_tokenizer
from engine.models.tokens import encode
from engine.models.weights import read_parameters
from tests import real_model
from tests.model_folders import bert_tokenizer, gpt2_tokenizer, write_model

READ = "engine.models.loading.read_parameters"
SENTENCE = "The animal didn't cross the street because it was too tired."


@pytest.fixture(autouse=True)
def fresh():
    forget()
    yield
    forget()


@pytest.fixture
def folder(tmp_path):
    return write_model(tmp_path / "tiny")


def refusal(call, *arguments):
    """Return the sentence of a refusal, which has no place left to fill."""
    with pytest.raises(ModelError) as caught:
        call(*arguments)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def weights_of(folder):
    return folder / "model.safetensors"


def rewrite(folder, change):
    """Write the weights anew after a change of the named arrays."""
    arrays = load_file(weights_of(folder))
    change(arrays)
    save_file(arrays, weights_of(folder))


# -- weights


def test_the_weights_are_those_of_the_file_and_closed_to_writing(folder):
    stored = load_file(weights_of(folder))
    parameters = load(str(folder)).parameters
    np.testing.assert_array_equal(parameters.words, stored["embeddings.word_embeddings.weight"])
    np.testing.assert_array_equal(
        parameters.layers[2].query_weight,
        stored["encoder.layer.2.attention.self.query.weight"].T,
    )
    for array in (parameters.words, *parameters.layers[0].arrays()):
        assert array.dtype == np.float32
        assert not array.flags.writeable


def test_float16_is_read_exactly(folder):
    halves = {name: array.astype("f2") for name, array in load_file(weights_of(folder)).items()}
    save_file(halves, weights_of(folder))
    words = load(str(folder)).parameters.words
    assert words.dtype == np.float32
    assert (words == halves["embeddings.word_embeddings.weight"].astype("f8")).all()


def test_bfloat16_is_read_exactly(folder):
    """A bfloat16 is the upper half of a float32: written here from the bits."""
    arrays = load_file(weights_of(folder))
    written, places, start = b"", {}, 0
    for name, array in arrays.items():
        upper = (array.view("u4") >> 16).astype("<u2").tobytes()
        places[name] = {
            "dtype": "BF16",
            "shape": list(array.shape),
            "data_offsets": [start, start + len(upper)],
        }
        written += upper
        start += len(upper)
    header = json.dumps(places).encode()
    weights_of(folder).write_bytes(struct.pack("<Q", len(header)) + header + written)
    words = load(str(folder)).parameters.words
    wanted = (arrays["embeddings.word_embeddings.weight"].view("u4") >> 16 << 16).view("f4")
    np.testing.assert_array_equal(words, wanted)


def spoil_value(value):
    def change(arrays):
        arrays["encoder.layer.1.output.dense.bias"][3] = value

    return change


def as_float64(arrays):
    arrays["encoder.layer.1.output.dense.bias"] = np.zeros(24)


def wrong_shape(arrays):
    arrays["encoder.layer.1.output.dense.bias"] = np.zeros(25, np.float32)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (spoil_value(np.nan), r"The weights encoder\.layer\.1\.\S+ hold NaN or infinity"),
        (spoil_value(np.inf), "hold NaN or infinity"),
        (as_float64, "are stored as F64; float32, float16 and bfloat16 are read"),
        (wrong_shape, r"have shape \(25,\); by config\.json it should be \(24,\)"),
        (lambda arrays: arrays.pop("encoder.layer.1.output.dense.bias"), "dense.bias"),
    ],
)
def test_weights_that_do_not_fit_are_refused(folder, change, sentence):
    rewrite(folder, change)
    assert re.search(sentence, refusal(load, str(folder)))
    assert loaded(str(folder)) is None


def test_weights_that_are_not_needed_do_not_matter(folder):
    def change(arrays):
        arrays["pooler.dense.bias"][:] = np.nan
        arrays["cls.extra"] = np.zeros(3, np.int64)

    rewrite(folder, change)
    assert load(str(folder)).parameters.words.shape[1] == 24


def header(text, size=None):
    text = json.dumps(text).encode() if isinstance(text, dict) else text
    return struct.pack("<Q", len(text) if size is None else size) + text


DAMAGES = {
    "empty": b"",
    "a pickle under a false name": b"\x80\x02}q\x00.",
    "no JSON": header(b"xxxx"),
    "a header longer than the file": header(b"{}", 1 << 40),
    "numbers that are not there": header(
        {"a": {"dtype": "F32", "shape": [200], "data_offsets": [0, 800]}}
    ),
    "places that overlap": header(
        {name: {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]} for name in "ab"}
    )
    + b"abcd",
    "sizes beyond counting": header(
        {"a": {"dtype": "F32", "shape": [2**62, 2**62], "data_offsets": [0, 0]}}
    ),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_refused(folder, damage):
    weights_of(folder).write_bytes(damage)
    assert "is damaged, cut short, or not a safetensors file" in refusal(load, str(folder))


@pytest.mark.parametrize("kept", [0.01, 0.5, 0.999])
def test_a_file_cut_short_is_refused(folder, kept):
    whole = weights_of(folder).read_bytes()
    weights_of(folder).write_bytes(whole[: int(len(whole) * kept)])
    assert "cut short" in refusal(load, str(folder))


class Trap:
    """Sets a mark where it is unpickled."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return os.mkdir, (str(self.mark),)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.safetensors"])
def test_a_pickle_is_never_opened(folder, tmp_path, name):
    weights_of(folder).unlink()
    (folder / name).write_bytes(pickle.dumps(Trap(tmp_path / "sprung")) * 20)
    sentence = refusal(load, str(folder))
    assert ("pickles are never opened" in sentence) == (name == "pytorch_model.bin")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_file_is_named(folder, missing):
    (folder / missing).unlink()
    assert f"There is no {missing} in" in refusal(load, str(folder))


def test_weights_in_several_files_are_refused(folder):
    weights_of(folder).rename(folder / "model-00001-of-00002.safetensors")
    (folder / "model.safetensors.index.json").write_text("{}")
    assert "split over several files" in refusal(load, str(folder))


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_folder_in_place_of_a_file_is_refused(folder, name):
    (folder / name).unlink()
    (folder / name).mkdir()
    assert "is not a file" in refusal(load, str(folder))


def test_a_socket_or_a_pipe_in_place_of_the_weights_is_refused(folder, monkeypatch):
    monkeypatch.chdir(folder)  # a socket's address has to be short
    weights_of(folder).unlink()
    with socket.socket(socket.AF_UNIX) as place:
        place.bind("model.safetensors")
        assert "is not a file" in refusal(load, str(folder))
    weights_of(folder).unlink()
    os.mkfifo(weights_of(folder))
    assert "is not a file" in refusal(load, str(folder))


def test_files_that_are_too_large_are_refused_unread(folder):
    os.truncate(weights_of(folder), 4 * 10**9 + 1)  # a hole: it takes no room on the disk
    assert "4001 MB; at most 4000 MB" in refusal(load, str(folder))
    os.truncate(folder / "config.json", 10**6 + 1)
    assert "config.json has 2 MB; at most 1 MB" in refusal(load, str(folder))


@pytest.mark.parametrize(
    "text", [b"", b"{", b"\xff", b"[" * 100_000, b'{"hidden_size": ' + b"9" * 5000 + b"}"]
)
def test_a_config_that_is_no_json_is_refused(folder, text):
    (folder / "config.json").write_bytes(text)
    assert "is not valid JSON" in refusal(read_json, folder, "config.json")


@contextmanager
def as_another_user():
    """Give up the right to read every file, which root has."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_file_that_may_not_be_read_is_said_to_be_there(name):
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        folder = write_model(Path(place) / "tiny")
        load(str(folder))  # with the right to read the libraries
        forget()
        (folder / name).chmod(0)
        with as_another_user():
            sentence = refusal(load, str(folder))
    assert sentence == f"{folder / name} cannot be read: Permission denied."


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
def test_the_mark_that_some_editors_put_before_utf8_does_not_matter(folder, name):
    before = load(str(folder))
    (folder / name).write_bytes(b"\xef\xbb\xbf" + (folder / name).read_bytes())
    after = load(str(folder))
    assert after is not before
    assert after.config == before.config
    assert after.encode(SENTENCE).pieces == before.encode(SENTENCE).pieces


# -- tokenizer and text


@pytest.mark.parametrize("text", [b"", b"{}", b"null", b"\xff", b"[" * 100_000, b'{"model": 1}'])
def test_a_tokenizer_that_is_none_is_refused(folder, text):
    (folder / "tokenizer.json").write_bytes(text)
    assert "describes no tokenizer" in refusal(load, str(folder))


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("normalizer", {"type": "Precompiled", "precompiled_charsmap": "AAAA"}),
        ("normalizer", {"type": "Precompiled", "precompiled_charsmap": "/////w=="}),
        ("post_processor", {"type": "TemplateProcessing"}),
        ("model", {"type": "WordPiece", "vocab": {"a": -1}}),
    ],
)
def test_a_tokenizer_on_which_its_library_stumbles_is_refused(folder, part, value):
    """The first ones end in a panic of Rust, which is no Exception."""
    path = folder / "tokenizer.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), part: value}))
    assert "describes no tokenizer" in refusal(load, str(folder))


class Away(BaseException):
    """What a page raises to end its run."""


@pytest.mark.parametrize("kind", [Away, KeyboardInterrupt, MemoryError])
def test_what_is_no_fault_of_a_tokenizer_is_passed_on(kind):
    with pytest.raises(kind), refused_with(ModelError("It is damaged.")):
        raise kind


def test_pieces_their_places_and_what_is_unknown(folder):
    text = "The Animal's 街 ☂ street"
    encoded = load(str(folder)).encode(text)
    assert encoded.pieces == (
        *("[CLS]", "the", "animal", "'", "s", "街", "[UNK]"),
        *("street", "[SEP]"),
    )
    assert encoded.special.tolist() == [True, *[False] * 7, True]
    assert np.flatnonzero(encoded.unknown).tolist() == [6]
    assert [text[first:end] for first, end in encoded.spans] == [
        *("", "The", "Animal", "'", "s", "街", "☂", "street", ""),
    ]
    assert encoded.ids.dtype == np.int64
    assert not encoded.ids.flags.writeable


def test_padding_and_cutting_are_switched_off(folder):
    tokenizer = bert_tokenizer()
    tokenizer.enable_padding(length=40)
    tokenizer.enable_truncation(5)
    tokenizer.save(str(folder / "tokenizer.json"))
    pieces = load(str(folder)).encode("the animal was too tired").pieces
    assert pieces == ("[CLS]", "the", "animal", "was", "too", "tired", "[SEP]")


def test_byte_level_pieces_are_shown_as_their_text(tmp_path):
    model = load(str(write_model(tmp_path / "g", "gpt2", prefix="transformer.")))
    text = " the\n\tit<|endoftext|>太\x01"
    encoded = model.encode(text)
    assert encoded.pieces == (
        *("·the", "↵", "⇥", "i", "t", "<|endoftext|>"),
        *("<E5>", "<A4>", "<AA>", "<U+0001>"),
    )
    assert not encoded.special.any()
    assert not encoded.unknown.any()
    whole = text.index("太"), text.index("太") + 1
    assert encoded.spans[-5:] == ((8, 21), whole, whole, whole, (22, 23))


SHOWN = re.compile(r"<U\+([0-9A-F]{4})>|<([0-9A-F]{2}(?: [0-9A-F]{2})*)>|(.)", re.DOTALL)
BYTE_LEVEL = gpt2_tokenizer()
MARKS = {"·": " ", "↵": "\n", "⇥": "\t"}


def bytes_shown(pieces):
    """Return the bytes that pieces stand for, read back from how they are shown."""
    whole = b""
    for code, broken, character in (
        match.groups() for piece in pieces for match in SHOWN.finditer(piece)
    ):
        if code:
            whole += chr(int(code, 16)).encode()
        elif broken:
            whole += bytes.fromhex(broken)
        else:
            whole += MARKS.get(character, character).encode()
    return whole


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1))
def test_byte_level_pieces_hold_every_byte_of_the_text(text):
    if text.strip():
        pieces = encode(BYTE_LEVEL, text, 10_000).pieces
        assert bytes_shown(pieces) == text.encode()


def test_pieces_of_several_bytes_are_put_together():
    """A merge may end in the middle of a character: its whole part is text, the rest bytes."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [("å", "¤"), ("Ġ", "å¤"), ("å", "ı"), ("åı", "ª"), ("åıª", "å¤")]
    pieces = letters + [first + second for first, second in merges]
    tokenizer = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    assert encode(tokenizer, "只太 太", 20).pieces == ("只<E5 A4>", "<AA>", "·<E5 A4>", "<AA>")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The text is empty"),
        (" \n\t ", "The text is empty"),
        ("\u200b", "finds no token in the text"),
        ("a" * (MOST_CHARACTERS + 1), "has 100001 characters; at most 100000"),
        ("it was \ud83d tired", r"Character 8 of the text, U\+D83D, is no character"),
        ("it\0was", r"Character 3 of the text, U\+0000, is no character"),
        ("it " * 63, "has 65 tokens, special ones included; this model reads at most 64"),
    ],
)
def test_texts_that_are_refused(folder, text, sentence):
    assert re.search(sentence, refusal(load(str(folder)).encode, text))


@pytest.mark.parametrize("text", [None, 3, ["it"], b"it"])
def test_what_is_no_text_is_refused(folder, text):
    with pytest.raises(OptionError):
        load(str(folder)).encode(text)


def test_as_many_tokens_as_the_model_reads_are_read(folder):
    assert len(load(str(folder)).encode("it " * 62).ids) == 64


def test_a_huge_text_is_refused_before_it_is_split():
    class Untouched:
        def encode(self, *_arguments):
            pytest.fail("it was split")

    text = "x" * (1 << 20)
    assert "1048576 characters" in refusal(encode, Untouched(), text, 512)


def test_a_tokenizer_that_fails_on_a_text_is_refused(folder):
    """Its piece for what is unknown is not among its pieces."""
    Tokenizer(models.WordPiece({"it": 0}, unk_token="[UNK]")).save(str(folder / "tokenizer.json"))
    model = load(str(folder))
    assert model.encode("it").pieces == ("it",)
    assert "tokenizer fails on this text" in refusal(model.encode, "was")


def test_a_tokenizer_of_another_model_is_refused(tmp_path):
    folder = write_model(tmp_path / "small", vocab_size=12)
    model = load(str(folder))
    assert len(model.encode("the animal didn't").ids) == 7
    assert "the model has 12 tokens" in refusal(model.encode, "it was too tired")


# -- references


def test_what_a_reference_names(folder, monkeypatch):
    assert folder_of(str(folder)) == folder
    assert folder_of(f"  {folder}/ ") == folder
    monkeypatch.setenv("HOME", str(folder.parent))
    assert folder_of("~/tiny") == folder
    assert name_of("~/tiny") == name_of(f"{folder}/") == "tiny"
    assert name_of("hub:owner/some-model") == "some-model"


SNAPSHOT = f"models--owner--name/snapshots/{'0af3' * 10}"


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("/data/minilm/model", "minilm"),
        ("/data/minilm/Model/", "minilm"),
        ("/data/minilm/checkpoint/latest", "minilm"),
        ("/data/minilm/checkpoint-500", "checkpoint-500"),
        ("/data/a-model", "a-model"),
        ("/data/minilm/model/..", "minilm"),
        ("~/minilm/model", "minilm"),
        ("~nobody_of_this_name/model", "~nobody_of_this_name"),
        (f"/cache/hub/{SNAPSHOT}", "name"),
        (f"/cache/hub/{SNAPSHOT}/onnx", "onnx"),
        (f"/cache/hub/{SNAPSHOT.replace('owner--name', 'owner--model')}", "owner"),
        ("/cache/models--owner--name/kept", "kept"),
        ("/model", "model"),
        ("/", "/"),
        ("hub:owner/model", "owner"),
        ("hub:owner/models--x", "models--x"),
    ],
)
def test_a_model_is_called_by_what_tells_it_from_others(reference, name):
    assert name_of(reference) == name


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("", "No model is named"),
        ("  ", "No model is named"),
        ("models/tiny", "is not a whole path"),
        ("/nowhere/at/all", "There is no folder /nowhere/at/all"),
        ("~nobody_of_this_name/model", "There is no folder"),
        ("/" + "x" * 5000, "cannot be read: File name too long"),
        ("/tmp/\0", "a character that no path has"),
        ("/tmp/\udcff", "a character that no path has"),
        ("hub:", "is not the name of a repository"),
        ("hub:gpt2", "is not the name of a repository"),
        ("hub:../../etc", "is not the name of a repository"),
        ("hub:a/../b", "is not the name of a repository"),
        ("hub:https://huggingface.co/a/b", "is not the name of a repository"),
        ("hub:nobody/no-such-model-here", "is not on this computer yet"),
    ],
)
def test_references_that_are_refused(reference, sentence):
    assert sentence in refusal(folder_of, reference)
    assert loaded(reference) is None


def test_a_file_in_place_of_the_folder_is_refused(folder):
    assert "is a file; give the folder" in refusal(folder_of, str(weights_of(folder)))


@pytest.mark.parametrize("reference", [None, 3, b"/tmp", ("/tmp",)])
def test_a_reference_that_is_no_text_is_refused(reference):
    with pytest.raises(OptionError):
        load(reference)
    assert loaded(reference) is None


# -- loading


def test_a_model_is_loaded_once_whichever_thread_asks(folder, monkeypatch):
    times: list[object] = []
    monkeypatch.setattr(READ, counted_and_slow(read_parameters, times))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(load, [str(folder)] * 16))
    assert len(times) == 1
    assert all(model is found[0] for model in found)
    assert loaded(str(folder)) is found[0]


def counted_and_slow(function, times):
    def counting(*arguments):
        times.append(arguments)
        time.sleep(0.05)  # the others ask meanwhile
        return function(*arguments)

    return counting


def test_two_models_are_loaded_side_by_side(tmp_path, monkeypatch):
    folders = [str(write_model(tmp_path / name, seed=i)) for i, name in enumerate("ab")]
    meeting = threading.Barrier(2, timeout=20)

    def both_at_once(*arguments):
        meeting.wait()
        return read_parameters(*arguments)

    monkeypatch.setattr(READ, both_at_once)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(load, folders)
    assert (first.name, second.name) == ("a", "b")
    assert first.version != second.version
    assert (first.parameters.words != second.parameters.words).any()


def test_one_folder_under_two_names_is_one_model(folder, tmp_path):
    (tmp_path / "other").symlink_to(folder)
    first, second = load(str(folder)), load(str(tmp_path / "other"))
    assert second.parameters is first.parameters
    assert (first.name, second.name) == ("tiny", "other")


def test_the_three_asked_for_last_are_kept(tmp_path):
    names = [str(write_model(tmp_path / name)) for name in "abcd"]
    for name in (*names[:3], names[0], names[3]):
        load(name)
    assert [loaded(name) is not None for name in names] == [True, False, True, True]


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_model_whose_files_changed_is_loaded_anew(folder, name):
    before = load(str(folder))
    other = write_model(folder.parent / "other", seed=1, layer_norm_eps=1e-6)
    text = (other / name).read_bytes() + b"\n" * (name == "tokenizer.json")
    (folder / name).write_bytes(text)
    assert loaded(str(folder)) is None
    after = load(str(folder))
    assert after is not before
    assert after.version != before.version


def test_files_that_change_while_they_are_read_are_refused(folder, monkeypatch):
    def changing(*arguments):
        parameters = read_parameters(*arguments)
        write_model(folder, seed=1)
        return parameters

    monkeypatch.setattr(READ, changing)
    assert "changed while they were read" in refusal(load, str(folder))
    assert loaded(str(folder)) is None
    monkeypatch.undo()
    assert load(str(folder)).parameters.words.size


def test_a_model_that_is_forgotten_is_loaded_anew(folder):
    first = load(str(folder))
    forget(str(folder))
    assert loaded(str(folder)) is None
    second = load(str(folder))
    assert second is not first
    assert second.version == first.version


def test_the_version_is_the_hash_of_the_three_files(folder):
    whole = (
        b"".join((folder / name).read_bytes() for name in ("config.json", "tokenizer.json"))
        + weights_of(folder).read_bytes()
    )
    model = load(str(folder))
    assert model.version == hashlib.sha256(whole).hexdigest()[:12]
    needed = [
        array for name, array in load_file(weights_of(folder)).items() if "pooler" not in name
    ]
    assert model.bytes == sum(array.nbytes for array in needed)


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"architectures": ["RobertaForMaskedLM"]}'])
def test_nothing_is_kept_of_a_model_that_is_refused(folder, damage):
    (folder / "config.json").write_bytes(damage)
    with pytest.raises(EngineError):
        load(str(folder))
    assert loaded(str(folder)) is None


# -- memory


def machine(monkeypatch, size):
    """Let the machine have so many bytes for models and nothing else."""

    def free():
        return size - sum(model.bytes for model in alive())

    def alive():
        return [each for each in gc.get_objects() if isinstance(each, Model)]

    monkeypatch.setattr("engine.models.kept.free_bytes", free)


def bytes_of(folder):
    """Return what a tiny model takes: all it needs, and half of its largest tensor."""
    arrays = {name: a for name, a in load_file(weights_of(folder)).items() if "pooler" not in name}
    return sum(a.nbytes for a in arrays.values()) + max(a.nbytes for a in arrays.values()) // 2


@pytest.mark.parametrize("dtype", ["f2", "f4"])
def test_weights_that_do_not_fit_into_free_memory_are_refused_unread(folder, monkeypatch, dtype):
    """Half as long in the file, they are as large in memory."""
    needed = bytes_of(folder)
    save_file(
        {n: a.astype(dtype) for n, a in load_file(weights_of(folder)).items()}, weights_of(folder)
    )
    monkeypatch.setattr("engine.models.kept.free_bytes", lambda: needed - 1)
    with monkeypatch.context() as unread:
        unread.setattr(READ, lambda *_: pytest.fail("it was read"))
        with pytest.raises(OutOfMemoryError) as refused:
            load(str(folder))
    assert str(refused.value).startswith("This model needs 1 MB of memory to load, and 0 MB are")
    monkeypatch.setattr("engine.models.kept.free_bytes", lambda: needed)
    assert load(str(folder)).parameters.words.dtype == np.float32


def test_kept_models_make_room_as_far_as_it_is_needed(tmp_path, monkeypatch):
    names = [str(write_model(tmp_path / name)) for name in "abc"]
    one = load(names[0]).bytes
    forget()
    machine(monkeypatch, bytes_of(tmp_path / "a") + one)  # for two, and not for three
    for name in names:
        load(name)
    assert [loaded(name) is not None for name in names] == [False, True, True]


def test_kept_models_stay_where_letting_go_would_not_help(tmp_path, monkeypatch):
    small = str(write_model(tmp_path / "small"))
    large = write_model(tmp_path / "large", hidden_size=96)
    machine(monkeypatch, bytes_of(large) - 1)
    load(small)
    with pytest.raises(OutOfMemoryError):
        load(str(large))
    assert loaded(small) is not None
    machine(monkeypatch, bytes_of(large))
    load(str(large))
    assert loaded(small) is None


def test_models_that_are_loaded_side_by_side_need_room_together(tmp_path, monkeypatch):
    first, second = (write_model(tmp_path / name) for name in "ab")
    monkeypatch.setattr("engine.models.kept.free_bytes", lambda: 2 * bytes_of(first) - 1)

    def another_meanwhile(*arguments):
        monkeypatch.setattr(READ, read_parameters)
        with pytest.raises(OutOfMemoryError):
            load(str(second))
        return read_parameters(*arguments)

    monkeypatch.setattr(READ, another_meanwhile)
    load(str(first))
    assert load(str(second)).name == "b", "the room is given back"


@pytest.mark.parametrize("step", ["read_tokenizer", "read_parameters", "version_of"])
def test_memory_that_runs_out_on_the_way_is_said(folder, monkeypatch, step):
    def full(*_arguments):
        raise MemoryError

    with monkeypatch.context() as short:
        short.setattr(f"engine.models.loading.{step}", full)
        with pytest.raises(OutOfMemoryError, match="too little memory to load this model"):
            load(str(folder))
    assert loaded(str(folder)) is None
    assert load(str(folder)).name == "tiny"


@pytest.mark.parametrize("kind", [ModelError, OutOfMemoryError])
def test_an_error_that_is_kept_keeps_nothing_of_the_weights(tmp_path, monkeypatch, kind):
    """A page keeps why a model was refused, and with an error all that its frames hold."""
    folder = write_model(tmp_path / "wide", hidden_size=144, intermediate_size=288)
    size = load(str(folder)).bytes
    forget()

    def changed_or_full(folder):
        if kind is OutOfMemoryError:
            raise MemoryError
        os.utime(weights_of(folder), (0, 0))
        return "0" * 12

    monkeypatch.setattr("engine.models.loading.version_of", changed_or_full)
    tracemalloc.start()
    try:
        with pytest.raises(kind) as refused:
            load(str(folder))
        assert tracemalloc.get_traced_memory()[1] > size, "it was read"
        assert tracemalloc.get_traced_memory()[0] < size / 4
    finally:
        tracemalloc.stop()
    assert isinstance(refused.value, EngineError)


# -- the real model


def test_the_real_model_loads_within_two_seconds():
    model = load(str(real_model.folder()))
    assert model.seconds < 2
    assert (model.config.layers, model.config.heads, model.config.width) == (6, 12, 384)
    assert model.bytes > 80_000_000


def test_the_real_tokenizer_reads_english_and_chinese():
    """Pieces as recorded from transformers' own tokenizer of this model."""
    tokenizer = read_tokenizer(real_model.folder())
    english = encode(tokenizer, SENTENCE, 512)
    assert english.pieces == (
        *("[CLS]", "the", "animal", "didn", "'", "t", "cross", "the", "street", "because"),
        *("it", "was", "too", "tired", ".", "[SEP]"),
    )
    chinese = encode(tokenizer, "那只动物没有过街。", 512)
    unknown = [piece == "[UNK]" for piece in chinese.pieces]
    assert chinese.unknown.tolist() == unknown
    assert 0 < sum(unknown) < len(unknown)
