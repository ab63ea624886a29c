"""Cases of record batches by their names, and from their forms in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.checks.records.hostile_bytes import RecordsBytesCase, hostile_records_cases
from conformance.checks.records.unencodable import RecordsRefusalCase
from conformance.checks.records.values import RecordsValueCase, case_of_edge
from conformance.generate.records.edges import GROUPS, records_edges
from conformance.generate.records.unencodable import unencodable_records
from conformance.implementation.targets import RecordsField
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.findings.violations import Case
    from reference import Release

Json = dict[str, Any]


def records_cases(release: str) -> Iterator[Case]:
    """Yield every deterministic case of record batches."""
    target = RecordsField(release)
    yield from (case_of_edge(edge, release) for edge in records_edges())
    yield from (RecordsRefusalCase(target, one.value, one.name, one.path, one.rule) for one in unencodable_records())
    for group in GROUPS:
        yield from hostile_records_cases(release, group)


def _value(entry: Json, release: Release) -> Case:
    """Return the edge value of that name; any other value, and the value of bytes, stands for itself."""
    target, name = RecordsField(release.name), entry["case"]
    edge = next((edge for edge in records_edges() if edge.name == name), None)
    if edge is not None:
        return case_of_edge(edge, release.name)
    if entry["value"]:
        content = target.from_json(parse_json(entry["value"], "value"))
        return RecordsValueCase(target, content, name, deterministic=entry["deterministic"])
    wire = bytes.fromhex(entry["wire"])
    return RecordsValueCase(target, target.read(wire), name, given=wire, deterministic=entry["deterministic"])


def _refusal(entry: Json, release: Release) -> Case:
    target = RecordsField(release.name)
    content = target.from_json(parse_json(entry["value"], "value"))
    return RecordsRefusalCase(target, content, entry["case"], entry["path"], entry["rule"])


def _bytes(entry: Json, release: Release) -> Case:
    target, wire = RecordsField(release.name), bytes.fromhex(entry["wire"])
    name = entry["case"]
    return RecordsBytesCase(target, name, wire, entry["path"], deterministic=entry["deterministic"])


READERS: dict[str, Callable[[Json, Release], Case]] = {
    RecordsValueCase.kind: _value,
    RecordsRefusalCase.kind: _refusal,
    RecordsBytesCase.kind: _bytes,
}
"""The kinds of cases, as files name them, with what reads their entries."""
