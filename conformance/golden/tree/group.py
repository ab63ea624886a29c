"""Groups: the vectors of one version, as they are read from a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.golden.tree.paths import SUFFIX, VectorFile, file_at
from conformance.golden.tree.serialise import GROUPS, VECTORS
from conformance.implementation.selection import parse_selection, select
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from conformance.implementation.targets import Target

Json = dict[str, Any]


class Group(NamedTuple):
    """One group of vectors."""

    file: VectorFile
    content: Json
    """`version`, `vectors`, and further members that hold for all of them."""

    @property
    def release(self) -> str:
        """The release whose definitions it follows."""
        return self.file.release

    @property
    def message(self) -> str:
        """A message, or a wire type."""
        return self.file.message

    @property
    def version(self) -> int:
        """The version of the message."""
        version: int = self.content["version"]
        return version

    @property
    def prefix(self) -> str:
        """The first part of the whole id of each vector: `4.3.0/messages/FetchRequest/v17`."""
        return f"{self.file.path.removesuffix(SUFFIX)}/v{self.version}"

    @property
    def target(self) -> Target:
        """The target of the vectors."""
        return self.file.target(self.version)

    @property
    def vectors(self) -> list[Json]:
        """The vectors, in order."""
        vectors: list[Json] = self.content[VECTORS]
        return vectors


def groups_of(documents: Mapping[str, Json]) -> Iterator[Group]:
    """Yield every group of a tree, whose documents are keyed by path."""
    for path, document in documents.items():
        for content in document.get(GROUPS, ()):
            yield Group(file_at(path), content)


def chosen_groups(groups: Iterable[Group], messages: Iterable[str]) -> list[Group]:
    """Return the groups of the selected messages, by release; without a selection all, wire types included.

    Raises:
        BadSelection: a part of the selection cannot be read, or matches nothing.
    """
    ordered = sorted(groups, key=lambda group: (group.release, group.prefix))
    selection = parse_selection(tuple(messages))
    if not selection:
        return ordered
    schemas = [schema for release in {group.release for group in ordered} for schema in load_release(release).schemas()]
    wanted = {(schema.message, schema.version) for schema in select(schemas, selection)}
    return [group for group in ordered if (group.message, group.version) in wanted]
