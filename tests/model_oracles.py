"""BERT and GPT-2 written as loops over single numbers in float64; this file never imports engine.

After the papers (Vaswani 2017, Devlin 2018, Radford 2019) and the layout of their checkpoints:
BERT's matrices are (out, in), GPT-2's (in, out). Slow on purpose.
"""

from __future__ import annotations

import math

import numpy as np

from tests.oracles import softmax_row

BERT_VECTORS = ("self.query", "self.key", "self.value", "output.dense")


def generated_config(family, *, layers, heads, size, inner, vocabulary, positions, activation):
    """Return a config.json of these sizes; ``size`` is that of a head."""
    width = heads * size
    if family == "bert":
        return {
            "model_type": "bert",
            "architectures": ["BertModel"],
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "hidden_size": width,
            "intermediate_size": inner,
            "vocab_size": vocabulary,
            "max_position_embeddings": positions,
            "type_vocab_size": 2,
            "layer_norm_eps": 1e-3,
            "hidden_act": activation,
        }
    return {
        "model_type": "gpt2",
        "architectures": ["GPT2LMHeadModel"],
        "n_layer": layers,
        "n_head": heads,
        "n_embd": width,
        "n_inner": inner,
        "vocab_size": vocabulary,
        "n_positions": positions,
        "layer_norm_epsilon": 1e-3,
        "activation_function": activation,
    }


def generated_weights(values, rng):
    """Return weights by the names and in the shapes of a checkpoint, float32."""
    return {
        name: rng.normal(0, 0.7, shape).astype(np.float32)
        for name, shape in checkpoint_shapes(values).items()
    }


def checkpoint_shapes(values):
    """Return the shape of every tensor that a checkpoint holds, by its name."""
    shapes = bert_shapes(values) if values["model_type"] == "bert" else gpt2_shapes(values)
    return {name: tuple(shape) for name, shape in shapes.items()}


def bert_shapes(values):
    W, N = values["hidden_size"], values["intermediate_size"]
    shapes = {
        "embeddings.word_embeddings.weight": (values["vocab_size"], W),
        "embeddings.position_embeddings.weight": (values["max_position_embeddings"], W),
        "embeddings.token_type_embeddings.weight": (values["type_vocab_size"], W),
        "embeddings.LayerNorm.weight": (W,),
        "embeddings.LayerNorm.bias": (W,),
    }
    for layer in range(values["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        for part in BERT_VECTORS:
            shapes[f"{at}attention.{part}.weight"], shapes[f"{at}attention.{part}.bias"] = (
                (W, W),
                (W,),
            )
        for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes[f"{at}{norm}.weight"] = shapes[f"{at}{norm}.bias"] = (W,)
        shapes[f"{at}intermediate.dense.weight"] = (N, W)
        shapes[f"{at}intermediate.dense.bias"] = (N,)
        shapes[f"{at}output.dense.weight"] = (W, N)
        shapes[f"{at}output.dense.bias"] = (W,)
    return shapes


def gpt2_shapes(values):
    W, N = values["n_embd"], values["n_inner"]
    shapes = {
        "wte.weight": (values["vocab_size"], W),
        "wpe.weight": (values["n_positions"], W),
        "ln_f.weight": (W,),
        "ln_f.bias": (W,),
    }
    for layer in range(values["n_layer"]):
        at = f"h.{layer}."
        for norm in ("ln_1", "ln_2"):
            shapes[f"{at}{norm}.weight"] = shapes[f"{at}{norm}.bias"] = (W,)
        for part, into, out in (
            ("attn.c_attn", W, 3 * W),
            ("attn.c_proj", W, W),
            ("mlp.c_fc", W, N),
            ("mlp.c_proj", N, W),
        ):
            shapes[f"{at}{part}.weight"], shapes[f"{at}{part}.bias"] = (into, out), (out,)
    return shapes


def forward(values, weights, ids, cut=None):
    """Run a model.

    Parameters
    ----------
    values : dict
        config.json.
    weights : dict
        By the names of a checkpoint.
    ids : list of int
    cut : tuple or None
        Key, query, layer and head, from 0; None in a place is every one.

    Returns
    -------
    attention : np.ndarray, (L, H, T, T)
    final : np.ndarray, (T, width)
    """
    run = bert if values["model_type"] == "bert" else gpt2
    attention, final = run(values, weights, [int(each) for each in ids], cut)
    return np.array(attention), np.array(final)


def bert(values, weights, ids, cut):
    epsilon, heads = values["layer_norm_eps"], values["num_attention_heads"]
    words, places = (
        weights[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position")
    )
    segment = weights["embeddings.token_type_embeddings.weight"][0]

    def norm(rows, name):
        gain, shift = weights[name + ".weight"], weights[name + ".bias"]
        return [normal(row, gain, shift, epsilon) for row in rows]

    def dense(rows, name):
        return affine(rows, weights[name + ".weight"].T, weights[name + ".bias"])

    x = [
        [float(words[t][n]) + float(places[i][n]) + float(segment[n]) for n in range(len(segment))]
        for i, t in enumerate(ids)
    ]
    x = norm(x, "embeddings.LayerNorm")
    attention = []
    for layer in range(values["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        q, k, v = (dense(x, f"{at}attention.self.{name}") for name in ("query", "key", "value"))
        rows, mixed = attend(q, k, v, heads, seen_with(cut, layer, causal=False))
        attention.append(rows)
        x = norm(added(x, dense(mixed, at + "attention.output.dense")),
                 at + "attention.output.LayerNorm")  # fmt: skip
        inner = activated(dense(x, at + "intermediate.dense"), values["hidden_act"])
        x = norm(added(x, dense(inner, at + "output.dense")), at + "output.LayerNorm")
    return attention, x


def gpt2(values, weights, ids, cut):
    epsilon, heads = values["layer_norm_epsilon"], values["n_head"]
    width = values["n_embd"]

    def norm(rows, name):
        gain, shift = weights[name + ".weight"], weights[name + ".bias"]
        return [normal(row, gain, shift, epsilon) for row in rows]

    def dense(rows, name):
        return affine(rows, weights[name + ".weight"], weights[name + ".bias"])

    words, places = weights["wte.weight"], weights["wpe.weight"]
    x = [
        [float(words[t][n]) + float(places[i][n]) for n in range(width)] for i, t in enumerate(ids)
    ]
    attention = []
    for layer in range(values["n_layer"]):
        at = f"h.{layer}."
        three = dense(norm(x, at + "ln_1"), at + "attn.c_attn")
        q, k, v = ([row[n * width : (n + 1) * width] for row in three] for n in range(3))
        rows, mixed = attend(q, k, v, heads, seen_with(cut, layer, causal=True))
        attention.append(rows)
        x = added(x, dense(mixed, at + "attn.c_proj"))
        inner = activated(
            dense(norm(x, at + "ln_2"), at + "mlp.c_fc"), values["activation_function"]
        )
        x = added(x, dense(inner, at + "mlp.c_proj"))
    return attention, norm(x, "ln_f")


def seen_with(cut, layer, *, causal):
    """Return the rule that says whether a head lets a query see a key."""

    def seen(h, i, j):
        if causal and j > i:
            return False
        if cut is None:
            return True
        key, *others = cut
        here = zip(others, (i, layer, h), strict=True)
        return not (j == key and all(wanted is None or wanted == it for wanted, it in here))

    return seen


def attend(q, k, v, heads, seen):
    """Return the rows of each head, and what the heads give, joined."""
    T, size = len(q), len(q[0]) // heads
    rows: list[list[list[float]]] = []
    mixed: list[list[float]] = [[] for _ in q]
    for h in range(heads):
        dims = range(h * size, (h + 1) * size)
        rows.append([])
        for i in range(T):
            scores = [
                math.fsum(q[i][d] * k[j][d] for d in dims) / math.sqrt(size)
                if seen(h, i, j)
                else -math.inf
                for j in range(T)
            ]
            row = softmax_row(scores)
            rows[h].append(row)
            mixed[i] += [math.fsum(row[j] * v[j][d] for j in range(T)) for d in dims]
    return rows, mixed


def affine(rows, matrix, bias):
    """Return each row times a matrix (in, out), plus the bias."""
    matrix = np.asarray(matrix, dtype=float).T.tolist()
    return [
        [math.fsum(a * b for a, b in zip(row, column, strict=True)) + float(shift)
         for column, shift in zip(matrix, bias, strict=True)]
        for row in rows
    ]  # fmt: skip


def normal(row, gain, shift, epsilon):
    """Return the layer normalisation of one row."""
    mean = math.fsum(row) / len(row)
    variance = math.fsum((each - mean) ** 2 for each in row) / len(row)
    deviation = math.sqrt(variance + epsilon)
    return [
        (each - mean) / deviation * float(g) + float(s)
        for each, g, s in zip(row, gain, shift, strict=True)
    ]


def added(rows, others):
    return [[a + b for a, b in zip(row, other, strict=True)]
            for row, other in zip(rows, others, strict=True)]  # fmt: skip


def activated(rows, name):
    function = {"gelu": gelu, "gelu_new": gelu_new, "relu": lambda x: max(x, 0.0)}[name]
    return [[function(each) for each in row] for row in rows]


def gelu(x):
    return x * math.erfc(-x / math.sqrt(2)) / 2


def gelu_new(x):
    return x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
