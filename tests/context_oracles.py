"""What is made of a model's attention, written as loops in float64; never imports engine."""

from __future__ import annotations

import math

import numpy as np


def treated(matrix, special, way):
    """Return the places that are kept and the weights between them, of one head."""
    T = len(matrix)
    if way == "shown":
        return list(range(T)), [[float(matrix[i][j]) for j in range(T)] for i in range(T)]
    places = [i for i in range(T) if not special[i]]
    rows = [[float(matrix[i][j]) for j in places] for i in places]
    if way == "renormalised":
        rows = [[w / sum(row) if sum(row) else w for w in row] for row in rows]
    return places, rows


def looked(matrix, special, way):
    """Return mean distance, mean diagonal weight and the share of special tokens in all weights."""
    places, rows = treated(matrix, special, way)
    distance = diagonal = 0.0
    for i, row in zip(places, rows, strict=True):
        for j, weight in zip(places, row, strict=True):
            distance += weight * abs(i - j)
            diagonal += weight if i == j else 0
    n, T = len(places), len(matrix)
    share = math.fsum(float(matrix[i][j]) for i in range(T) for j in range(T) if special[j])
    return distance / n, diagonal / n, share / T


def even(T, causal):
    """Return equal weights on all keys that each query sees."""
    return [
        [1 / ((i + 1) if causal else T) if (j <= i or not causal) else 0.0 for j in range(T)]
        for i in range(T)
    ]


def shared(first, second):
    """Return the pairs of places of the common beginning and the common end."""
    pairs, i = [], 0
    while i < min(len(first), len(second)) and first[i] == second[i]:
        pairs.append((i, i))
        i += 1
    end: list[tuple[int, int]] = []
    back = 1
    while (
        len(first) - back >= i and len(second) - back >= i and first[-back] == second[-back]
    ):  # fmt: skip
        end.insert(0, (len(first) - back, len(second) - back))
        back += 1
    return pairs + end


def row_of(matrix, special, way, query):
    """Return place -> weight of one query."""
    places, rows = treated(matrix, special, way)
    return dict(zip(places, rows[places.index(query)], strict=True))


def movement(row, other, pairs):
    """Return half the sum of absolute differences, all tokens that are not shared as one."""
    total = sum(abs(row[i] - other[j]) for i, j in pairs if i in row)
    rest = sum(w for i, w in row.items() if i not in {i for i, _ in pairs})
    other_rest = sum(w for j, w in other.items() if j not in {j for _, j in pairs})
    return (total + abs(rest - other_rest)) / 2


def rank(numbers, number):
    """Return the rank of one number, from 1, the mean of its ranks where it is there often."""
    return sum(n < number for n in numbers) + (sum(n == number for n in numbers) + 1) / 2


def spearman(one, other):
    """Return Pearson's correlation of the ranks."""
    n = len(one)
    x = [rank(one, each) for each in one]
    y = [rank(other, each) for each in other]
    middle = (n + 1) / 2
    up = math.fsum((a - middle) * (b - middle) for a, b in zip(x, y, strict=True))
    down = math.fsum((a - middle) ** 2 for a in x) * math.fsum((b - middle) ** 2 for b in y)
    return up / math.sqrt(down)


def removable(T, causal, query, rows, key):
    """Say whether the query sees the key and every token keeps a key when it is gone."""
    sees = [[j <= i or not causal for j in range(T)] for i in range(T)]
    if not sees[query][key]:
        return False
    affected = [query] if rows == "token" else range(T)
    return all(any(sees[i][j] for j in range(T) if j != key) for i in affected)


class Bert:
    """A BERT encoder in float64, from the tensors of its file, one head after the other."""

    def __init__(self, tensors, config):
        self.tensors = {name: np.asarray(each, np.float64) for name, each in tensors.items()}
        self.layers, self.heads = config["num_hidden_layers"], config["num_attention_heads"]
        self.epsilon = config["layer_norm_eps"]

    def final(self, ids, lacks):
        """Return the final vectors; ``lacks(layer, head, query, key)`` says what is gone."""
        place = self.tensors["embeddings.position_embeddings.weight"][: len(ids)]
        segment = self.tensors["embeddings.token_type_embeddings.weight"][0]
        word = self.tensors["embeddings.word_embeddings.weight"][list(ids)]
        x = self._norm("embeddings.LayerNorm", word + place + segment)
        for layer in range(self.layers):
            at = f"encoder.layer.{layer}"
            parts = [self._linear(f"{at}.attention.self.{n}", x) for n in ("query", "key", "value")]
            mixed = attended(parts, self.heads, lambda *where, at=layer: lacks(at, *where))
            x = self._norm(
                f"{at}.attention.output.LayerNorm",
                x + self._linear(f"{at}.attention.output.dense", mixed),
            )
            inner = self._linear(f"{at}.intermediate.dense", x)
            inner = inner * (1 + np.vectorize(math.erf)(inner / math.sqrt(2))) / 2
            x = self._norm(f"{at}.output.LayerNorm", x + self._linear(f"{at}.output.dense", inner))
        return x

    def _linear(self, name, x):
        return x @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]

    def _norm(self, name, x):
        return normed(x, self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"], self.epsilon)


class Gpt2:
    """A GPT-2 decoder in the same way; its matrices are stored the other way round."""

    def __init__(self, tensors, config):
        self.tensors = {name: np.asarray(each, np.float64) for name, each in tensors.items()}
        self.layers, self.heads = config["n_layer"], config["n_head"]
        self.epsilon = config["layer_norm_epsilon"]

    def final(self, ids, lacks):
        """Return the final vectors; nobody sees what comes later."""
        x = self.tensors["wte.weight"][list(ids)] + self.tensors["wpe.weight"][: len(ids)]
        for layer in range(self.layers):
            at = f"h.{layer}"
            read = self._linear(f"{at}.attn.c_attn", self._norm(f"{at}.ln_1", x))
            mixed = attended(
                np.split(read, 3, axis=1),
                self.heads,
                lambda h, i, j, at=layer: j > i or lacks(at, h, i, j),
            )
            x = x + self._linear(f"{at}.attn.c_proj", mixed)
            inner = self._linear(f"{at}.mlp.c_fc", self._norm(f"{at}.ln_2", x))
            bent = np.tanh(math.sqrt(2 / math.pi) * (inner + 0.044715 * inner**3))
            x = x + self._linear(f"{at}.mlp.c_proj", inner * (1 + bent) / 2)
        return self._norm("ln_f", x)

    def _linear(self, name, x):
        return x @ self.tensors[f"{name}.weight"] + self.tensors[f"{name}.bias"]

    def _norm(self, name, x):
        return normed(x, self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"], self.epsilon)


def normed(x, gain, bias, epsilon):
    """Return the rows with mean 0 and variance 1, times the gain, plus the bias."""
    mean, variance = x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)
    return (x - mean) / np.sqrt(variance + epsilon) * gain + bias


def attended(parts, heads, lacks):
    """Return the values that all heads mix; a key that is gone has no share in a row."""
    T = len(parts[0])
    mixed = []
    for head, (q, k, v) in enumerate(
        zip(*(np.split(part, heads, axis=1) for part in parts), strict=True)
    ):
        rows = []
        for i in range(T):
            seen = [j for j in range(T) if not lacks(head, i, j)]
            score = [float(q[i] @ k[j]) / math.sqrt(q.shape[1]) for j in seen]
            share = [math.exp(each - max(score)) for each in score]
            rows.append(sum(s * v[j] for s, j in zip(share, seen, strict=True)) / sum(share))
        mixed.append(np.array(rows))
    return np.concatenate(mixed, axis=1)
