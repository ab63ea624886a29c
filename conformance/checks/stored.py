"""Checks on messages as they are stored: behind an int16, or as records of the metadata log."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.adapter import DIRECTIONS, Direction, StoredMessage
from conformance.blame.bodies import REFUSED, blame_bytes, blame_refused_body, blame_value
from conformance.blame.frame_layouts import head_parts, stored_mistakes
from conformance.blame.layouts import explain_read, explain_written
from conformance.checks.bases import taken_form
from conformance.checks.frames import refusal
from conformance.checks.target_cases import WireCase
from conformance.checks.tried import try_bytes
from conformance.findings.events import REJECTION, SURVIVAL, these_bytes, value_at
from conformance.findings.violations import Blame, Violation
from conformance.generate.cases import populated
from conformance.generate.stored import broken_prefixed, broken_records, stored_values, types_of_others
from conformance.generate.taming import changes
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from conformance.implementation.targets import Body, StoredForm, body_difference, kept
from reference import Malformed, MessageSchema, encode, minimal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.implementation.driver import Implementation
    from conformance.implementation.session import Session
    from conformance.implementation.targets.base import Json


INVALID = "invalid stored messages"


def is_stored(schema: MessageSchema) -> bool:
    """Return whether a message is stored behind something that says what it is."""
    return schema.stored_form is not None


def offers_stored(implementation: Implementation, schema: MessageSchema) -> bool:
    """Return whether the adapter has a function for messages that are stored as this one is."""
    form = schema.stored_form
    return any(getattr(implementation.adapter, f"{way}_{form}") is not None for way in DIRECTIONS)


@dataclass(frozen=True)
class StoredCase(WireCase[StoredForm]):
    """The bytes of a stored message, valid or not: the reference says which."""

    kind: ClassVar[str] = "stored"

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is written and read
        """By its bytes."""
        return ["--stored", "--wire", self.data.hex()]

    def run(self, session: Session) -> Iterator[Violation]:
        """Check a valid stored message in both directions, an invalid one for rejection."""
        subject = StoredSubject(session, self.target)
        try:
            content = self.target.read(self.data)
        except Malformed:
            yield from _check_invalid(subject, [self])
        else:
            yield from _check_stored(subject, self, content)


@dataclass(frozen=True)
class StoredSubject:
    """An implementation, and the message that it is asked about."""

    session: Session
    target: StoredForm

    def decode_many(self, wires: list[bytes]) -> list[Outcome]:
        """Have it read bytes that may not be valid."""
        return self.session.decode_many(self.target, wires)

    def judged(self, content: StoredMessage) -> StoredMessage:
        """Return the parts of a content that count."""
        return self.target.content(self.session.implementation.judged(content.value))

    def same(self, one: StoredMessage, other: Any) -> bool:
        """Return whether two contents are the same; the second may be anything."""
        return self.target.difference(self.session.implementation, one, other) is None

    def takes(self, content: StoredMessage, direction: Direction) -> bool:
        """Return whether it writes a content, or reads the bytes of one, rightly or not."""
        if direction == "encode":
            return self.session.encode(self.target, self.judged(content)).kind is Kind.BYTES
        return self.session.decode(self.target, self.target.write(content)).kind is Kind.VALUE

    def takes_body(self, direction: Direction) -> bool:
        """Return whether it takes the smallest body alone, or is not asked for bodies."""
        body, smallest = Body(self.target.schema), minimal(self.target.schema)
        if not body.is_offered(self.session.implementation, direction):
            return True
        if direction == "encode":
            return self.session.encode(body, smallest).kind not in REFUSALS
        return self.session.decode(body, body.write(smallest)).kind not in REFUSALS

    def of_version(self, version: int) -> StoredSubject:
        """Return the same message in another version."""
        release = self.target.release
        return replace(self, target=StoredForm(release.schema(self.target.message, version), release))


def stored_cases(target: StoredForm) -> Iterator[tuple[StoredCase, StoredMessage]]:
    """Yield the valid forms of a message."""
    for value in stored_values(target.schema):
        content = target.content(value)
        yield StoredCase(target, "stored", target.write(content)), content


def invalid_stored_cases(target: StoredForm, value: dict[str, Any]) -> Iterator[StoredCase]:
    """Yield bytes, made from a value, that are no such message; the reference says whether they must be rejected."""
    wire = target.write(target.content(value))
    if target.form != "record":
        yield from (StoredCase(target, name, data) for name, data in broken_prefixed(wire))
        return
    others = types_of_others(target.release, target.source)
    yield from (StoredCase(target, name, data) for name, data in broken_records(wire, others.unknown))
    yield from (StoredCase(target, f"record-of-another-log={name}", data) for name, data in others.foreign)


def _requests(subject: StoredSubject, case: StoredCase, content: StoredMessage) -> Iterator[Json]:
    """Yield what is asked of a harness about a valid message; it writes what it keeps alone."""
    return subject.session.requests(subject.target, subject.judged(content), case.data)


def check_stored(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    """Check every value and every invalid input of one message as it is stored."""
    target = StoredForm(schema, session.release)
    subject = StoredSubject(session, target)
    for case, content in session.ahead(stored_cases(target), lambda each: _requests(subject, *each)):
        session.tally.case("stored messages")
        try_bytes(session, target, case.data)
        yield from _check_stored(subject, case, content)
    if target.is_offered(session.implementation, "decode"):
        usual = populated(schema)
        base = taken_form(session, target, usual, target.content)
        session.tally.tamed.update((str(schema), path) for path in changes(usual, base or usual))
        invalid = {case.name: case for case in invalid_stored_cases(target, base or usual)}
        yield from _check_invalid(subject, list(invalid.values()), is_refused=base is None)


def _check_stored(subject: StoredSubject, case: StoredCase, content: StoredMessage) -> Iterator[Violation]:
    """Check one stored message, written and read."""
    session, target = subject.session, subject.target
    judged = subject.judged(content)
    wire, written = target.write(judged), session.encode(target, judged)
    if written.kind not in ABSENT and written.wire != wire:
        yield case.violation(_blame_written(subject, judged, written), written, these_bytes(wire), "stored")
    read = session.decode(target, case.data)
    if read.kind in ABSENT or (read.kind is Kind.VALUE and subject.same(content, read.value)):
        return
    yield case.violation(_blame_read(subject, content, case.data, read), read, value_at("", content), "stored")


def _blame_written(subject: StoredSubject, content: StoredMessage, outcome: Outcome) -> Blame:
    """Return why what was written is not the valid form, or why nothing was."""
    schema = subject.target.schema
    if outcome.wire is None:
        return _blame_refused(subject, content, "encode")
    rule = explain_written(stored_mistakes(schema), content, outcome.wire)
    return Blame(rule) if rule else _by_place(schema, content.value, outcome.wire)


def _blame_refused(subject: StoredSubject, content: StoredMessage, direction: Direction) -> Blame:
    """Return why a content is refused: the head if every value is, though not its body; else a field."""
    schema, target = subject.target.schema, subject.target
    if any(subject.takes(target.content(value), direction) for value in stored_values(schema)):
        return blame_refused_body(
            schema, content.value, lambda value: subject.takes(target.content(value), direction), direction
        )
    return Blame(_rule_of_head(subject, direction) if subject.takes_body(direction) else REFUSED[direction])


def _rule_of_head(subject: StoredSubject, direction: Direction) -> str:
    """Return the rule of the version if another version of the message is taken; else of the type, if it has one."""
    rules = [rule for rule, _ in head_parts(subject.target.schema)]
    versions = subject.target.release.definition(subject.target.message).valid_versions
    others = (subject.of_version(each) for each in versions if each != subject.target.version)
    is_known = any(other.takes(other.target.content(minimal(other.target.schema)), direction) for other in others)
    return rules[-1] if is_known else rules[-2:][0]


def _by_place(schema: MessageSchema, value: dict[str, Any], actual: bytes) -> Blame:
    """Blame the first wrong number before a message, or the message."""
    at = 0
    for rule, part in head_parts(schema):
        if not actual.startswith(part, at):
            return Blame(rule)
        at += len(part)
    return blame_bytes(schema, value, encode(schema, value), actual[at:])


def _blame_read(subject: StoredSubject, content: StoredMessage, wire: bytes, outcome: Outcome) -> Blame:
    """Return why what was read is not the content, or why nothing was."""
    schema, read = subject.target.schema, outcome.value
    apart = subject.target.difference(subject.session.implementation, content, read)
    if isinstance(read, StoredMessage) and apart is not None and apart.what == "tags":
        return Blame("tag.unknown-kept", apart.path)
    rule = explain_read(stored_mistakes(schema), subject, content, wire, outcome)
    if rule is not None:
        return Blame(rule)
    return _blame_refused(subject, content, "decode") if read is None else _blame_misread(subject, content, read)


def _blame_misread(subject: StoredSubject, content: StoredMessage, read: Any) -> Blame:
    """Return why what was read is another content."""
    schema = subject.target.schema
    if not isinstance(read, StoredMessage):
        return Blame("message.accepted")
    if read.message != content.message:
        return Blame(head_parts(schema)[-2:][0][0])
    if read.version != content.version:
        return Blame(head_parts(schema)[-1][0])
    implementation = subject.session.implementation
    value = kept(implementation, schema, read.value)
    found = body_difference(implementation, schema, content.value, value)
    if found is None or not isinstance(value, dict):
        return Blame("message.accepted")
    return blame_value(schema, encode(schema, content.value), value, found)


def _check_invalid(
    subject: StoredSubject, cases: Sequence[StoredCase], *, is_refused: bool = False
) -> Iterator[Violation]:
    """Check that what every reader must reject is rejected; unspecified bytes go either way, but do no harm.

    A reader that misreads every valid form (`is_refused`) has reasons of its own, and must only do no harm.
    """
    outcomes = subject.decode_many([case.data for case in cases])
    for case, outcome in zip(cases, outcomes, strict=True):
        if outcome.kind in ABSENT:
            continue
        if is_refused and outcome.kind not in FATAL:
            subject.session.tally.rest(INVALID, str(subject.target.schema))
            continue
        subject.session.tally.case(INVALID)
        error = refusal(subject.target, case.data)
        if error is None:
            continue
        subject.session.tally.tried.add(error.rule)
        if outcome.kind in REFUSALS:
            continue
        if error.reason is not None or outcome.kind in FATAL:
            expected = REJECTION if error.reason is not None else SURVIVAL
            yield case.violation(Blame(error.rule, error.path), outcome, expected, "stored")
