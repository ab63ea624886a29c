"""Leaves equal pairs to the run against the base release.

Schemas are compared with their absent fields, defaults and all. The limits of Apache Kafka's own readers are not
compared: they only affect bytes left open by the protocol, and no verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS
from conformance.codec.selection import BadSelection, Selection, Shared
from conformance.definitions.named import release_of
from conformance.judge.checks.frame_cases import is_framed
from conformance.targets import RECORD_BATCHES, RecordsField, WireTypeTarget
from conformance.vectors.enumeration.pairs import layout
from reference import MessageSchema, Release, UnknownMessage, header_schema, primitive
from reference.records.reading import reader_bounds

if TYPE_CHECKING:
    from conformance.targets import Claims


def base_release_of(name: str, release: Release) -> Release | None:
    """Return the release of `--base-release`, None without it, or raise `BadSelection` or `UnknownRelease`."""
    if not name:
        return None
    base = release_of(name)
    if base.name == release.name:
        raise BadSelection(f"--base-release={name} is the release of the run itself: name another one, or leave it out")
    if base.proposed:
        raise BadSelection(f"--base-release={name} is a proposal, and shares no message with others: name a release")
    return base


def without_shared(selection: Selection, claims: Claims, release: Release, base: Release | None) -> Selection:
    """Return a selection without the pairs equal in the base release, and with a list of them."""
    if base is None:
        return selection
    shared = {schema: str(schema) for schema in selection.schemas if is_shared(schema, release, base)}
    names = [name for name in selection.others if _is_shared_name(name, claims, release, base)]
    return selection._replace(
        schemas=[schema for schema in selection.schemas if schema not in shared],
        others=[name for name in selection.others if name not in names],
        shared=Shared(base.name, tuple(shared.values()), tuple(names), len(selection.schemas)),
    )


def is_shared(schema: MessageSchema, release: Release, base: Release) -> bool:
    """Return whether a pair of a release is the same in its base release, with everything before it."""
    try:
        is_same = schema == base.schema(schema.message, schema.version)
    except UnknownMessage:
        return False
    # A header always has all of its fields, so it does not matter which of them are ignorable.
    if is_same and is_framed(schema):
        one, other = (
            header_schema(each, schema.direction, schema.api_key or 0, schema.version) for each in (release, base)
        )
        return layout(one.body) == layout(other.body)
    # The checks of a metadata record put the types and versions of other records before it.
    if is_same and schema.stored_form == "record":
        return _records(release, schema.message) == _records(base, schema.message)
    return is_same


def _records(release: Release, message: str) -> dict[Any, Any]:
    names = [name for name in release.messages if release.source(name) == release.source(message)]
    records = [definition for definition in map(release.definition, names) if definition.kind == "metadata"]
    return {record.api_key: (record.name, record.valid_versions) for record in records}


def _is_shared_name(name: str, claims: Claims, release: Release, base: Release) -> bool:
    is_batches = name == RECORD_BATCHES
    target = RecordsField() if is_batches else WireTypeTarget(primitive(name))
    is_offered = any(target.is_offered(claims, direction) for direction in DIRECTIONS)
    return is_offered and (not is_batches or reader_bounds(release.name) == reader_bounds(base.name))
