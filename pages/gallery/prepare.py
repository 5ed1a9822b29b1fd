"""Names and settings in, exhibits out: what the command line does before it writes anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.backends import get_backend
from engine.errors import OptionError
from pages.gallery import settings
from pages.gallery.ideas import ENTRIES, IDEAS, entry_named
from pages.gallery.model import Exhibit, Idea, Listener

Setting = tuple[str, str, str]  # idea, name, text


def prepare(
    names: Sequence[str] = (),
    assignments: Iterable[str] = (),
    backend: str | None = None,
    progress: Listener | None = None,
) -> list[Exhibit]:
    """Compute what the named figures need and return them in the order of a lecture.

    Parameters
    ----------
    names : sequence of str
        Figures; none means all.
    assignments : iterable of str
        ``"worked_example.causal=true"``: idea, setting, value. The last one of a name holds.
    backend : str, optional
        None is the best for this machine.
    progress : callable, optional
        Hears what share of the computing is done.

    Raises
    ------
    EngineError
        When a figure, an idea, a setting or a value does not exist or does not apply, and whatever
        the computation refuses.
    """
    wanted = {entry_named(name).name for name in names} or set(ENTRIES)
    given = [_parsed(text) for text in assignments]
    chosen = get_backend(backend).name
    configured = {idea.name: _configured(idea, given) for idea in IDEAS}
    _refuse_unused(given, wanted)
    ideas = [idea for idea in IDEAS if wanted & {entry.name for entry in idea.entries}]
    exhibits: list[Exhibit] = []
    for number, idea in enumerate(ideas):
        params, view = configured[idea.name]
        report = _part(progress, number, len(ideas))
        exhibits += _computed(idea, params, view, wanted, idea.backend or chosen, report)
        report(1.0)
    return exhibits


def _computed(
    idea: Idea, params: Any, view: Any, wanted: set[str], backend: str, report: Listener
) -> list[Exhibit]:
    """Return the wanted figures of one idea."""
    entries = [entry for entry in idea.entries if entry.name in wanted]
    result = idea.run(params, backend, report)
    for entry in entries:
        entry.check(result, view)
    return [Exhibit(idea, entry, params, view, result, backend) for entry in entries]


def _part(progress: Listener | None, number: int, count: int) -> Listener:
    """Return who hears of one part, as of a share of ``count`` equal ones."""
    return lambda share: progress((number + share) / count) if progress else None


def _parsed(text: str) -> Setting:
    name, equals, value = text.partition("=")
    idea, dot, setting = name.strip().partition(".")
    if not (equals and dot and idea and setting):
        raise OptionError(
            "A setting is written idea.name=value, such as worked_example.causal=true, got {text}.",
            text=text[:60] or "nothing",
        )
    if idea not in {each.name for each in IDEAS}:
        raise OptionError(
            "There is no idea called {idea}; settings exist for {allowed}.",
            idea=idea[:60],
            allowed=", ".join(each.name for each in IDEAS if names_of(each)),
        )
    return idea, setting, value


def names_of(idea: Idea) -> tuple[str, ...]:
    """Return the names of all settings of an idea."""
    return (*idea.readers, *_params_names(idea), *settings.field_names(idea.view))


def _params_names(idea: Idea) -> tuple[str, ...]:
    return tuple(name for name in settings.field_names(idea.params) if name not in idea.fixed)


def _configured(idea: Idea, given: Iterable[Setting]) -> tuple[Any, Any]:
    """Return parameters and view of an idea with its settings applied, whole ones first."""
    params, view = idea.params(), idea.view()
    own = [(name, text) for owner, name, text in given if owner == idea.name]
    for name, text in sorted(own, key=lambda setting: setting[0] not in idea.readers):
        if name in idea.readers:
            params = idea.readers[name](text)
        elif name in _params_names(idea):
            params = settings.changed(params, name, text)
        elif name in settings.field_names(idea.view):
            view = settings.changed(view, name, text)
        else:
            raise OptionError(
                "{idea} has no setting called {name}; it has {allowed}.",
                idea=idea.name,
                name=name[:60],
                allowed=", ".join(names_of(idea)) or "none",
            )
    return params, view


def _refuse_unused(given: Iterable[Setting], wanted: set[str]) -> None:
    """Refuse a setting that changes none of the figures asked for: it would be lost in silence."""
    for owner, name, _ in given:
        idea = next(each for each in IDEAS if each.name == owner)
        entries = [entry for entry in idea.entries if entry.name in wanted]
        viewed = name in settings.field_names(idea.view)
        if not any(name in entry.uses for entry in entries) if viewed else not entries:
            raise OptionError(
                "{idea}.{name} changes none of the figures asked for; leave it out, or ask for a "
                "figure of {idea} that shows it.",
                idea=owner,
                name=name,
            )
