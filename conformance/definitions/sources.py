"""Where definitions are read from: published jars, folders, and checkouts of Kafka's sources.

Definitions are told from other JSON files by what is in them, for the folder that holds them differs between modules:
`common/message`, `common/metadata` and `message`.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.definitions.errors import ImportFailedError
from reference.definitions.errors import BrokenDefinition
from reference.definitions.json_flavour import read_tree
from reference.definitions.release_rules import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAIN_RESOURCES = "src/main/resources"


@dataclass(frozen=True)
class SourceFile:
    """A definition as it was published."""

    path: str
    content: bytes

    @property
    def sha256(self) -> str:
        """The digest of the bytes as published."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def text(self) -> str:
        """The content as text.

        Raises:
            ImportFailedError: it is not UTF-8.
        """
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ImportFailedError(f"{self.path} is not UTF-8 text: byte {error.start} is {error.reason}") from error


@dataclass(frozen=True)
class Source:
    """The definitions of one module."""

    name: str
    """The module: `kafka-clients` of a published release, `clients` of a checkout."""
    files: tuple[SourceFile, ...]
    artifact: str | None = None
    """What was published, with its version."""
    sha256: str | None = None
    """The digest of the jar."""
    mixed: bool = False
    """Whether the definitions may be of several modules, each of which numbers its records on its own."""

    def numbers(self, kind: str) -> bool:
        """Whether the messages of that type are numbered together: requests and responses are in any case."""
        return not self.mixed or kind in SUFFIXES


def jar_source(jar: Path, name: str | None = None, artifact: str | None = None) -> Source:
    """The definitions in a jar.

    Raises:
        ImportFailedError: this is not a sound jar.
    """
    content = jar.read_bytes()
    try:
        with zipfile.ZipFile(jar) as archive:
            names = sorted(entry for entry in archive.namelist() if entry.endswith(".json"))
            files = [SourceFile(f"{jar.name}:{entry}", archive.read(entry)) for entry in names]
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise ImportFailedError(f"{jar} is not a jar that can be read: {error}") from error
    digest = hashlib.sha256(content).hexdigest()
    return Source(name or _module_of(jar), _definitions(files), artifact or jar.name, digest)


def _module_of(jar: Path) -> str:
    """`kafka-clients` for `kafka-clients-4.3.0.jar`."""
    return re.sub(r"-\d.*$", "", jar.stem)


def sources_at(path: Path) -> tuple[Source, ...]:
    """The definitions in a jar, a folder of jars, a checkout of Kafka's sources, or any other folder.

    Raises:
        ImportFailedError: there are none.
    """
    sources = tuple(source for source in _sources_at(path) if source.files)
    if not sources:
        raise ImportFailedError(
            f"there are no definitions in {path}: give a jar, a folder of jars or of definitions, "
            "or a checkout of Kafka's sources"
        )
    return sources


def _sources_at(path: Path) -> Iterator[Source]:
    jars = [path] if path.is_file() else sorted(path.glob("*.jar"))
    modules = sorted(folder for folder in path.rglob(MAIN_RESOURCES) if folder.is_dir())
    if jars:
        yield from map(jar_source, jars)
    elif modules:
        yield from (_module_source(folder, path) for folder in modules)
    else:
        yield Source(path.resolve().name, _files_under(path, path), mixed=True)


def _module_source(resources: Path, checkout: Path) -> Source:
    """The definitions of a module of a checkout, whose name is its path in there."""
    module = resources.relative_to(checkout).parents[2]
    name = checkout.resolve().name if module == Path() else module.as_posix()
    return Source(name, _files_under(resources, checkout))


def _files_under(folder: Path, root: Path) -> tuple[SourceFile, ...]:
    found = sorted(file for file in folder.rglob("*.json") if file.is_file())
    return _definitions(SourceFile(file.relative_to(root).as_posix(), file.read_bytes()) for file in found)


def _definitions(files: Iterable[SourceFile]) -> tuple[SourceFile, ...]:
    return tuple(file for file in files if _is_definition(file))


def _is_definition(file: SourceFile) -> bool:
    """Whether the file is meant as a definition, be it a broken one."""
    try:
        tree = read_tree(file.text, file.path)
    except (BrokenDefinition, ImportFailedError):
        return b'"validVersions"' in file.content
    return "validVersions" in tree or {"name", "type", "fields"} <= tree.keys()
