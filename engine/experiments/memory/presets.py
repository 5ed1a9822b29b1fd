"""Published models, each with where its sizes are printed."""

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
        Authors, year, and where the sizes are printed.
    address : str
        URL of the source.
    """

    name: str
    title: str
    shape: Shape
    T: int
    decoder: bool
    source: str
    address: str


PRESETS: tuple[Preset, ...] = (
    Preset(
        name="gpt-2-small",
        title="GPT-2 small",
        shape=Shape(12, 12, 12, 64, 768, 3072, gated=False),
        T=1024,
        decoder=True,
        source="Radford et al. 2019, section 2.3 and table 2; openai/gpt-2, src/model.py",
        address="https://github.com/openai/gpt-2/blob/master/src/model.py",
    ),
    Preset(
        name="bert-base",
        title="BERT base",
        shape=Shape(12, 12, 12, 64, 768, 3072, gated=False),
        T=512,
        decoder=False,
        source="Devlin et al. 2019, section 3",
        address="https://arxiv.org/abs/1810.04805",
    ),
    Preset(
        name="llama-2-7b",
        title="Llama 2 7B",
        shape=Shape(32, 32, 32, 128, 4096, 11008, gated=True),
        T=4096,
        decoder=True,
        source="Touvron et al. 2023, table 1; meta-llama/Llama-2-7b-hf, config.json",
        address="https://arxiv.org/abs/2307.09288",
    ),
    Preset(
        name="llama-3-8b",
        title="Llama 3 8B",
        shape=Shape(32, 32, 8, 128, 4096, 14336, gated=True),
        T=8192,
        decoder=True,
        source="Llama Team 2024, table 3; meta-llama/llama3, MODEL_CARD.md",
        address="https://arxiv.org/abs/2407.21783",
    ),
    Preset(
        name="llama-3-70b",
        title="Llama 3 70B",
        shape=Shape(80, 64, 8, 128, 8192, 28672, gated=True),
        T=8192,
        decoder=True,
        source="Llama Team 2024, table 3; meta-llama/llama3, MODEL_CARD.md",
        address="https://arxiv.org/abs/2407.21783",
    ),
    Preset(
        name="gpt-3",
        title="GPT-3",
        shape=Shape(96, 96, 96, 128, 12288, 49152, gated=False),
        T=2048,
        decoder=True,
        source="Brown et al. 2020, table 2.1",
        address="https://arxiv.org/abs/2005.14165",
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
