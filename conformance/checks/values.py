"""Checks on valid values: canonical bytes, the same value back, right counts.

One case serves five checks: encodes canonically, size agrees, reads back its own bytes, decodes what the reference
encodes, consumes exactly. Each yields violations with the rule that is broken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.blame.bodies import blame_bytes, blame_refusal, blame_value
from conformance.blame.reduction import focus, reduced
from conformance.checks.body_cases import ContentCase, may_be_version_0
from conformance.checks.tried import try_value
from conformance.findings.events import (
    ACCEPTANCE,
    OWN_VALUE,
    Another,
    Counted,
    Differs,
    Expectation,
    Expected,
    number,
    these_bytes,
    value_at,
)
from conformance.findings.violations import Blame, Violation
from conformance.generate.cases import edge_cases
from conformance.generate.real_records import real_records_cases
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from conformance.implementation.targets import body_difference, kept
from reference import Difference, MessageSchema, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.implementation.session import Session
    from conformance.implementation.targets.base import Json


@dataclass(frozen=True)
class ValueCase(ContentCase):
    """A valid value of a message, and where it departs from the smallest one."""

    kind: ClassVar[str] = "value"
    deterministic: bool = True
    is_minimal: bool = True
    """Whether nothing could be left out; else it is reduced before anything is blamed."""

    def requests(self, session: Session) -> Iterator[Json]:
        """Yield what is asked of a harness, whatever it answers; its size, only if it writes the value."""
        implementation = session.implementation
        for request in session.requests(self.target, implementation.judged(self.content), self.canonical):
            yield request
            if request["op"] == "encode" and implementation.adapter.size is not None:
                yield {**request, "op": "size"}

    def run(self, session: Session, read: Outcome | None = None) -> Iterator[Violation]:
        """Run every check that a valid value allows, in both directions as far as the implementation goes.

        Args:
            session: with the implementation.
            read: the outcome of the canonical bytes, already counted; None: they are read now.
        """
        if self.target.is_offered(session.implementation, "encode"):
            yield from _check_encode(session, self)
        if self.target.is_offered(session.implementation, "decode"):
            yield from _check_decode(session, self, read)


def value_cases(schema: MessageSchema, *, real_records: bool = True) -> Iterator[ValueCase]:
    """Yield every edge value of a message; with `real_records` also those that carry record batches."""
    for variation in chain(edge_cases(schema), real_records_cases(schema) if real_records else ()):
        yield ValueCase(schema, variation.name, variation.path, variation.value)


def check_values(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Write and read every edge value of a message."""
    cases = value_cases(schema, real_records=session.real_records)
    for case in session.ahead(cases, lambda case: case.requests(session)):
        session.tally.case("edge values")
        yield from case.run(session)


def _check_encode(session: Session, case: ValueCase) -> Iterator[Violation]:
    implementation = session.implementation
    value = implementation.judged(case.content)
    wire = case.canonical if value is case.content else encode(case.schema, value)
    outcome = session.encode(case.target, value)
    session.count("encode", case.target, outcome)
    try_value(session, case, "encode", outcome)
    if outcome.kind in ABSENT:
        return
    if outcome.kind is Kind.BYTES and outcome.wire is not None:
        if outcome.wire != wire:
            yield from _wrong_bytes(session, case, value)
        yield from _check_size(session, case, value, outcome.wire)
    else:
        yield _refused(case, outcome, "encode", lambda tried: session.encode(case.target, tried))


def _refused(
    case: ValueCase, outcome: Outcome, direction: str, again: Callable[[dict[str, Any]], Outcome]
) -> Violation:
    """Report a valid value that was not taken, reduced to what it is not taken for."""
    content = reduced(case.schema, case.content, lambda tried: again(tried).kind is outcome.kind)
    if content != case.content or not case.path:
        once_more = again(content)
        if once_more.kind not in ABSENT:  # else it answers otherwise by now, and the first answer is the finding
            case, outcome = replace(case, content=content, path=focus(case.schema, content)), once_more
    blame = blame_refusal(case.schema, case.content, case.path, direction)
    expected = these_bytes(case.canonical) if direction == "encode" else ACCEPTANCE
    return case.violation(blame, outcome, expected, direction)


def _wrong_bytes(session: Session, case: ValueCase, value: dict[str, Any]) -> Iterator[Violation]:
    """Report other bytes than the canonical ones; a random value is reduced to what makes them differ."""

    def differs(tried: dict[str, Any]) -> bool:
        outcome = session.encode(case.target, tried)
        return outcome.kind is Kind.BYTES and outcome.wire != encode(case.schema, tried)

    if not case.is_minimal:
        value = reduced(case.schema, value, differs)
    case = replace(case, content=value)
    actual = session.encode(case.target, value).wire or b""
    blame = blame_bytes(case.schema, value, case.canonical, actual)
    yield case.violation(blame, Outcome(Kind.BYTES, wire=actual), these_bytes(case.canonical), "encode")
    yield from _check_own_bytes(session, case, actual)


def _check_own_bytes(session: Session, case: ValueCase, own: bytes) -> Iterator[Violation]:
    """Check that an implementation that writes other bytes at least reads them back."""
    if not case.target.is_offered(session.implementation, "decode"):
        return
    outcome = session.decode(case.target, own)
    if outcome.kind in ABSENT or (outcome.kind is Kind.VALUE and _reads_back(session, case, outcome)):
        return
    yield case.violation(Blame("codec.round-trip", case.path), outcome, OWN_VALUE, "encode")


def _reads_back(session: Session, case: ValueCase, outcome: Outcome) -> bool:
    return body_difference(session.implementation, case.schema, case.content, outcome.value) is None


def _check_size(session: Session, case: ValueCase, value: dict[str, Any], written: bytes) -> Iterator[Violation]:
    size = case.target.size(session.implementation, value)
    blame = Blame("codec.size", case.path)
    if size is not None and case.deterministic:
        session.tally.tried.add(blame.rule)
    if isinstance(size, Outcome):
        if size.kind not in ABSENT:
            yield case.violation(blame, size, number(Expected.SIZE, len(written)), "encode")
    elif size is not None and size != len(written):
        yield case.violation(blame, Counted("size", size), number(Expected.SIZE, len(written)), "encode")


def _check_decode(session: Session, case: ValueCase, read: Outcome | None) -> Iterator[Violation]:
    if may_be_version_0(case.schema, case.canonical):
        return
    outcome = session.decode(case.target, case.canonical) if read is None else read
    if read is None:
        session.count("decode", case.target, outcome)
    try_value(session, case, "decode", outcome)
    if outcome.kind in ABSENT:
        return
    if outcome.kind in REFUSALS or outcome.kind in FATAL:
        yield _refused(case, outcome, "decode", lambda tried: session.decode(case.target, encode(case.schema, tried)))
        return
    yield from _check_read(session, case, outcome)


def _check_read(session: Session, case: ValueCase, outcome: Outcome) -> Iterator[Violation]:
    expected = len(case.canonical)
    if _read_difference(session, case, outcome.value) is not None:
        yield _wrong_value(session, case, outcome)
    elif outcome.consumed is not None and outcome.consumed != expected:
        found = Counted("consumed", outcome.consumed)
        yield case.violation(Blame("codec.consumed"), found, number(Expected.CONSUMPTION, expected), "decode")


def _read_difference(session: Session, case: ValueCase, read: Any) -> Difference | None:
    """Return where what was read differs from the case's value."""
    return None if read is case.content else case.target.difference(session.implementation, case.content, read)


def _wrong_value(session: Session, case: ValueCase, outcome: Outcome) -> Violation:
    """Report another value than the one on the wire; a random one is reduced to what is misread."""

    def misread(tried: dict[str, Any]) -> bool:
        outcome = session.decode(case.target, encode(case.schema, tried))
        return (
            outcome.kind is Kind.VALUE
            and case.target.difference(session.implementation, tried, outcome.value) is not None
        )

    if not case.is_minimal:
        case = replace(case, content=reduced(case.schema, case.content, misread))
        outcome = session.decode(case.target, case.canonical)
    found = _read_difference(session, case, outcome.value)
    if found is None:
        return case.violation(Blame("codec.stateless"), Another(), Expectation(Expected.SAME_VALUE), "decode")
    read = kept(session.implementation, case.schema, outcome.value)
    blame = blame_value(case.schema, case.canonical, read, found, outcome.consumed)
    return case.violation(blame, Differs.of(found), value_at(found.path, found.expected), "decode")
