"""Writes tiny models into folders: generated weights, a real config.json, a small tokenizer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = (
    "the",
    "animal",
    "didn",
    "'",
    "t",
    "cross",
    "street",
    "because",
    "it",
    "was",
    "too",
    "tired",
    "wide",
    ".",
    ",",
    "trophy",
    "doesn",
    "fit",
    "in",
    "suitcase",
    "is",
    "big",
    "small",
    "a",
    "man",
    "she",
    "he",
    "they",
)
CHARACTERS = "那只动物没有过街因为它太累了宽，。"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MERGES = (("t", "h"), ("th", "e"), ("Ġ", "the"), ("Ġ", "i"), ("Ġi", "t"), ("a", "n"), ("Ġ", "an"))

BERT = {
    "architectures": ["BertModel"],
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 24,
    "intermediate_size": 48,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 3,
    "position_embedding_type": "absolute",
    "type_vocab_size": 2,
}
GPT2 = {
    "architectures": ["GPT2LMHeadModel"],
    "model_type": "gpt2",
    "activation_function": "gelu_new",
    "layer_norm_epsilon": 1e-5,
    "n_ctx": 64,
    "n_embd": 24,
    "n_head": 4,
    "n_layer": 3,
    "n_positions": 64,
}


def bert_tokenizer() -> Tokenizer:
    """Return a WordPiece tokenizer of a few words, letters and Chinese characters."""
    pieces = [*MARKS, *WORDS, *CHARACTERS, *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    vocabulary = {piece: index for index, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="[UNK]"))
    tokenizer.add_special_tokens(list(MARKS))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")],
    )
    return tokenizer


def gpt2_tokenizer() -> Tokenizer:
    """Return a byte-level tokenizer with a few merges; it adds no tokens of itself."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    pieces = [*letters, *(first + second for first, second in MERGES), "<|endoftext|>"]
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=list(MERGES)))
    tokenizer.add_special_tokens(["<|endoftext|>"])
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def bert_shapes(config: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the shape of every tensor of a BERT encoder, as (out, in)."""
    width, inner = config["hidden_size"], config["intermediate_size"]
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], width),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], width),
        "embeddings.token_type_embeddings.weight": (config["type_vocab_size"], width),
        **_norm("embeddings.LayerNorm", width),
        **_linear("pooler.dense", width, width),
    }
    for layer in range(config["num_hidden_layers"]):
        start = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            shapes |= _linear(f"{start}.attention.{part}", width, width)
        shapes |= _norm(f"{start}.attention.output.LayerNorm", width)
        shapes |= _linear(f"{start}.intermediate.dense", inner, width)
        shapes |= _linear(f"{start}.output.dense", width, inner)
        shapes |= _norm(f"{start}.output.LayerNorm", width)
    return shapes


def gpt2_shapes(config: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the shape of every tensor of a GPT-2 decoder, as (in, out)."""
    width = config["n_embd"]
    inner = config.get("n_inner") or 4 * width
    shapes: dict[str, tuple[int, ...]] = {
        "wte.weight": (config["vocab_size"], width),
        "wpe.weight": (config["n_positions"], width),
        **_norm("ln_f", width),
    }
    for layer in range(config["n_layer"]):
        start = f"h.{layer}"
        shapes |= _norm(f"{start}.ln_1", width) | _norm(f"{start}.ln_2", width)
        shapes |= _turned(f"{start}.attn.c_attn", width, 3 * width)
        shapes |= _turned(f"{start}.attn.c_proj", width, width)
        shapes |= _turned(f"{start}.mlp.c_fc", width, inner)
        shapes |= _turned(f"{start}.mlp.c_proj", inner, width)
    return shapes


def tensors(shapes: dict[str, tuple[int, ...]], seed: int = 0) -> dict[str, Any]:
    """Return generated weights: gains around 1, everything else around 0."""
    draw = np.random.default_rng(seed)
    made = {}
    for name, shape in shapes.items():
        gain = name.endswith(".weight") and len(shape) == 1
        made[name] = (draw.normal(0, 0.3, shape) + gain).astype(np.float32)
    return made


def write_model(
    folder: Path, family: str = "bert", *, seed: int = 0, prefix: str = "", **changes: Any
) -> Path:
    """Write a tiny model and return its folder.

    Parameters
    ----------
    folder : Path
        Made where it is missing.
    family : {"bert", "gpt2"}
    seed : int
        Of the weights.
    prefix : str
        Before the name of each tensor, such as ``"bert."``.
    **changes
        Entries of config.json that differ from `BERT` or `GPT2`.
    """
    tokenizer = bert_tokenizer() if family == "bert" else gpt2_tokenizer()
    usual = {"vocab_size": tokenizer.get_vocab_size(), **(BERT if family == "bert" else GPT2)}
    config = usual | changes
    shapes = bert_shapes(config) if family == "bert" else gpt2_shapes(config)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    tokenizer.save(str(folder / "tokenizer.json"))
    made = {prefix + name: array for name, array in tensors(shapes, seed).items()}
    save_file(made, folder / "model.safetensors")
    return folder


def _linear(name: str, out: int, size: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (out, size), f"{name}.bias": (out,)}


def _turned(name: str, size: int, out: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (size, out), f"{name}.bias": (out,)}


def _norm(name: str, width: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}
