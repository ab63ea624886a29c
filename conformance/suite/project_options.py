"""Options of a user's project, in the section `[tool.kafka-conformance]` of its pyproject.toml.

The file is that of the current folder, or of the nearest folder above it that has one. The search ends at the top of a
repository, at the home folder, and at a file of another user: it may name a command to start, so strangers must not
place it. Its paths are relative to its own folder. An option of the command line wins. Nothing is imported or started
here.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.suite.options import OPTIONS, SHOWN, shown
from conformance.system.command_words import BadCommand, command_words
from conformance.targets.claims import STDIO, is_over_stdio
from reference import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.toml_text import read_toml
from reference.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

FILE = "pyproject.toml"
SECTION = "kafka-conformance"
REPOSITORY = (".git", ".hg", ".jj", ".svn", ".bzr", "_darcs")
"""The names in the top folder of a repository, of which it has one."""
_PYTHON_FILE = re.compile(r"\.py(:|$)")


class BadProjectOption(ConformanceError):
    """A section that cannot be used."""

    def __init__(self, file: Path, problem: str) -> None:
        super().__init__(file, problem)
        self.file = file
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.file}, [tool.{SECTION}]: {self.problem}"


@dataclass(frozen=True)
class ProjectOptions:
    """The options of a project, with paths relative to the current folder. A file of another user is not read."""

    file: Path | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    is_foreign: bool = False

    def taken(self, keys: Collection[str]) -> str:
        """Return a line about the options taken from here, or an empty text if there is nothing to say."""
        if self.file is None:
            return ""
        place = _from_here(Path(), self.file)
        if self.is_foreign:
            return f"no options from {place}: the file belongs to another user"
        names = [key for key in self.values if key in keys]
        return f"options from {place}: {', '.join(names)}" if names else ""


def project_options(folder: Path) -> ProjectOptions:
    """Return the options of the project of a folder, or raise `BadProjectOption` for a bad file, key or value."""
    file = _nearest_file(folder)
    if file is None:
        return ProjectOptions()
    if not _is_of_this_user(file):
        return ProjectOptions(file, is_foreign=True)
    section = _section(file)
    return ProjectOptions(file, {key: _checked(file, key, value) for key, value in section.items()})


def _nearest_file(folder: Path) -> Path | None:
    home = Path(os.path.expanduser("~")).resolve()  # noqa: PTH111  # Path raises an error without a home
    for place in (folder, *folder.parents):
        if os.path.lexists(place / FILE) and (place / FILE).is_file():
            return place / FILE
        if place == home or any(os.path.lexists(place / name) for name in REPOSITORY):
            return None
    return None


def _is_of_this_user(file: Path) -> bool:
    """Return whether a file, and a link that leads to it, belong to the user of this process."""
    if not hasattr(os, "geteuid"):  # as on Windows
        return True
    return {file.lstat().st_uid, file.stat().st_uid} == {os.geteuid()}


def _section(file: Path) -> dict[str, Any]:
    try:
        document = read_toml(file)
    except BadInput as error:
        raise BadProjectOption(file, error.within) from error
    except OSError as error:
        raise BadProjectOption(file, f"the file cannot be read: {error.strerror}") from error
    for name, about in (("tool", "tool"), (SECTION, "it")):
        document = document.get(name, {})
        if not isinstance(document, dict):
            raise BadProjectOption(file, f"{about} is {shown(document)}, not a table")
    return document


def _checked(file: Path, key: str, value: Any) -> Any:
    if key not in KEYS:
        hint = suggestion(key[:SHOWN].replace("_", "-"), KEYS, f"there are {', '.join(KEYS)}")
        raise BadProjectOption(file, f"there is no key {shown(key)}; {hint}")
    option = KEYS[key]
    values = value if isinstance(value, list) and option.is_repeatable else [value]
    try:
        if any(isinstance(text, str) and "\0" in text for text in values):
            raise ValueError(f"{shown(value)}: no name or path has a NUL character")  # noqa: TRY301  # as of other values
        read = [_PLACES.get(key, _place)(file.parent, option.read(one, strict=True)) for one in values]
    except (BadCommand, ValueError) as error:
        raise BadProjectOption(file, f"{key} is {error}") from error
    return tuple(read) if option.is_repeatable else read[0]


def _place(folder: Path, value: Any) -> Any:
    return Path(_from_here(folder, value)) if isinstance(value, Path) else value


def _impl(folder: Path, spec: str) -> str:
    if is_over_stdio(spec):
        return _command(folder, spec)
    named, mark, attribute = spec.partition(".py:")
    if mark or _PYTHON_FILE.search(spec) or "/" in spec:
        return _from_here(folder, Path(f"{named}.py" if mark else spec), dotted=True) + (
            f":{attribute}" if mark else ""
        )
    return spec


def _command(folder: Path, spec: str) -> str:
    program, *words = command_words(spec.removeprefix(STDIO))
    if "/" in program:
        program = _from_here(folder, Path(program), dotted=True)
    return STDIO + shlex.join([program, *words])


def _release(folder: Path, name: str) -> str:
    return _from_here(folder, Path(name)) if "/" in name else name


def _from_here(folder: Path, path: Path, *, dotted: bool = False) -> str:
    named = os.path.relpath(folder / path)
    return f"./{named}" if dotted and not named.startswith(("/", "..")) else named


_PLACES: Mapping[str, Callable[[Path, Any], Any]] = {"impl": _impl, "release": _release}
"""How to find the place in the value of a key whose type does not say that it is a path."""

KEYS = {each.key: each for each in OPTIONS.values() if each.is_key}
