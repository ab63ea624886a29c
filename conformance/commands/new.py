"""The command `kafka-conformance new`, for the skeleton of an adapter, or of a harness in another language."""

from __future__ import annotations

import os
import shlex
from importlib import resources
from pathlib import Path

import click

from conformance.adapters.harnesses.skeletons import NoPlaceError, languages, write_skeleton
from conformance.commands.common import errors_shown
from conformance.commands.group import CommandGroup
from conformance.system.folders import made_folder
from conformance.system.shell import path_word
from conformance.system.terminal import echo
from conformance.system.whole_files import NotWritten, write_text


@click.group(cls=CommandGroup, short_help="Write an adapter or a harness to begin with.")
def new() -> None:
    """Write the skeleton of an adapter in Python, or of a harness in another language.

    Each runs at once, with one message written by hand, and has a place for your codec. Nothing is overwritten.
    """


@new.command(short_help="Write an adapter in Python.")
@click.argument("name")
def adapter(name: str) -> None:
    """Write the skeleton of an adapter in Python into NAME.py.

    It runs at once, with one message written by hand, and has a place for your codec. A file that is there is left
    alone.
    """
    with errors_shown():
        file = write_adapter(name)
    _show_steps(
        f"{file} has an adapter with one message; search for YOUR CODEC in it",
        (f"kafka-conformance run --impl={path_of(file)} --smoke", "the adapter itself, in seconds"),
        (f"kafka-conformance run --impl={path_of(file)} --smoke --watch", "again whenever you save it"),
        (f"kafka-conformance run --impl={path_of(file)}", "every message that it supports"),
    )


@new.command(short_help="Write a harness in another language.")
@click.option("--language", required=True, type=click.Choice(languages()), help="The language of the implementation.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def harness(language: str, folder: Path) -> None:
    """Write the skeleton of a harness into DIR.

    A harness is a program through which the suite tests an implementation in its language. The skeleton runs at once,
    with one message written by hand, and has a place for your codec. DIR is made, or is empty.
    """
    with errors_shown():
        skeleton = write_skeleton(language, folder)
    words = shlex.split(skeleton.run)
    _show_steps(
        f"{folder} has a harness in {language}; {skeleton.place} has the place for your codec",
        (f"cd {shlex.quote(path_word(folder))}", ""),
        (skeleton.build, f"needs {skeleton.needs}"),
        (f"kafka-conformance bridge check -- {shlex.join(words)}", "the harness"),
        (f"kafka-conformance run -m 'not hypothesis' --impl={shlex.quote('stdio:' + shlex.join(words))}", "the codec"),
    )


def _show_steps(what: str, *steps: tuple[str, str]) -> None:
    echo(f"{what}. Now:\n")
    width = max(len(step) for step, _ in steps)
    for step, remark in steps:
        if step:
            echo(f"    {step:{width}}    # {remark}" if remark else f"    {step}")


TEMPLATE = resources.files("conformance.adapters") / "adapter.py.template"
SUFFIX = ".py"


def write_adapter(name: str) -> Path:
    """Write the skeleton of an adapter into `NAME.py`, in a folder made if need be, or raise `NoPlaceError`."""
    file = Path(name if name.endswith(SUFFIX) else f"{name}{SUFFIX}")
    # The name is in a docstring of the file: it may not end that.
    if not file.stem.replace("-", "_").isidentifier() or not name.isprintable() or {'"', "\\"} & set(name):
        raise NoPlaceError(f"{name!r} is no name of a module: begin with a letter, and go on with letters and digits")
    text = TEMPLATE.read_text(encoding="utf-8").replace("MY_NAME", file.stem).replace("MY_PATH", path_of(file))
    if os.path.lexists(file):
        raise NoPlaceError(f"{file} is there already: name another file")
    try:
        with made_folder(file.parent):
            write_text(file, text)
    except NotWritten as error:
        raise NoPlaceError(str(error)) from error
    return file


def path_of(file: Path) -> str:
    """Return a file in the form for `--impl`, quoted for a shell."""
    return shlex.quote(path_word(file) if len(file.parts) > 1 else f"./{file}")
