"""The attention of a model on one text: recorded for a few sentences, computed for any other.

Shape legend: L layers, H heads a layer, T tokens (pieces) of the text.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.attention import choose_backend
from engine.backends import Backend
from engine.errors import ModelError
from engine.experiments.context.recorded import record, recorded_text
from engine.experiments.context.sentences import PAIRS
from engine.experiments.read_only import read_only
from engine.experiments.text_given import require_text
from engine.models.forward import run_model
from engine.models.loading import load
from engine.shapes import Array

PRECISION = "float32"  # of models, on every backend


@dataclass(frozen=True)
class StudyParams:
    """Which model reads what.

    Attributes
    ----------
    model : str
        What names the model, see `engine.models.reference`; "" stands for what was recorded.
    version : str
        The version the weights must have; "" for any.
    text : str
    """

    model: str = ""
    version: str = ""
    text: str = PAIRS[0].first


@dataclass(frozen=True)
class Study:
    """A text as a model reads it.

    Attributes
    ----------
    params : StudyParams
    text : str
    tokens : tuple of str
        T pieces, as the tokenizer writes them.
    special : np.ndarray
        bool, (T,): tokens that the tokenizer adds, such as [CLS].
    unknown : np.ndarray
        bool, (T,): pieces the vocabulary does not have, all read as one and the same.
    spans : tuple of (int, int)
        Where in the text each token stands; special ones are empty.
    attention : np.ndarray
        float32, (L, H, T, T): weights of query i on key j; each row sums to 1.
    recorded : bool
        Whether the weights were read from a record, not computed now.
    model_name : str
    family : str
        "bert" or "gpt2".
    version : str
        Of the model's files.
    backend_name, precision : str
        What computed the weights; of recorded ones, what computed them then.
    seconds : float
        That computing, or reading, took.
    """

    params: StudyParams
    text: str
    tokens: tuple[str, ...]
    special: Array
    unknown: Array
    spans: tuple[tuple[int, int], ...]
    attention: Array
    recorded: bool
    model_name: str
    family: str
    version: str
    backend_name: str
    precision: str
    seconds: float

    @property
    def length(self) -> int:
        """Number of tokens, T."""
        return len(self.tokens)

    @property
    def layers(self) -> int:
        """Number of layers."""
        return int(self.attention.shape[0])

    @property
    def heads(self) -> int:
        """Number of heads a layer."""
        return int(self.attention.shape[1])

    @property
    def causal(self) -> bool:
        """Whether a token sees only itself and those before it."""
        return self.family == "gpt2"


Studying = Callable[[StudyParams], Study]  # what gives a study: `study`, or one that keeps them


def study(
    params: StudyParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Study:
    """Return the attention of the model on the text.

    Raises
    ------
    ModelError
        Without a model, when the text is none of those recorded; when the model cannot be loaded;
        when its version is not the one asked for.
    EngineError
        When the text is empty, or longer than the model can read.
    """
    for name in ("model", "version", "text"):
        require_text(name, getattr(params, name))
    started = time.perf_counter()
    found = _computed(params, backend, progress) if params.model else _recorded(params)
    if progress:
        progress(1.0)
    return replace(found, seconds=time.perf_counter() - started)


def require_version(wanted: str, version: str, name: str) -> None:
    """Refuse another version of a model than the one wanted; "" wants any."""
    if wanted not in ("", version):
        raise ModelError(
            "Version {wanted} of the model {name} is wanted, and this one is {version}; "
            "take the files it was made with, or let the version be any.",
            wanted=wanted,
            name=name,
            version=version,
        )


def _recorded(params: StudyParams) -> Study:
    found, about = recorded_text(params.text), record()
    require_version(params.version, about.version, about.model_name)
    return Study(
        params=params,
        text=params.text.strip(),
        tokens=found.tokens,
        special=found.special,
        unknown=found.unknown,
        spans=found.spans,
        attention=found.attention,
        recorded=True,
        model_name=about.model_name,
        family=about.family,
        version=about.version,
        backend_name=about.backend_name,
        precision=about.precision,
        seconds=0.0,
    )


def _computed(
    params: StudyParams,
    backend: Backend | str | None,
    progress: Callable[[float], None] | None,
) -> Study:
    chosen = choose_backend(backend)
    model = load(params.model)
    require_version(params.version, model.version, model.name)
    encoded = model.encode(params.text)
    passed = run_model(
        model.config, model.parameters, encoded.ids, backend=chosen, progress=progress
    )
    read_only(encoded.special, encoded.unknown, passed.attention)
    return Study(
        params=params,
        text=params.text,
        tokens=encoded.pieces,
        special=encoded.special,
        unknown=encoded.unknown,
        spans=encoded.spans,
        attention=passed.attention,
        recorded=False,
        model_name=model.name,
        family=model.config.family,
        version=model.version,
        backend_name=chosen.name,
        precision=PRECISION,
        seconds=0.0,
    )
