"""Every kind of cases, and the cases of forms in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.judge.case import Violation
from conformance.judge.checks.body_bytes import HOSTILE, INVALID, TRAILING_BYTES
from conformance.judge.checks.frame_cases import FRAME, HEADER_VERSION, REFUSED_FRAME
from conformance.judge.checks.hostile_record_cases import RECORDS_BYTES
from conformance.judge.checks.record_cases import RECORDS
from conformance.judge.checks.size_cases import LIMIT
from conformance.judge.checks.special_values import ABSENT_FIELD, PARTIAL, UNENCODABLE, UNSPECIFIED
from conformance.judge.checks.state_leaks import LEAK
from conformance.judge.checks.stored_cases import REFUSED_MESSAGE, STORED
from conformance.judge.checks.unencodable_record_cases import UNENCODABLE_RECORDS
from conformance.judge.checks.value_cases import VALUE
from conformance.judge.checks.wire_type_cases import PRIMITIVE, PRIMITIVE_BYTES
from conformance.judge.kinds import UnknownCase
from conformance.targets import RECORD_BATCHES, target_at
from reference import UnknownPrimitive

if TYPE_CHECKING:
    from conformance.judge.forms import Broken, CaseForm
    from conformance.judge.kinds import CodecCase
    from reference import Release

ROWS = (
    *(VALUE, UNENCODABLE, INVALID, TRAILING_BYTES, HOSTILE, PARTIAL, ABSENT_FIELD, UNSPECIFIED, LEAK),
    *(FRAME, REFUSED_FRAME, HEADER_VERSION, STORED, REFUSED_MESSAGE, LIMIT, PRIMITIVE, PRIMITIVE_BYTES),
    *(RECORDS, UNENCODABLE_RECORDS, RECORDS_BYTES),
)
KINDS = {row.name: row for row in ROWS}
"""The kinds of cases by their words in files."""


def violation_of(event: Broken, release: Release) -> Violation:
    """Return the violation of the event of a codec.

    Raises:
        Exception: any error of `case_from`.
    """
    return Violation.of(event, case_from(event, release))


def case_from(form: CaseForm, release: Release) -> CodecCase:
    """Return the case of a form.

    Raises:
        UnknownCase: there is no such kind of case, or no case of that name.
        ValueError: bytes or value are missing or malformed.
        CodecError: they are no case of that kind.
        UnknownMessage: the release has no such message or version.
    """
    row = KINDS.get(form.kind)
    if row is None:
        raise UnknownCase(f"'kind' is {form.kind!r}, not one of {', '.join(KINDS)}")
    folder = "records" if form.message == RECORD_BATCHES else row.folder
    try:
        target = target_at(release, folder, form.message, form.version)
    except UnknownPrimitive as error:
        raise UnknownCase(f"there is no wire type {form.message!r}") from error
    return row.read(row, form, target)
