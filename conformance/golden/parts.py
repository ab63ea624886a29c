"""What a tree of golden vectors is made of: groups of vectors, each about one thing that can be read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.golden.documents import FRAME, PRIMITIVE, STORED
from conformance.golden.text import GROUPS
from conformance.suite.selection import parse_selection, select
from reference import load_release, newest_release

__all__ = ["FRAME", "PRIMITIVE", "STORED", "Part", "chosen_parts", "parts_of"]

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class Part(NamedTuple):
    """One group of vectors."""

    release: str
    """Whose definitions it follows; of wire types alone the newest one."""
    message: str
    """A message, or a wire type."""
    kind: str
    """FRAME, PRIMITIVE, STORED, or the kind of a message whose body this is about."""
    prefix: str
    """What stands before a vector's own id: `4.3.0/messages/FetchRequest/v17`."""
    group: dict[str, Any]
    """`version`, `vectors`, and what else is the same for all of them."""

    @property
    def version(self) -> int:
        """Of the message."""
        version: int = self.group["version"]
        return version


def parts_of(documents: Mapping[str, dict[str, Any]]) -> Iterator[Part]:
    """Every group of a tree, whose documents are keyed by path."""
    for path, document in documents.items():
        release = document.get("spec", {}).get("release", newest_release())
        for group in document.get(GROUPS, ()):
            prefix = f"{path.removesuffix('.json')}/v{group['version']}"
            yield Part(release, document["message"], document["kind"], prefix, group)


def chosen_parts(parts: Iterable[Part], messages: Iterable[str]) -> list[Part]:
    """The groups of those messages that are asked for, by release; without any choice all, wire types included.

    Raises:
        BadSelection: no message is called so.
    """
    found = sorted(parts, key=lambda each: (each.release, each.prefix))
    selection = parse_selection(tuple(messages))
    if not selection:
        return found
    schemas = [schema for release in {each.release for each in found} for schema in load_release(release).schemas()]
    wanted = {(schema.message, schema.version) for schema in select(schemas, selection)}
    return [each for each in found if (each.message, each.version) in wanted]
