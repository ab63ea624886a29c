"""The skeletons of harnesses, made of the bridge part of a language's harness here and its template.

Each language has a folder beside this file, with `bridge.toml`, the list of copied files, and `template/`, which is
copied whole. A name in `template/` with the ending `.template` loses it: without the ending such a file would disturb
the tool chain of the language here.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from conformance.system.folders import NotOurs, filling_folder
from conformance.system.whole_files import NotWritten
from reference import ConformanceError
from reference.inputs.toml_text import parse_toml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HERE = resources.files("conformance.adapters.harnesses")
DESCRIPTION = "bridge.toml"
TEMPLATE = "template"
SUFFIX = ".template"
PRODUCTS = frozenset(("target", "node_modules", "bin", "obj", "__pycache__"))
"""Folders made by tool chains."""


class NoPlaceError(ConformanceError):
    """The folder for a skeleton cannot be made, or is not empty."""


@dataclass(frozen=True)
class Skeleton:
    """The description of one language's skeleton in `bridge.toml`."""

    language: str
    needs: str
    """The tool chain."""
    build: str
    """The command for the build, in its folder; empty if nothing is built."""
    run: str
    """The command for a run, in its folder."""
    place: str
    """The file with the place for one's own codec."""
    bridge: tuple[str, ...]
    """Patterns of the files copied besides the template."""


def languages() -> list[str]:
    """Return the languages with a skeleton."""
    return sorted(folder.name for folder in HERE.iterdir() if (folder / DESCRIPTION).is_file())


def skeleton(language: str) -> Skeleton:
    """Return the description of the skeleton in a language."""
    words = parse_toml((HERE / language / DESCRIPTION).read_bytes(), DESCRIPTION)
    return Skeleton(language, **{**words, "bridge": tuple(words["bridge"])})


def write_skeleton(language: str, folder: Path) -> Skeleton:
    """Write the skeleton in a language into a folder, made if need be, or raise `NoPlaceError`."""
    chosen = skeleton(language)
    try:
        with resources.as_file(HERE / language) as sources, filling_folder(folder) as new:
            for source, target in _copies(sources, chosen):
                (new / target).parent.mkdir(parents=True, exist_ok=True)
                (new / target).write_bytes(source.read_bytes())
    except (NotOurs, NotWritten) as error:
        raise NoPlaceError(str(error)) from error
    return chosen


def _copies(sources: Path, chosen: Skeleton) -> Iterator[tuple[Path, Path]]:
    for pattern in chosen.bridge:
        found = sorted(sources.glob(pattern))
        assert found, f"{pattern} of bridge.toml is no file of {sources}"  # noqa: S101  # ours, and a test sees it
        yield from ((file, file.relative_to(sources)) for file in found)
    template = sources / TEMPLATE
    for file in sorted(template.rglob("*")):
        target = file.relative_to(template)
        if file.is_file() and not PRODUCTS & set(target.parts):
            yield file, target.with_name(target.name.removesuffix(SUFFIX))
