"""Computes what the tabs of this page show."""

from __future__ import annotations

from engine.experiments.lookup.axes import AxesParams, AxesResult
from engine.experiments.lookup.roles import RolesParams, RolesResult
from engine.experiments.lookup.soft import Result
from engine.experiments.lookup.table import Params
from pages.gallery.lookup import AXES, LOOKED, ROLES
from pages.text import Translator
from pages.ui import status
from pages.ui.computed import Computed
from pages.ui.lookup import state

_LOOKED = Computed(f"{state.PAGE}.lookup", LOOKED, state.looked_params, Params())
_ROLES = Computed(f"{state.PAGE}.roles", ROLES, state.roles_params, RolesParams())
_AXES = Computed(f"{state.PAGE}.axes", AXES, state.axes_params, AxesParams())


def looked(t: Translator) -> Result:
    """Return what the query finds."""
    return status.noted(_LOOKED.shown(t))


def roles(t: Translator) -> RolesResult:
    """Return what a token gives to itself."""
    return status.noted(_ROLES.shown(t))


def axes(t: Translator) -> AxesResult:
    """Return the scores, normalised along both axes."""
    return status.noted(_AXES.shown(t))
