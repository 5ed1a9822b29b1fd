"""Published models, each with where its sizes are printed.

GPT-2 small: the defaults of src/model.py, whose feed-forward width is 4 x 768; table 2 of the paper
has layers and width. BERT base: section 3 of the paper, and modeling.py of google-research/bert.
Llama 2 7B: the context in table 1 of the paper, the rest in config.json of
meta-llama/Llama-2-7b-hf. Llama 3: table 3 of the paper, and config.json and MODEL_CARD.md of the
release of April 2024, whose context is 8,192 (later releases reach 131,072). GPT-3: table 2.1 of
the paper and the text below it (feed-forward width 4 x 12,288, context 2,048); it alternates dense
layers with banded sparse ones (section 2.1), which the predictions count as dense.

From these shapes the number of parameters comes out as published: to the last digit once
embeddings, norms and biases are added, for GPT-3 to the billion.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import OptionError
from engine.experiments.memory.limits import grouped
from engine.experiments.memory.shape import Shape


@dataclass(frozen=True)
class Preset:
    """One published model.

    Attributes
    ----------
    name, title : str
        For a link, and for a person.
    shape : Shape
        Its sizes.
    T : int
        The longest sequence that it was published for.
    decoder : bool
        Whether it writes token by token and so keeps a KV cache; BERT does not.
    source : str
        Authors, year, and what to look for, in no language.
    address : str
        URL of the source.
    banded : bool
        Whether every other layer is sparse, with a band of keys for each query.
    """

    name: str
    title: str
    shape: Shape
    T: int
    decoder: bool
    source: str
    address: str
    banded: bool = False


PRESETS: tuple[Preset, ...] = (
    Preset(
        name="gpt-2-small",
        title="GPT-2 small",
        shape=Shape(12, 12, 12, 64, 768, 3072, gated=False),
        T=1024,
        decoder=True,
        source="Radford et al. 2019; openai/gpt-2, src/model.py",
        address="https://github.com/openai/gpt-2/blob/master/src/model.py",
    ),
    Preset(
        name="bert-base",
        title="BERT base",
        shape=Shape(12, 12, 12, 64, 768, 3072, gated=False),
        T=512,
        decoder=False,
        source="Devlin et al. 2019, arXiv:1810.04805",
        address="https://arxiv.org/abs/1810.04805",
    ),
    Preset(
        name="llama-2-7b",
        title="Llama 2 7B",
        shape=Shape(32, 32, 32, 128, 4096, 11008, gated=True),
        T=4096,
        decoder=True,
        source="Touvron et al. 2023, arXiv:2307.09288",
        address="https://arxiv.org/abs/2307.09288",
    ),
    Preset(
        name="llama-3-8b",
        title="Llama 3 8B",
        shape=Shape(32, 32, 8, 128, 4096, 14336, gated=True),
        T=8192,
        decoder=True,
        source="Llama Team 2024, arXiv:2407.21783",
        address="https://arxiv.org/abs/2407.21783",
    ),
    Preset(
        name="llama-3-70b",
        title="Llama 3 70B",
        shape=Shape(80, 64, 8, 128, 8192, 28672, gated=True),
        T=8192,
        decoder=True,
        source="Llama Team 2024, arXiv:2407.21783",
        address="https://arxiv.org/abs/2407.21783",
    ),
    Preset(
        name="gpt-3",
        title="GPT-3",
        shape=Shape(96, 96, 96, 128, 12288, 49152, gated=False),
        T=2048,
        decoder=True,
        source="Brown et al. 2020, arXiv:2005.14165",
        address="https://arxiv.org/abs/2005.14165",
        banded=True,
    ),
)


def preset_named(name: str) -> Preset:
    """Return the model of that name.

    Raises
    ------
    OptionError
        When there is none; the sentence lists those there are.
    """
    for preset in PRESETS:
        if preset.name == name:
            return preset
    raise OptionError(
        "There is no preset {name}; choose one of {known}.",
        name=grouped(name),
        known=", ".join(preset.name for preset in PRESETS),
    )


def preset_of(shape: Shape) -> Preset | None:
    """Return the first model that has these sizes; GPT-2 small and BERT base share theirs."""
    return next((preset for preset in PRESETS if preset.shape == shape), None)
