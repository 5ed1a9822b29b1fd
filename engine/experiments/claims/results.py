"""The results that the checks of claims rest on: each is computed once, or found where it is."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar

_Result_co = TypeVar("_Result_co", covariant=True)
_Result = TypeVar("_Result")


class Run(Protocol[_Result_co]):
    """An experiment, which computes a result on a backend."""

    def __call__(self, params: Any, /, *, backend: str) -> _Result_co:
        """Return the result of some parameters."""


def find_nothing(_params: Hashable, _backend: str) -> None:
    """Find no result anywhere else."""


def keep_nowhere(_params: Hashable, _backend: str, _result: Any) -> None:
    """Keep a result nowhere else."""


class Results:
    """Results by experiment and parameters, so that several checks share one computation.

    Parameters
    ----------
    backend : str
        The name of what computes them, unless a check asks for another.
    kept : callable
        Takes parameters and the name of a backend, and returns a result that is kept elsewhere,
        or None. The type of the parameters must tell which experiment it is of.
    keep : callable
        Takes parameters, the name of a backend and a result that was computed here.
    """

    def __init__(
        self,
        backend: str,
        kept: Callable[[Any, str], Any | None] = find_nothing,
        keep: Callable[[Any, str, Any], None] = keep_nowhere,
    ) -> None:
        self.backend = backend
        self._kept, self._keep = kept, keep
        self._own: dict[tuple[Run[Any], Hashable, str], Any] = {}

    def of(self, params: Hashable, run: Run[_Result], *, backend: str | None = None) -> _Result:
        """Return the result of an experiment: one kept elsewhere, else its own, else a new one.

        What is kept elsewhere comes first, since it is what the reader sees there: a measurement
        that was made again has other numbers than before.

        Parameters
        ----------
        params : hashable
            What the experiment takes.
        run : callable
            The experiment, a function of a module: two checks that pass the same share the result.
        backend : str, optional
            Another one than that of the rest.

        Raises
        ------
        EngineError
            Whatever the experiment refuses.
        """
        chosen = backend or self.backend
        place = (run, params, chosen)
        found = self._kept(params, chosen)
        if found is not None:
            self._own[place] = found
        elif place not in self._own:
            self._own[place] = run(params, backend=chosen)
            self._keep(params, chosen, self._own[place])
        result: _Result = self._own[place]
        return result
