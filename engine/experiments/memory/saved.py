"""A measured run as a file: JSON that another machine's workbench reads, and CSV."""

from __future__ import annotations

import csv
import io
import json
import math
import statistics
from collections.abc import Callable
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any, NoReturn

from engine.errors import EngineError, OptionError
from engine.experiments.memory import guard
from engine.experiments.memory.amounts import bytes_text
from engine.experiments.memory.device import LONGEST_NAME, Machine, is_name
from engine.experiments.memory.measured import (
    WAYS,
    MeasuredParams,
    MeasuredResult,
    require_measured,
)
from engine.experiments.memory.needs import Kernel, Way
from engine.experiments.memory.point import Point
from engine.experiments.number_text import shortened
from engine.experiments.whole_number import is_whole

PROGRAM = "attention-workbench"
KIND = "memory-measured"
VERSION = 1
LARGEST = 2**20  # bytes of a file; the largest run takes about 20,000
MOST_BYTES = 2**62
MOST_SECONDS = 1e6
# What computes each way, by backend.
_KERNELS: dict[tuple[str, Way], tuple[Kernel, ...]] = {
    ("numpy", "materialised"): ("formula",),
    ("numpy", "attend"): ("blocked",),
    ("mlx", "materialised"): ("formula",),
    ("mlx", "attend"): ("fused", "fallback"),
}
# What a machine is called, in words.
_NAMES = ("backend_name", "kind", "device", "processor", "system", "python", "library")
# A spreadsheet runs a cell that begins like this.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def to_json(result: MeasuredResult) -> str:
    """Return a run as JSON, the runs beside it left out; `from_json` reads it back exactly."""
    document = {
        "program": PROGRAM,
        "kind": KIND,
        "version": VERSION,
        "params": asdict(result.params),
        "machine": asdict(result.machine),
        "seconds": result.seconds,
        "elsewhere": result.elsewhere,
        "points": [_plain(point) for point in result.points],
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def from_json(source: str | bytes) -> MeasuredResult:
    """Read a run that `to_json` wrote, on this machine or another.

    Raises
    ------
    EngineError
        When it is too large, no JSON, of another program, kind or version, or when any of its
        fields is not what it can be; in one sentence.
    """
    document = _require_ours(_parsed(_text(source)))
    params = _params(_member(document, "params", dict))
    machine = _machine(_member(document, "machine", dict))
    listed = _member(document, "points", list)
    wanted = [(way, T) for T in sorted(params.Ts) for way in WAYS]
    if len(listed) > len(wanted):
        raise _wrong("points", len(listed))
    points = tuple(
        _point(given, way, T, params, machine)
        for given, (way, T) in zip(listed, wanted, strict=False)
    )
    seconds, elsewhere = (
        _number(document, name, 0.0, MOST_SECONDS) for name in ("seconds", "elsewhere")
    )
    return MeasuredResult(params, machine, points, len(wanted), seconds, elsewhere=elsewhere)


def to_csv(result: MeasuredResult) -> str:
    """Return a run as CSV, one row a point, with the machine and what was measured in each row.

    The last column tells how many cores other programs kept busy meanwhile. A byte order mark is
    in front, for Excel. A text that a spreadsheet would run gets an
    apostrophe.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    params, machine = asdict(result.params), asdict(result.machine)
    del params["Ts"], params["d_k"]
    own = ("way", "T", "d_k", "kernel", "seconds", "least_seconds", "most_seconds", "peak_bytes",
           "predicted_bytes", "working_bytes", "refused")  # fmt: skip
    writer.writerow([*own, *params, *machine, "busy_elsewhere"])
    shared = [_cell(value) for value in (*params.values(), *machine.values(), result.busy)]
    writer.writerows([*map(_cell, _row(point)), *shared] for point in result.points)
    return "\N{ZERO WIDTH NO-BREAK SPACE}" + buffer.getvalue()


# ---- writing


def _plain(point: Point) -> dict[str, object]:
    refused = point.refused
    return {
        "way": point.way,
        "T": point.T,
        "kernel": point.kernel,
        "all_seconds": list(point.all_seconds),
        "peak_bytes": point.peak_bytes,
        "predicted_bytes": point.predicted_bytes,
        "working_bytes": point.working_bytes,
        "refused": None if refused is None else {"kind": refused.kind, **refused.numbers},
    }


def _row(point: Point) -> list[object]:
    measured = point.refused is None
    return [
        point.way,
        point.T,
        point.d_k,
        point.kernel,
        point.seconds if measured else None,
        min(point.all_seconds) if measured else None,
        max(point.all_seconds) if measured else None,
        point.peak_bytes if measured else None,
        point.predicted_bytes,
        point.working_bytes,
        None if measured else str(point.refused),
    ]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA_STARTS) else value
    return repr(value)


# ---- reading


def _text(source: str | bytes) -> str:
    if len(source) > LARGEST:
        raise OptionError(
            "The file has {size}, and a saved run has at most {largest}.",
            size=bytes_text(len(source)),
            largest=bytes_text(LARGEST),
        )
    try:
        text = source.decode("utf-8") if isinstance(source, bytes) else source
    except UnicodeDecodeError:
        raise OptionError("The file is no text in UTF-8, as a saved run is.") from None
    return text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")


def _parsed(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise OptionError(
            "The file is no JSON document; reading stops at line {line}, column {column}.",
            line=error.lineno,
            column=error.colno,
        ) from None
    except EngineError:
        raise
    except RecursionError:
        raise OptionError("The file is nested too deeply for a saved run.") from None
    except ValueError:  # an integer of thousands of digits
        raise OptionError("The file holds a number too long for a saved run.") from None


def _refuse_constant(constant: str) -> NoReturn:
    raise OptionError("The file holds {constant}, which no saved run does.", constant=constant)


def _require_ours(document: object) -> dict[str, Any]:
    if not isinstance(document, dict) or document.get("program") != PROGRAM:
        raise OptionError(
            "The file was not saved by this program; choose one that was saved on this page."
        )
    if document.get("kind") != KIND:
        raise OptionError("The file was saved by this program, but it holds no measured run.")
    version = document.get("version")
    if not is_whole(version, 1, 10**6):
        raise _wrong("version", version)
    if version != VERSION:
        raise OptionError(
            "The run was saved in version {version} of the format, and this program reads "
            "version {own}; update the older of the two programs.",
            version=version,
            own=VERSION,
        )
    return document


def _wrong(name: str, value: object) -> OptionError:
    return OptionError(
        "The saved run is damaged: its field {name} cannot be {value}.",
        name=name,
        value=shortened(str(value)) or "''",
    )


def _member(members: dict[str, Any], name: str, kind: type) -> Any:
    if not isinstance(members.get(name), kind):
        raise _wrong(name, members.get(name))
    return members[name]


def _whole(members: dict[str, Any], name: str, least: int, most: int) -> int:
    value = members.get(name)
    if not is_whole(value, least, most):
        raise _wrong(name, value)
    return int(members[name])


def _number(members: dict[str, Any], name: str, least: float, most: float) -> float:
    if not _is_number(members.get(name), least, most):
        raise _wrong(name, members.get(name))
    return float(members[name])


def _is_number(value: object, least: float, most: float) -> bool:
    """Say whether a value is a finite number within bounds, which a huge whole number is not."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return least <= value <= most


def _params(members: dict[str, Any]) -> MeasuredParams:
    names = [field.name for field in fields(MeasuredParams)]
    missing = next((name for name in names if name not in members), None)
    if missing:
        raise _wrong(missing, None)
    given = {name: members[name] for name in names}
    for name, value in given.items():
        if not _fits(name, value):
            raise _wrong(name, value)
    params = MeasuredParams(**{**given, "Ts": tuple(given["Ts"])})
    try:
        require_measured(params)
    except EngineError as error:
        raise OptionError("The saved run is damaged: {why}", why=error) from None
    return params


def _fits(name: str, value: object) -> bool:
    """Say whether a parameter is of its kind; whether it is in its range is asked later."""
    if name == "Ts":
        return isinstance(value, list) and all(map(_is_size, value))
    kind = {"dtype": str, "causal": bool}.get(name)
    return isinstance(value, kind) if kind else _is_size(value)


def _is_size(value: object) -> bool:
    return is_whole(value, 0, MOST_BYTES)


def _machine(members: dict[str, Any]) -> Machine:
    texts = {name: _name(members, name) for name in _NAMES}
    texts["date"] = _date(members)
    for name, allowed in (("backend_name", ("numpy", "mlx")), ("kind", ("cpu", "gpu"))):
        if texts[name] not in allowed:
            raise _wrong(name, texts[name])
    cores = _whole(members, "cores", 1, 2**20)
    return Machine(
        **texts, cores=cores, memory_bytes=_whole(members, "memory_bytes", 1, MOST_BYTES)
    )


def _name(members: dict[str, Any], name: str) -> str:
    """Return a name that can stand in a figure, and in a page as it is."""
    text: str = _member(members, name, str)
    if not is_name(text):
        raise OptionError(
            "The saved run gives its {name} as {value}; it must be a name of at most {longest} "
            "characters: letters, digits, spaces and {marks}.",
            name=name,
            value=shortened(text) or "''",
            longest=LONGEST_NAME,
            marks=". , - + / ( ) @ & ' # _",
        )
    return text


def _date(members: dict[str, Any]) -> str:
    """Return a moment, written as `engine.experiments.memory.device.machine_of` writes it."""
    text: str = _member(members, "date", str)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise _wrong("date", text) from None
    if moment.isoformat(timespec="seconds") != text:
        raise _wrong("date", text)
    return text


def _point(given: object, way: Way, T: int, params: MeasuredParams, machine: Machine) -> Point:
    """Return a point, which must be the one that the parameters have in its place."""
    if not isinstance(given, dict):
        raise _wrong("points", given)
    for name, wanted in (("way", way), ("T", T)):
        if type(given.get(name)) is not type(wanted) or given[name] != wanted:
            raise _wrong(name, given.get(name))
    if given.get("kernel") not in _KERNELS[machine.backend_name, way]:
        raise _wrong("kernel", given.get("kernel"))
    refused = _refused(given, T, params)
    times = _times(given, 0 if refused else params.repeats)
    least = 0 if refused else 1
    return Point(
        way=way,
        T=T,
        d_k=params.d_k,
        kernel=given["kernel"],
        seconds=statistics.median(times) if times else math.nan,
        all_seconds=times,
        peak_bytes=_whole(given, "peak_bytes", least, MOST_BYTES if least else 0),
        predicted_bytes=_whole(given, "predicted_bytes", 1, MOST_BYTES),
        working_bytes=_whole(given, "working_bytes", 1, MOST_BYTES),
        refused=refused,
    )


def _times(given: dict[str, Any], count: int) -> tuple[float, ...]:
    times = _member(given, "all_seconds", list)
    if len(times) != count or not all(_is_number(each, 1e-12, MOST_SECONDS) for each in times):
        raise _wrong("all_seconds", times)
    return tuple(map(float, times))


def _refused(given: dict[str, Any], T: int, params: MeasuredParams) -> guard.RefusedError | None:
    """Return the refusal of a point, its sentence made anew from its numbers."""
    told = given.get("refused")
    if told is None:
        return None
    if not isinstance(told, dict) or not isinstance(told.get("kind"), str):
        raise _wrong("refused", told)
    read: dict[str, Callable[[], guard.RefusedError]] = {
        "memory": lambda: guard.too_large(
            T, _whole(told, "needed", 0, MOST_BYTES), _whole(told, "free", 0, MOST_BYTES)
        ),
        "time": lambda: guard.too_long(T, _number(told, "seconds", 0.0, 1e15)),
        "ran-out": lambda: guard.ran_out(T, _whole(told, "needed", 0, MOST_BYTES)),
        "after": lambda: guard.after_ran_out(T, _whole(told, "earlier", 1, max(params.Ts))),
    }
    if told["kind"] not in read:
        raise _wrong("refused", told["kind"])
    return read[told["kind"]]()
