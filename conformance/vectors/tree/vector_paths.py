"""The folder of the vectors of this suite, the files in a tree of vectors, and their groups, one for each version.

A file has its head pretty-printed, then each vector, API or file of a release on its own line. So a changed vector is
one changed line, and every JSON parser reads the file. The same document always gives the same bytes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import specs
from conformance.codec.selection import other_names, parse_selection, select, select_others
from conformance.targets import target_at
from conformance.vectors.enumeration.pairs import base_release, pairs_of, sources
from conformance.vectors.enumeration.record_vectors import RECORD_FILES
from reference import load_release, primitives
from reference.definitions.header_versions import APIS
from reference.headers import REQUEST_HEADER
from reference.release import PROPOSED
from reference.schema import STORED_FORMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from conformance.targets import Target
    from conformance.vectors.enumeration.pairs import Names
    from reference import Release

PRIMITIVES = "primitives"
RECORDS = "records"
OF_NO_RELEASE = (PRIMITIVES, RECORDS)
"""Folders at the top of a tree, whose files are about no message."""
SUFFIX = ".json"


def committed_vectors() -> Path:
    """Return the folder of the vectors, beside the definitions in a checkout and in a wheel.

    It may be missing.
    """
    return Path(specs.__path__[0]).parent / VECTORS


class VectorFile(NamedTuple):
    """A file of vectors of one message, of one wire type, or of `records` fields."""

    release: str
    """A release or a proposal; for wire types and record batches the base release."""
    folder: str
    """`messages`, `headers`, `frames`, `stored`, `records` or `primitives`: `Target.folder`."""
    message: str
    """A message, a wire type, or a class of cases of record batches."""

    @property
    def path(self) -> str:
        """The path in a tree, like `4.3.0/messages/FetchRequest.json`, `proposals/kip-625/...` or `primitives/...`."""
        name = f"{self.folder}/{self.message}{SUFFIX}"
        if self.folder in OF_NO_RELEASE:
            return name
        return f"{in_tree(self.release)}/{name}"

    def target(self, version: int) -> Target:
        """Return the target of the vectors of one version.

        Raises:
            UnknownMessage: the release has no such message, or the message no such version.
            UnknownPrimitive: there is no wire type of that name.
        """
        return target_at(load_release(self.release), self.folder, self.message, version)


def file_at(path: str) -> VectorFile:
    """Return the file of a path in a tree, the inverse of `VectorFile.path`.

    Raises:
        ValueError: it is not the path of a file of vectors.
    """
    parts = path.removeprefix(f"{PROPOSED}/").removesuffix(SUFFIX).split("/")
    if parts[0] in OF_NO_RELEASE:
        parts.insert(0, base_release())
    release, folder, message = parts
    return VectorFile(release, folder, message)


def files_of(release: str, message: str) -> list[VectorFile]:
    """Return the files of a message.

    The file of its bodies comes first, then that of its frames or stored forms, if it has any. The messages of a
    proposal have no stored forms, and have frames only if the proposal has definitions of headers.
    """
    source = load_release(release)
    kind = source.definition(message).kind
    folders = ["headers" if kind == "header" else "messages"]
    if has_headers(source) and kind in APIS:
        folders.append("frames")
    if not source.proposed and kind in STORED_FORMS:
        folders.append("stored")
    return [VectorFile(release, folder, message) for folder in folders]


def has_headers(release: Release) -> bool:
    """Return whether a release has definitions of headers.

    Few proposals do.
    """
    return not release.proposed or REQUEST_HEADER in release.messages


def in_tree(release: str) -> str:
    """Return the folder of a release or proposal in a tree."""
    return f"{PROPOSED}/{release}" if load_release(release).proposed else release


def primitive_files() -> list[VectorFile]:
    """Return the files of all wire types."""
    return [VectorFile(base_release(), PRIMITIVES, name) for name in primitives()]


def record_files() -> list[VectorFile]:
    """Return the files about record batches."""
    return [VectorFile(base_release(), RECORDS, name) for name in RECORD_FILES]


def vector_files(names: Names = ()) -> list[VectorFile]:
    """Return every file of vectors in a tree of those sources."""
    messages = {(release, message) for release in names or sources() for message, _ in pairs_of(release)}
    return [*(file for pair in sorted(messages) for file in files_of(*pair)), *primitive_files(), *record_files()]


Json = dict[str, Any]


class VectorGroup(NamedTuple):
    """One group of vectors."""

    file: VectorFile
    content: Json
    """`version`, `vectors`, and further members common to all of them."""
    release: str
    """The release of the definitions for reading it: that of the file, or another one with a share in the group."""

    @property
    def message(self) -> str:
        """The message, or the wire type."""
        return self.file.message

    @property
    def version(self) -> int:
        """The version of the message."""
        version: int = self.content["version"]
        return version

    @property
    def prefix(self) -> str:
        """The first part of the whole id of each vector, like `4.3.0/messages/FetchRequest/v17`."""
        return f"{self.file.path.removesuffix(SUFFIX)}/v{self.version}"

    @property
    def target(self) -> Target:
        """The target of the vectors."""
        return self.file._replace(release=self.release).target(self.version)

    @property
    def vectors(self) -> list[Json]:
        """The vectors, in order."""
        vectors: list[Json] = self.content[VECTORS]
        return vectors


def groups_of(documents: Mapping[str, Json]) -> Iterator[VectorGroup]:
    """Yield every group of a tree, given as documents by path."""
    for path, document in documents.items():
        for content in document.get(GROUPS, ()):
            file = file_at(path)
            yield VectorGroup(file, content, file.release)


def vectors_in(document: Json) -> Iterator[Any]:
    """Yield every vector of a document."""
    return (vector for group in document.get(GROUPS, ()) for vector in group[VECTORS])


def chosen_groups(groups: Iterable[VectorGroup], messages: Iterable[str]) -> list[VectorGroup]:
    """Return the groups of the selected messages, by release.

    Without a selection they are all groups, including wire types and records.

    Raises:
        BadSelection: a part of the selection cannot be read, or matches nothing.
    """
    ordered = sorted(groups, key=lambda group: (group.release, group.prefix))
    selection = parse_selection(tuple(messages))
    if not selection:
        return ordered
    schemas = [schema for release in {group.release for group in ordered} for schema in load_release(release).schemas()]
    others = other_names()
    selected = {(schema.message, schema.version) for schema in select(schemas, selection, others)}
    selected |= {(name, 0) for name in select_others(selection)}
    return [group for group in ordered if (group.target.message, group.version) in selected]


FORMAT = 1
HEAD = {"format": FORMAT, "project": "kafka-wire-conformance"}
"""The first members of every document, so that a file copied alone names its origin."""
VECTORS = "vectors"
GROUPS = "groups"
TAKEN = "taken"
WITHOUT = "without"


def line_of(vector: Any) -> str:
    """Return one vector in its form in a file, without the comma."""
    return json.dumps(vector, separators=(",", ":"))


def text_of(document: dict[str, Any]) -> str:
    """Return the canonical text of a document of vectors, header versions, releases, or any other, pretty-printed."""
    for key, (begin, lines_of, end) in _LINES.items():
        if key in document:
            lines = lines_of(document[key])
            head = {name: value for name, value in document.items() if name != key}
            opening = json.dumps(head, indent=2).removesuffix("\n}")
            return "".join((opening, f',\n  "{key}": {begin}\n', ",\n".join(lines), f"\n  {end}\n}}\n"))
    return json.dumps(document, indent=2) + "\n"


def _groups(groups: list[dict[str, Any]]) -> Iterator[str]:
    for group in groups:
        head = "".join(
            f"      {json.dumps(key)}: {json.dumps(value)},\n" for key, value in group.items() if key != VECTORS
        )
        lines = ",\n".join(map(line_of, group[VECTORS]))
        yield f'    {{\n{head}      "{VECTORS}": [\n{lines}\n      ]\n    }}'


def _apis(apis: list[Any]) -> Iterator[str]:
    return map(line_of, apis)


def _taken(releases: dict[str, dict[str, list[int]]]) -> Iterator[str]:
    for release, files in releases.items():
        lines = ",\n".join(f"{line_of(path)}:{line_of(versions)}" for path, versions in files.items())
        yield f"    {line_of(release)}: {{\n{lines}\n    }}"


_LINES: dict[str, tuple[str, Callable[[Any], Iterator[str]], str]] = {
    GROUPS: ("[", _groups, "]"),
    "apis": ("[", _apis, "]"),
    TAKEN: ("{", _taken, "}"),
}
"""The member of a document written line by line, with its brackets."""
