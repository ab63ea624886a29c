"""Checks on bytes that no reader may accept, and on bytes that follow a message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from conformance.bridge.hangs import ONLY_HANGS
from conformance.checks.bases import bases_of
from conformance.checks.body_cases import BytesCase
from conformance.findings.events import REJECTION, SURVIVAL, Counted, Expected, number
from conformance.findings.violations import Blame, Violation
from conformance.generate.clean_faults import NULL_RULE
from conformance.generate.invalid_bytes import fields_at, invalid_bytes
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from conformance.implementation.targets import Body
from reference import Malformed, MessageSchema, decode, decode_leniently, encode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.implementation.session import Session
    from conformance.implementation.tally import Tally

SORT = "invalid inputs"
TRAILING_NAME = "trailing-bytes"
TRAILING_RULE = "input.trailing-bytes"
TRAILING = (b"\x00", b"\x00\x01\x02\x03", b"\xff" * 8)
"""What is put after a message: bytes that could begin another field, a tag section, a negative number."""


@dataclass(frozen=True)
class InvalidBytesCase(BytesCase):
    """Bytes that must be rejected, and the rule that makes them invalid."""

    kind: ClassVar[str] = "invalid-bytes"
    rule: str
    rests_on_refused: bool = False
    """Whether the valid bytes that these were made from are refused or misread as well."""

    @property
    def alike(self) -> str:
        """What it has in common with inputs that hang as it does; empty: nothing.

        Nulls have the type of the field. Bytes that are cut off somewhere have nothing in common.
        """
        if self.rule != NULL_RULE:
            return ""
        return f"{ONLY_HANGS}{self.rule} {fields_at(self.schema, self.path)[-1].written_type}"

    def run(self, session: Session) -> Iterator[Violation]:
        """Check that the bytes are rejected."""
        yield from check_invalid_cases(session, self.schema, [self])


@dataclass(frozen=True)
class TrailingBytesCase(BytesCase):
    """A message with bytes behind it."""

    kind: ClassVar[str] = "trailing-bytes"

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is only ever read
        """By its bytes: its name is not its own."""
        return ["--wire", self.wire.hex()]

    def run(self, session: Session) -> Iterator[Violation]:
        """Check that the bytes behind the message are not counted as part of it."""
        yield from _check_trailing_cases(session, [self])


def invalid_cases(session: Session, schema: MessageSchema) -> Iterator[InvalidBytesCase]:
    """Yield every input of a message that must be rejected, made from values that the implementation takes."""
    taken = bases_of(session, schema)
    for case in invalid_bytes(schema, taken.bases):
        yield InvalidBytesCase(schema, case.name, case.path, case.wire, case.rule, case.base in taken.refused)


def trailing_cases(session: Session, schema: MessageSchema) -> Iterator[TrailingBytesCase]:
    """Yield a message with each of `TRAILING` behind it."""
    wire = encode(schema, bases_of(session, schema).bases.populated)
    for trailing in TRAILING:
        yield TrailingBytesCase(schema, TRAILING_NAME, "", wire + trailing)


def check_invalid_bytes(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Check every input that must be rejected, and what may follow a message."""
    if not Body(schema).is_offered(session.implementation, "decode"):
        return
    yield from check_invalid_cases(session, schema, list(invalid_cases(session, schema)))
    yield from _check_trailing_cases(session, list(trailing_cases(session, schema)))


def check_invalid_cases(
    session: Session, schema: MessageSchema, cases: Sequence[InvalidBytesCase]
) -> Iterator[Violation]:
    """Check that each of these bytes is rejected; where the valid bytes behind it are as well, that shows nothing."""
    for case, outcome in zip(cases, invalid_outcomes(session, schema, cases), strict=True):
        yield from judge_invalid(session, case, outcome)


def invalid_outcomes(session: Session, schema: MessageSchema, cases: Sequence[InvalidBytesCase]) -> list[Outcome]:
    """Have inputs of a message read that must be rejected: one outcome each, in order."""
    return session.decode_many(Body(schema), [case.wire for case in cases], [case.alike for case in cases])


def judge_invalid(session: Session, case: InvalidBytesCase, outcome: Outcome) -> Iterator[Violation]:
    """Judge the outcome of one input that must be rejected."""
    session.count("decode", case.target, outcome)
    if outcome.kind in ABSENT:
        return
    if case.rests_on_refused and outcome.kind in REFUSALS:
        session.tally.rest(SORT, str(case.schema))
        return
    session.tally.case(SORT)
    session.tally.tried.add(case.rule)
    count_reason(case.schema, case.wire, outcome, session.tally)
    if outcome.kind not in REFUSALS:
        yield case.violation(Blame(case.rule, case.path), outcome, REJECTION, "decode")


def _check_trailing_cases(session: Session, cases: Sequence[TrailingBytesCase]) -> Iterator[Violation]:
    """Bytes after the message may be refused or left alone; they must not be counted as part of it."""
    for case, outcome in zip(cases, trailing_outcomes(session, cases[0].schema, cases), strict=True):
        yield from judge_trailing(session, case, outcome)


def trailing_outcomes(session: Session, schema: MessageSchema, cases: Sequence[TrailingBytesCase]) -> list[Outcome]:
    """Have messages read that bytes follow: one outcome each, in order."""
    return session.decode_many(Body(schema), [case.data for case in cases])


def judge_trailing(session: Session, case: TrailingBytesCase, outcome: Outcome) -> Iterator[Violation]:
    """Judge the outcome of one message that bytes follow."""
    session.count("decode", case.target, outcome)
    if outcome.kind not in ABSENT:
        session.tally.tried.add(TRAILING_RULE)
    if outcome.kind in FATAL:
        yield case.violation(Blame(TRAILING_RULE), outcome, SURVIVAL, "decode")
    elif outcome.kind is Kind.VALUE:
        yield from _check_count(case, outcome)


def _check_count(case: TrailingBytesCase, outcome: Outcome) -> Iterator[Violation]:
    _, consumed = decode_leniently(case.schema, case.wire)
    if outcome.consumed is not None and outcome.consumed != consumed:
        found = Counted("consumed", outcome.consumed)
        yield case.violation(Blame("codec.consumed"), found, number(Expected.CONSUMPTION, consumed), "decode")


def count_reason(schema: MessageSchema, wire: bytes, outcome: Outcome, tally: Tally) -> None:
    """Take in the reason that was given for a rejection, beside the reference's; nothing where either has none."""
    if outcome.kind not in REFUSALS or not outcome.reason:
        return
    try:
        decode(schema, wire)
    except Malformed as error:
        if error.reason is not None:
            tally.reasons[str(error.reason), outcome.reason] += 1
