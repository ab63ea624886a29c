"""Checks on stored messages.

They are stored after an int16 with their version, or as records of the metadata log.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING, Any

from conformance.adapter import Direction, StoredMessage
from conformance.generate.adaptation import changes
from conformance.generate.edge_values import populated
from conformance.judge.bases import taken_form
from conformance.judge.blame.target_explanation import TargetExplanation
from conformance.judge.case import INVALID_STORED, input_arguments
from conformance.judge.case_forms import refused_case, wire_case
from conformance.judge.checks.enclosed_bodies import enclosed_cases, is_wrong_alone
from conformance.judge.checks.frame_cases import REFUSED_FRAME
from conformance.judge.checks.tried_rules import rules_of_bytes
from conformance.judge.count_lines import AdaptedBase
from conformance.judge.events import these_bytes, value_at
from conformance.judge.judgement import ANSWERS
from conformance.judge.kinds import (
    CaseKind,
    CaseTrial,
    CodecCase,
    never,
    nothing,
    refusal_blamed,
    wrong,
)
from conformance.targets import DECODE, ENCODE, Blame, Body, StoredForm
from conformance.targets.outcome import REFUSALS, Outcome
from reference import MessageSchema, minimal
from reference.inputs.json_text import parse_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.codec.session import Session
    from conformance.generate.origin import CaseOrigin
    from conformance.judge.case import Event
    from conformance.judge.kinds import JudgedAnswer


WITHOUT_BYTES = "stored messages without bytes"


def is_stored(schema: MessageSchema) -> bool:
    """Return whether a message is stored after a head with its version or type."""
    return schema.stored_form is not None


def _given(trial: CaseTrial) -> StoredMessage:
    """Return the value as a message of the target: the bytes may be of another version of it."""
    target = trial.case.target
    content: StoredMessage = target.content_of(trial.session.claims.judged(trial.case.content.value))
    return content


def _blame(answer: JudgedAnswer) -> Iterator[Event]:
    subject, content, outcome = _subject(answer.trial), answer.case.content, answer.outcome
    if answer.way == ENCODE:
        blame = _blame_written(subject, _given(answer.trial), outcome)
        yield answer.violation(blame, these_bytes(answer.due.wire or b""))
    else:
        yield answer.violation(_blame_read(subject, content, outcome), value_at("", content))


STORED = CaseKind(
    name="stored",
    folder="stored",
    around="stored",
    given=_given,
    opening=lambda trial: rules_of_bytes(trial.case.target, trial.case.input),
    blames=wrong(_blame),
    forgives=is_wrong_alone,
    replay=lambda case, _: ["--stored", "--wire", case.input.hex()],
    read=lambda _row, form, target: stored_case(target, form.case, bytes.fromhex(form.wire), form.path),
)
INVALID_MESSAGE = replace(
    STORED,
    category=INVALID_STORED,
    is_written=never,
    is_isolated=True,
    needs_base=ANSWERS,
    opening=nothing,
    blames=wrong(refusal_blamed),
)


REFUSED_MESSAGE = replace(
    REFUSED_FRAME,
    name="refused-stored",
    folder="stored",
    around="stored",
    replay=lambda case, _: ["--stored", *input_arguments(case, by_value=True)],
    read=lambda _row, form, target: refused_message(target, form.case, parse_value(form.value, "value"), form.path),
)


def refused_message(target: Any, name: str, form: Any, path: str = "") -> CodecCase:
    """Return the case of the JSON form of a message without bytes, since a field has none."""
    content = target.from_json(form)
    return refused_case(REFUSED_MESSAGE, target, name, content, path=path, category=WITHOUT_BYTES)


def stored_case(target: Any, name: str, data: bytes, path: str = "", **members: Any) -> CodecCase:
    """Return the case of the bytes of a stored message, whose validity the reference decides."""
    case = wire_case(STORED, INVALID_MESSAGE, target, name, data, path=path, **members)
    return case if case.content is None else replace(case, category="stored messages")


def _subject(trial: CaseTrial) -> StoredExplanation:
    return StoredExplanation(trial.session, trial.case.target)


@dataclass(frozen=True)
class StoredExplanation(TargetExplanation):
    """The reasons of an implementation's wrong answers about one stored message."""

    target: StoredForm

    def takes_body(self, direction: Direction) -> bool:
        """Return whether it accepts the smallest body alone, or offers no bodies."""
        body, smallest = Body(self.target.schema), minimal(self.target.schema)
        if not self.session.offers(body, direction):
            return True
        if direction == "encode":
            return self.session.encode(body, smallest).kind not in REFUSALS
        return self.session.decode(body, body.write(smallest)).kind not in REFUSALS

    def stating(self, message: str, version: int) -> StoredExplanation:
        """Return the explanation of another message or version, as bytes may state it."""
        release = self.target.release
        return replace(self, target=StoredForm(release.schema(message, version), release))


def stored_checks(session: Session, schema: MessageSchema) -> Iterator[CodecCase | Event]:
    """Yield every value and every invalid input of one stored message."""
    target, usual = StoredForm(schema, session.release), populated(schema)
    for _, content in target.contents():
        yield stored_case(target, "stored", target.write(content))
    reads = session.offers(target, DECODE)
    base = taken_form(session, target, usual) if reads else usual
    plain = target.content_of(base or usual)

    def of_bytes(origin: CaseOrigin, data: bytes) -> CodecCase:
        return replace(stored_case(target, origin.name, data, source=origin), is_inconclusive=base is None)

    if reads:
        yield from (AdaptedBase(str(schema), path) for path in changes(usual, base or usual))
        yield from {case.name: case for case in starmap(of_bytes, target.damages(plain))}.values()
    yield from enclosed_cases(session, target, plain, of_bytes, partial(_refused_message, target))


def _refused_message(target: Any, origin: CaseOrigin, content: StoredMessage) -> CodecCase:
    name = f"refused-{origin.name}"
    return refused_case(REFUSED_MESSAGE, target, name, content, category=WITHOUT_BYTES)


def _blame_written(subject: StoredExplanation, content: StoredMessage, outcome: Outcome) -> Blame:
    """Return the blame for other bytes than the valid form, or for a refusal."""
    if outcome.wire is None:
        return _blame_refused(subject, content, "encode")
    blame = subject.written_around(content, outcome.wire)
    return blame or _by_place(subject, content.value, outcome.wire)


def _blame_refused(subject: StoredExplanation, content: StoredMessage, direction: Direction) -> Blame:
    """Return the blame for a refused content.

    It is the head if every value is refused, though not its body; else a field.
    """
    is_of_body = not subject.takes_body(direction)
    if is_of_body or any(subject.takes(content, direction) for _, content in subject.target.contents()):
        return subject.refused_around(content, direction)
    return Blame(_rule_of_head(subject, direction))


def _rule_of_head(subject: StoredExplanation, direction: Direction) -> str:
    """Return the rule of the version if another version of the message is accepted.

    Else it is the rule of the type, if the head has one.
    """
    rules = [rule for rule, _ in subject.target.head_parts]
    versions = subject.target.release.definition(subject.target.message).valid_versions
    others = (subject.stating(subject.target.message, each) for each in versions if each != subject.target.version)
    is_known = any(other.takes(other.target.content_of(minimal(other.target.schema)), direction) for other in others)
    # A record has a type and a version, a prefix has only one of the two.
    return rules[-1] if is_known else rules[-2:][0]


def _by_place(subject: StoredExplanation, value: dict[str, Any], actual: bytes) -> Blame:
    """Return the blame of the first wrong number before a message, or of the message."""
    at = 0
    for rule, part in subject.target.head_parts:
        if not actual.startswith(part, at):
            return Blame(rule)
        at += len(part)
    return subject.written(value, actual[at:])


def _blame_read(subject: StoredExplanation, content: StoredMessage, outcome: Outcome) -> Blame:
    """Return the blame for another content than the stored one, or for a refusal."""
    read = outcome.value
    apart = subject.target.difference(subject.session.claims, content, read)
    if isinstance(read, StoredMessage) and apart is not None and apart.what == "tags":
        return Blame("tag.unknown-kept", apart.path)
    blame = subject.read_around(content, outcome)
    if blame is not None:
        return blame
    return _blame_refused(subject, content, "decode") if read is None else _blame_misread(subject, content, read)


def _blame_misread(subject: StoredExplanation, content: StoredMessage, read: Any) -> Blame:
    """Return the blame for another content than the stored one."""
    parts = subject.target.head_parts
    if not isinstance(read, StoredMessage):
        return Blame("message.accepted")
    if read.message != content.message:
        return Blame(parts[-2:][0][0])
    if read.version != content.version:
        return Blame(parts[-1][0])
    return subject.stating(content.message, content.version).misread_around(content, read)
