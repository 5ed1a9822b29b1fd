"""Records what PyTorch and transformers compute, for tests to compare with.

    python -m tests.record_reference FOLDER

FOLDER holds all-MiniLM-L6-v2. Needs PyTorch and transformers, which no test needs. Writes
tests/data/reference_minilm.npz (five texts) and reference_tiny.npz (a BERT and a GPT-2 of a few
numbers, with their weights as transformers names them).
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).parent / "data"
TEXTS = {
    "tired": "The animal didn't cross the street because it was too tired.",
    "wide": "The animal didn't cross the street because it was too wide.",
    "chinese": "那只动物没有过街，因为它太累了。",
    "odd": "Unaffable naïveté: 3.14 × $x_1$ [MASK] ~ 🙂 antidisestablishmentarianism!",
    "long": "A river rises in the mountains, where snow melts in spring and rain falls in autumn. "
    "It runs past farms and small towns, and each of them has built a bridge, a mill or a quay. "
    "Boats carried timber, salt and grain on it for five hundred years, until the railway came "
    "and took the trade away; since then the quays are quiet, and people fish from them. Near "
    "the sea the water slows down and turns brown, islands of reed divide it, and nobody can say "
    "where the river ends and the bay begins. Geese gather there in October, "
    "and stay until the first ice comes down from the hills.",
}
SAMPLED = (0, 1, 17, 64, 100, -1)  # rows of the long text that are kept
STEPS = 65_535  # of a weight kept in two bytes: off by 8e-6 at most


def main(folder: str) -> None:
    """Record both files."""
    torch, transformers = import_module("torch"), import_module("transformers")
    torch.set_num_threads(1)
    with torch.no_grad():
        np.savez_compressed(DATA / "reference_minilm.npz", **real(torch, transformers, folder))
        np.savez_compressed(DATA / "reference_tiny.npz", **tiny(torch, transformers))


def real(torch: Any, transformers: Any, folder: str) -> dict[str, Any]:
    """Return the tokens, weights and final vectors of each text."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    kept: dict[str, Any] = {}
    for name, text in TEXTS.items():
        ids = np.array(tokenizer(text)["input_ids"])
        attention, final = passed(torch, model, ids)
        rows = np.arange(len(ids))[list(SAMPLED)] if name == "long" else np.arange(len(ids))
        kept[f"{name}.ids"], kept[f"{name}.rows"] = ids, rows
        steps = np.rint(attention[:, :, rows] * STEPS)
        kept[f"{name}.attention"], kept[f"{name}.final"] = steps.astype(np.uint16), final[rows]
    return kept


def tiny(torch: Any, transformers: Any) -> dict[str, Any]:
    """Return generated models of both families, with what they give for a few tokens."""
    torch.manual_seed(20)
    sizes = {"hidden_size": 12, "num_attention_heads": 3, "num_hidden_layers": 2}
    bert = transformers.BertForMaskedLM(
        transformers.BertConfig(
            **sizes,
            vocab_size=11,
            intermediate_size=20,
            max_position_embeddings=9,
            layer_norm_eps=0.01,
            attn_implementation="eager",
        )
    )
    gpt2 = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            n_embd=12,
            n_head=2,
            n_layer=3,
            vocab_size=13,
            n_positions=10,
            bos_token_id=None,
            eos_token_id=None,
            layer_norm_epsilon=0.01,
            attn_implementation="eager",
        )
    )
    kept = of_tiny(torch, "bert", bert, bert.bert, [3, 1, 10, 0, 3, 7, 5])
    return kept | of_tiny(torch, "gpt2", gpt2, gpt2.transformer, [12, 4, 4, 0, 9, 1, 2, 8])


def of_tiny(torch: Any, name: str, whole: Any, inner: Any, ids: list[int]) -> dict[str, Any]:
    """Draw every weight anew, so that none is 0 or 1, and return them with what they give."""
    for parameter in whole.parameters():
        torch.nn.init.normal_(parameter, std=0.6)
    attention, final = passed(torch, inner.eval(), np.array(ids))
    weights = {f"{name}.weights.{key}": value.numpy() for key, value in whole.state_dict().items()}
    config = json.dumps(whole.config.to_dict(), sort_keys=True)
    return weights | {
        f"{name}.config": np.array(config),
        f"{name}.ids": np.array(ids),
        f"{name}.attention": attention,
        f"{name}.final": final,
    }


def passed(torch: Any, model: Any, ids: Any) -> tuple[Any, Any]:
    """Return the weights (L, H, T, T) and the final vectors (T, width)."""
    output = model(torch.tensor(ids[None]), output_attentions=True)
    return torch.stack(output.attentions)[:, 0].numpy(), output.last_hidden_state[0].numpy()


if __name__ == "__main__":
    main(*sys.argv[1:])
