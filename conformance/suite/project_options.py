"""Options of a user's project, in the section `[tool.kafka-conformance]` of its pyproject.toml.

The file is that of the current folder, or of the nearest folder above it that has one. Its paths are relative to its
own folder. An option of the command line wins. Nothing is imported or started here.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.codec.loaded_adapter import STDIO, is_over_stdio
from reference import ConformanceError
from reference.inputs.toml_text import read_toml
from reference.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

FILE = "pyproject.toml"
SECTION = "kafka-conformance"
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
    """The options of a project, with paths relative to the current folder."""

    file: Path | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    def taken(self, keys: Collection[str]) -> str:
        """Return a line about the options taken from here, or an empty text if none was."""
        names = [key for key in self.values if key in keys]
        return f"options from {_from_here(Path(), self.file)}: {', '.join(names)}" if names and self.file else ""


def project_options(folder: Path) -> ProjectOptions:
    """Return the options of the project of a folder.

    Raises:
        BadProjectOption: the file cannot be read, has another key, or a value of another type.
    """
    file = next((place / FILE for place in (folder, *folder.parents) if (place / FILE).is_file()), None)
    if file is None:
        return ProjectOptions()
    try:
        section = read_toml(file).get("tool", {}).get(SECTION, {})
    except (ConformanceError, OSError) as error:
        raise BadProjectOption(file, str(error)) from error
    if not isinstance(section, dict):
        raise BadProjectOption(file, "it is no table")
    return ProjectOptions(file, {key: _checked(file, key, value) for key, value in section.items()})


def _checked(file: Path, key: str, value: Any) -> Any:
    """Return the value of a key for the current folder."""
    if key not in _READERS:
        hint = suggestion(key.replace("_", "-"), _READERS, f"there are {', '.join(_READERS)}")
        raise BadProjectOption(file, f"there is no key {key!r}; {hint}")
    kind, about, read = _READERS[key]
    is_text_list = isinstance(value, list) and all(isinstance(item, str) for item in value)
    if isinstance(value, bool) or not isinstance(value, kind) or (isinstance(value, list) and not is_text_list):
        raise BadProjectOption(file, f"{key} is {value!r}, not {about}")
    return read(file.parent, value)


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
    """Return the command of a harness, with its program relative to the project's folder if it is a path."""
    program, *words = shlex.split(spec.removeprefix(STDIO)) or [""]
    if "/" in program:
        program = _from_here(folder, Path(program), dotted=True)
    return STDIO + shlex.join([program, *words])


def _release(folder: Path, name: str) -> str:
    return _path(folder, name) if "/" in name else name


def _path(folder: Path, path: str) -> str:
    return _from_here(folder, Path(path))


def _from_here(folder: Path, path: Path | None, *, dotted: bool = False) -> str:
    """Return a path in a folder, relative to the current one."""
    named = os.path.relpath(folder / (path or ""))
    return f"./{named}" if dotted and not named.startswith(("/", "..")) else named


def _messages(_: Path, globs: str | list[str]) -> list[str]:
    return [globs] if isinstance(globs, str) else globs


def _workers(_: Path, count: int) -> int:
    return count


_READERS: Mapping[str, tuple[type | tuple[type, ...], str, Callable[[Path, Any], Any]]] = {
    "impl": (str, "a text", _impl),
    "known-failures": (str, "the path of a file", _path),
    "release": (str, "a text", _release),
    "messages": ((str, list), "a text or a list of texts", _messages),
    "report": (str, "the path of a file", _path),
    "workers": (int, "a whole number", _workers),
}
"""The type, the words for the type, and the reader of the value of each key."""

KEYS = tuple(_READERS)
