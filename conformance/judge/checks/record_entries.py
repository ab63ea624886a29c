"""Cases of record batches by their names, and from their forms in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.codec.targets import RecordsField
from conformance.generate.records.records_edges import GROUPS, records_edges
from conformance.judge.checks.hostile_record_cases import RecordsBytesCase, hostile_records_cases
from conformance.judge.checks.record_cases import RecordsValueCase, case_of_edge
from conformance.judge.checks.unencodable_record_cases import RecordsRefusalCase, refused_records
from reference.inputs.json_text import parse_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.judge.case import CodecCase
    from conformance.judge.forms import CaseForm
    from reference import Release


def records_cases(release: str) -> Iterator[CodecCase]:
    """Yield every deterministic case of record batches."""
    target = RecordsField(release)
    yield from (case_of_edge(edge, release) for edge in records_edges())
    yield from (RecordsRefusalCase(target, one.value, one.name, one.path, one.rule) for one in refused_records())
    for group in GROUPS:
        yield from hostile_records_cases(release, group)


def _value(form: CaseForm, release: Release) -> CodecCase:
    """Return the edge value of the form's name.

    Without such an edge, it is a case of the form's value, or of the value of its bytes.
    """
    target, name = RecordsField(release.name), form.case
    edge = next((edge for edge in records_edges() if edge.name == name), None)
    if edge is not None:
        return case_of_edge(edge, release.name)
    if form.value:
        content = target.from_json(parse_value(form.value, "value"))
        return RecordsValueCase(target, content, name, deterministic=form.deterministic)
    wire = bytes.fromhex(form.wire)
    return RecordsValueCase(target, target.read(wire), name, given=wire, deterministic=form.deterministic)


def _refusal(form: CaseForm, release: Release) -> CodecCase:
    target = RecordsField(release.name)
    content = target.from_json(parse_value(form.value, "value"))
    return RecordsRefusalCase(target, content, form.case, form.path, form.rule)


def _bytes(form: CaseForm, release: Release) -> CodecCase:
    target, wire = RecordsField(release.name), bytes.fromhex(form.wire)
    name = form.case
    return RecordsBytesCase(target, name, wire, form.path, deterministic=form.deterministic)


READERS: dict[str, Callable[[CaseForm, Release], CodecCase]] = {
    RecordsValueCase.kind: _value,
    RecordsRefusalCase.kind: _refusal,
    RecordsBytesCase.kind: _bytes,
}
"""The readers of forms in files, by the kind of case."""
