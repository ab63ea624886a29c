"""Cases of files, judged by the oracle: what a file says of its own bytes or value is not believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.judge.checks.absent_fields import AbsentFieldCase
from conformance.judge.checks.hostile_bytes import HostileBytesCase
from conformance.judge.checks.invalid_bytes import TRAILING_RULE, InvalidBytesCase, TrailingBytesCase
from conformance.judge.checks.partial_values import PartialCase
from conformance.judge.checks.record_cases import RecordsValueCase
from conformance.judge.checks.state_leaks import StateLeakCase
from conformance.judge.checks.unencodable_records import RecordsRefusalCase
from conformance.judge.checks.unencodable_values import UnencodableCase
from conformance.judge.checks.value_cases import ValueCase
from reference import Result, Unencodable, encode, judge

if TYPE_CHECKING:
    from conformance.judge.findings.violations import CodecCase


def judged_case(case: CodecCase) -> CodecCase:
    """Return a case of the kind that the oracle finds: of sound bytes that it is one of sound bytes, and so on.

    Raises:
        Unencodable: the case is about a valid value, and its value is none.
    """
    match case:
        case InvalidBytesCase() | TrailingBytesCase():
            return case if _is_as_said(case) else HostileBytesCase(case.schema, case.name, case.path, case.wire)
        case UnencodableCase():
            return _refused_or_value(case)
        case RecordsRefusalCase():
            return _refused_or_records(case)
        case PartialCase() | RecordsValueCase():
            case.wire  # noqa: B018  # raises if there are no such bytes
        case ValueCase() | AbsentFieldCase() | StateLeakCase():
            case.canonical  # noqa: B018  # as above
    return case


def _is_as_said(case: InvalidBytesCase | TrailingBytesCase) -> bool:
    verdict = judge(case.schema, case.wire)
    if isinstance(case, TrailingBytesCase):
        return verdict.rules == (TRAILING_RULE,)
    return verdict.result is Result.INVALID


def _refused_or_value(case: UnencodableCase) -> CodecCase:
    try:
        encode(case.schema, case.content)
    except Unencodable:
        return case
    return ValueCase(case.schema, case.name, case.path, case.content, is_minimal=False)


def _refused_or_records(case: RecordsRefusalCase) -> CodecCase:
    try:
        case.target.write(case.content)
    except Unencodable:
        return case
    return RecordsValueCase(case.target, case.content, case.name)
