"""Sources of definitions, such as published jars, folders, and checkouts of Kafka's sources.

Definitions are distinguished from other JSON files by their content, because their folder differs between modules:
`common/message`, `common/metadata` and `message`. The unpacked size of the JSON files of a jar is bounded.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.system.system_errors import text_of
from reference.definitions.errors import BrokenDefinition
from reference.definitions.header_versions import APIS
from reference.definitions.json_flavour import read_tree
from reference.definitions.model import KINDS
from reference.errors import ConformanceError
from reference.inputs.files import MEBIBYTE, read_bytes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

MAIN_RESOURCES = "src/main/resources"

OWN_PROPERTIES = frozenset(
    ("validVersions", "flexibleVersions", "headerVersions", "commonStructs", "latestVersionUnstable")
)
"""The properties of a message unknown in any other JSON file."""
SETTINGS = "gradle.properties"
"""The file at the top of a checkout with its group and its version."""

GROUP = "org.apache.kafka"

SETTING = re.compile(r"^[ \t]*(group|version)[ \t]*[=:][ \t]*(\S+)", re.MULTILINE)


class ImportFailedError(ConformanceError):
    """A failed import, which has changed nothing."""


@dataclass(frozen=True)
class SourceFile:
    """A definition as published."""

    path: str
    content: bytes

    @property
    def sha256(self) -> str:
        """The digest of the content."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def text(self) -> str:
        """The content as text. It raises `ImportFailedError` if it is not UTF-8."""
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
    """The published artifact, with its version."""
    sha256: str | None = None
    """The digest of the jar."""
    mixed: bool = False
    """Whether the definitions may belong to several modules, each of which numbers its records independently."""
    release: str = ""
    """The release of the jar or the checkout; empty if neither names it."""
    date: str = ""
    """The day when the definitions of the jar were put there, like 2026-10-06."""

    def numbers(self, kind: str) -> bool:
        """Return whether messages of that kind are checked together. Those of APIs and their headers always are."""
        return not self.mixed or kind in {*APIS, "header"}


def jar_source(jar: Path, name: str | None = None, artifact: str | None = None) -> Source:
    """Return the definitions in a jar, or raise `ImportFailedError` for a bad one, or `BadInput`."""
    content = read_bytes(jar)
    try:
        files = _definitions(SourceFile(f"{jar.name}:{name}", unpacked) for name, unpacked in json_files(content))
    except BadArchive as error:
        raise ImportFailedError(f"{jar} is not a readable jar: {error}") from error
    module, _, release = re.sub(r"-(?=\d)", "\n", jar.stem, count=1).partition("\n")
    digest, days = hashlib.sha256(content).hexdigest(), dates(content)
    date = max((days[file.path.removeprefix(f"{jar.name}:")] for file in files), default="")
    return Source(name or module, files, artifact or jar.name, digest, release=release, date=date)


def sources_at(path: Path, listed: Collection[str] = ()) -> tuple[Source, ...]:
    """Return the definitions in a jar, a folder of jars, a checkout of Kafka's sources, or any other folder.

    The files of `listed` messages are definitions regardless of their content. Without any it raises
    `ImportFailedError`.
    """
    sources = tuple(source for source in _sources_at(path, listed) if source.files)
    if not sources:
        raise ImportFailedError(
            f"there are no definitions in {path}: name a jar, a folder of jars or of definitions, "
            "or a checkout of Kafka's sources"
        )
    return sources


def _sources_at(path: Path, listed: Collection[str]) -> Iterator[Source]:
    jars = [path] if path.is_file() else sorted(path.glob("*.jar"))
    modules = [folder for folder in found_below(path, MAIN_RESOURCES) if folder.is_dir()]
    if jars:
        yield from map(jar_source, jars)
    elif modules:
        yield from (_module_source(folder, path) for folder in modules)
    else:
        release = checked_out_release(path)
        yield Source(path.resolve().name, _files_under(path, path, listed), mixed=True, release=release)


def found_below(folder: Path, pattern: str) -> list[Path]:
    """Return what matches a pattern in a folder or below it, sorted, or raise `ImportFailedError`."""
    try:
        return sorted(folder.rglob(pattern))
    except OSError as error:
        problem = f"{folder} cannot be searched for definitions: {text_of(error)}"
        raise ImportFailedError(f"{problem}; name the folder that they are in") from error


def _module_source(resources: Path, checkout: Path) -> Source:
    module = resources.relative_to(checkout).parents[2]
    name = checkout.resolve().name if module == Path() else module.as_posix()
    return Source(name, _files_under(resources, checkout), release=checked_out_release(checkout))


def checked_out_release(path: Path) -> str:
    """Return the release of the checkout of Kafka's sources around a path, like 5.0.0-SNAPSHOT, or "" without one."""
    for folder in (path.resolve(), *path.resolve().parents):
        settings = folder / SETTINGS
        if settings.is_file():
            found: dict[str, str] = dict(SETTING.findall(read_bytes(settings).decode(errors="replace")))
            if found.get("group") == GROUP:
                return found.get("version", "")
    return ""


def _files_under(folder: Path, root: Path, listed: Collection[str] = ()) -> tuple[SourceFile, ...]:
    paths = [path for path in found_below(folder, "*.json") if path.is_file()]
    files = (SourceFile(path.relative_to(root).as_posix(), read_bytes(path)) for path in paths)
    return _definitions(files, listed)


def _definitions(files: Iterable[SourceFile], listed: Collection[str] = ()) -> tuple[SourceFile, ...]:
    return tuple(file for file in files if Path(file.path).stem in listed or _is_definition(file))


def _is_definition(file: SourceFile) -> bool:
    """Return whether a file is meant as a definition, even with missing or misspelt properties."""
    try:
        tree = read_tree(file.text, file.path)
    except (BrokenDefinition, ImportFailedError):
        return any(f'"{name}"'.encode() in file.content for name in OWN_PROPERTIES)
    is_of_a_kind = "name" in tree and tree.get("type") in KINDS
    return is_of_a_kind or not OWN_PROPERTIES.isdisjoint(tree) or {"name", "type", "fields"} <= tree.keys()


METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compression methods of entries of jars. Other methods unpack a part of their input to any size at once."""

LARGEST_ENTRY = 8 * MEBIBYTE
"""The limit of bytes of a definition; those of Apache Kafka have less than 100 kB."""

LARGEST_TOTAL = 128 * MEBIBYTE
"""The limit of bytes of all JSON files of a jar."""

END = b"PK\x05\x06"
"""The first bytes of the end of a directory."""

COUNT = 10
"""The offset of the number of entries in it, of two bytes."""

ZIP64 = 0xFFFF
"""The number of entries of an archive with more entries, counted elsewhere."""

DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(ValueError, RuntimeError, OverflowError, IndexError, NotImplementedError),
)
"""Errors of the library for damaged, encrypted or lying archives, beside its own error."""


class BadArchive(ConformanceError):
    """An unreadable archive, with the reason in its text."""


def json_files(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each JSON file in a jar, by name, or raise `BadArchive` for a bad or too large one."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_directory(archive, content)
            entries = [entry for entry in archive.infolist() if entry.filename.endswith(".json")]
            left = LARGEST_TOTAL
            for entry in sorted(entries, key=lambda entry: entry.filename):
                unpacked = _unpacked(archive, entry)
                left -= len(unpacked)
                if left < 0:
                    raise BadArchive(f"its JSON files unpack to more than {LARGEST_TOTAL:,} bytes")
                yield entry.filename, unpacked
    except DAMAGES as error:
        raise BadArchive(str(error) or type(error).__name__) from error


def dates(content: bytes) -> dict[str, str]:
    """Return the date of each JSON file in a jar, like 2026-10-06. `json_files` checks that the jar is readable."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = [entry for entry in archive.infolist() if entry.filename.endswith(".json")]
    return {entry.filename: "{:04}-{:02}-{:02}".format(*entry.date_time) for entry in entries}


def _check_directory(archive: zipfile.ZipFile, content: bytes) -> None:
    """Compare the directory with the number of entries at its end, and with the names in the entries themselves."""
    found = len(archive.infolist())
    (count,) = struct.unpack_from("<H", content, content.rindex(END) + COUNT)
    if count not in {found, ZIP64}:
        raise BadArchive(f"its directory should have {count} entries, and has {found}")
    for entry in archive.infolist():
        archive.open(entry).close()  # raises where the names differ


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    if entry.compress_type not in METHODS:
        raise BadArchive(f"{entry.filename} is compressed by a method that jars do not have, {entry.compress_type}")
    with archive.open(entry) as file:
        # The announced size may be a lie, so reading stops one byte beyond the limit.
        unpacked = file.read(LARGEST_ENTRY + 1)
    if len(unpacked) > LARGEST_ENTRY:
        raise BadArchive(f"{entry.filename} unpacks to more than {LARGEST_ENTRY:,} bytes")
    if len(unpacked) != entry.file_size:
        raise BadArchive(f"{entry.filename} unpacks to {len(unpacked):,} bytes, and not to {entry.file_size:,}")
    return unpacked
