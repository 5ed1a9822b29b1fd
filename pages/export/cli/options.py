"""The words of the command line, read as they stand; what they mean is judged elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NoReturn

from pages.export.cli.errors import RequestError
from pages.export.deck import DECK_FORMATS, FORMATS
from pages.text import LANGUAGES, Translator, translator

_COMMAND = "python -m pages.export"


class HelpAsked(Exception):  # noqa: N818 - no error, but a way out of the parser
    """Somebody wants to read the help and nothing else.

    Parameters
    ----------
    text : str
        The help.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class _Parser(argparse.ArgumentParser):
    def print_help(self, _file: object = None) -> NoReturn:
        raise HelpAsked(self.format_help())

    def error(self, message: str) -> NoReturn:
        raise RequestError("The command cannot be read: {message}.", message=message)


def language_in(words: Sequence[str]) -> str:
    """Return the language that the words ask for, before they are read; English without one."""
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        name, equals, value = word.partition("=")
        value = value if equals else following
        if name == "--language" and value in LANGUAGES:
            return value
    return "en"


def read(words: Sequence[str]) -> argparse.Namespace:
    """Return the options given; one that was not given is None.

    Raises
    ------
    RequestError
        For a word that is no option, and for an option without its value or with one too many.
    HelpAsked
        For ``--help``.
    """
    parser = _parser(translator(language_in(words)))
    try:
        options, others = parser.parse_known_args(list(words))
    except argparse.ArgumentError as error:
        name = (error.argument_name or "").split("/")[-1]
        if "ignored explicit argument" in error.message:
            raise RequestError("{option} takes no value.", option=name) from None
        raise RequestError("{option} needs a value.", option=name) from None
    if others:
        known = [name for action in parser._actions for name in action.option_strings]
        raise RequestError(
            "There is no option {option}; --help shows what there is.",
            option=others[0].partition("=")[0],
        ).among(known)
    return options


def _parser(t: Translator) -> _Parser:
    parser = _Parser(
        prog=_COMMAND,
        usage=f"{_COMMAND} (--list | --to FOLDER | --deck FILE) [...]",
        description=t(
            "Write the figures of the workbench to files. Run it in the folder of the program."
        ),
        epilog=t(
            "Files that exist are replaced. Exit code 0: done; 2: the request cannot be met; "
            "1: a file could not be written; 130: stopped."
        ),
        allow_abbrev=False,
        exit_on_error=False,
        add_help=False,
        argument_default=None,
    )
    group = parser.add_argument_group(t("Options"))
    for name, keywords in _options(t).items():
        group.add_argument(name, **keywords)
    return parser


def _options(t: Translator) -> dict[str, dict[str, Any]]:
    switch: dict[str, Any] = {"action": "store_true", "default": None}
    many: dict[str, Any] = {"action": "append"}
    formats, decks = ", ".join(FORMATS), ", ".join(f".{name}" for name in DECK_FORMATS)
    return {
        "--help": {"action": "help", "help": t("Show this and end.")},
        "--list": {**switch, "help": t("Show the names and settings of all figures and end.")},
        "--to": {"metavar": "FOLDER", "help": t("Write each figure to files in this folder.")},
        "--format": {
            **many, "metavar": "FORMAT,...",
            "help": t("Formats of these files: {formats}. Usual: png.", formats=formats),
        },
        "--deck": {
            "metavar": "FILE",
            "help": t("Write all figures as one file, by its ending: {formats}.", formats=decks),
        },
        "--figure": {
            "action": "extend", "nargs": "+", "metavar": "NAME",
            "help": t("Only these figures, in the order of a lecture; usual: all of them."),
        },
        "--from": {
            "dest": "source", "metavar": "FILE.json",
            "help": t("Take the slides of a saved deck as they are."),
        },
        "--set": {
            **many, "dest": "assignments", "metavar": "IDEA.NAME=VALUE",
            "help": t("Change a setting; may be given several times."),
        },
        "--language": {"metavar": "en|zh", "help": t("Language of figures and messages.")},
        "--theme": {"metavar": "light|dark", "help": t("Colours.")},
        "--size": {
            "metavar": "slide|half|square|screen",
            "help": t("1280 x 720, 640 x 720, 720 x 720 pixels, or as on the page."),
        },
        "--decimals": {"metavar": "N", "help": t("Digits after the point, where they fit.")},
        "--transparent": {**switch, "help": t("Leave the background out.")},
        "--backend": {"metavar": "auto|numpy|mlx", "help": t("What computes.")},
    }  # fmt: skip
