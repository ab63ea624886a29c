"""Checks on arbitrary bytes, judged by the verdict of the oracle.

Invalid bytes must be rejected, and valid ones read with the right value. The handling of unspecified bytes is counted
as the implementation's profile, if the base is read rightly. A crash, a hang or disproportionate memory use is a
failure for any input.

An input made from a misread encoding is inconclusive, unless the outcome is fatal, and is not counted as tested. A
mistake in writing the value does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard

from conformance.codec.bridge.hangs import ONLY_HANGS
from conformance.codec.outcome import ABSENT, FATAL, NOT_ASKED, Kind, Outcome
from conformance.codec.session import DECODE, Ask
from conformance.codec.targets import Body, kept
from conformance.definitions.catalogue import SURVIVAL
from conformance.generate.clean_faults import NULL_RULE
from conformance.generate.hostile_bodies import hostile_cases as every_hostile_case
from conformance.judge.blame.body_rules import blame_value
from conformance.judge.blame.reduction import reduced_bytes
from conformance.judge.blame.wrong_codecs import ReadValue
from conformance.judge.case import HOSTILE_INPUTS, Judged, LeftOpen, RulesTried, Skipped, Violation
from conformance.judge.checks.bases import bases_of, masked
from conformance.judge.checks.body_cases import CUT_OFF, BytesCase, item_along, may_be_version_0
from conformance.judge.checks.expectations import searches_of
from conformance.judge.checks.value_cases import ValueCase
from conformance.judge.engine import violations
from conformance.judge.events import ACCEPTANCE, REJECTION, Answered, Counted, value_at
from conformance.judge.events import SURVIVAL as SURVIVES
from conformance.judge.judgement import Conclusion, Due, Judgement, judge, rule_of_death
from conformance.judge.standing import Blame
from reference import MessageSchema, Result, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.codec.session import Answers, Session
    from conformance.judge.case import Event
    from conformance.judge.standing import Standing

VALUE = "value"
"""The name of the answer to the canonical bytes of a value."""


MAXIMUM_TRIES = 60
"""The number of tries to make drawn bytes smaller; each may cost a new process."""


@dataclass(frozen=True)
class HostileBytesCase(BytesCase):
    """Bytes that may be invalid, with the change that made them, and its place."""

    kind: ClassVar[str] = "hostile-bytes"
    tampering: str = ""
    """The rule of the changed span and the change; empty for drawn bytes, or a base."""
    base: str = ""
    """The name of the valid base encoding; empty if the bytes are judged by themselves."""
    deterministic: bool = True

    @property
    def is_tampered(self) -> bool:
        """Whether it was made by changing a base."""
        return self.origin.is_changed_base

    @property
    def is_base(self) -> bool:
        """Whether it is judged even if the implementation misreads other bases."""
        return self.base in {"", self.name}

    @property
    def hang_group(self) -> str:
        """The group of inputs that share a hang budget, or nothing.

        Inputs without a single change are grouped by the rules that they violate; by the last one only if the reference
        cannot read on. Inputs cut off within a field have no group. Those cut off after the fields, where the tag
        section begins, have one.
        """
        if self.tampering:
            return self.tampering
        rules = " ".join(self.verdict.rules[-1:] if self.verdict.value is None else self.verdict.rules)
        if rules == CUT_OFF:
            is_after_fields = not self.verdict.path or self.verdict.path.endswith("]")
            rules = f"{CUT_OFF} behind the fields" if is_after_fields else ""
        return ONLY_HANGS + rules if rules else ""

    @cached_property
    def same_value(self) -> ValueCase:
        """The case of the bytes' value, if they are valid after all."""
        value = self.verdict.value or {}
        return ValueCase(self.schema, self.name, "", value, deterministic=self.deterministic, is_minimal=False)

    @property
    def is_canonical(self) -> bool:
        """Whether the bytes, which are valid, are the canonical bytes of their value."""
        return self.data == self.same_value.canonical

    def again(self, session: Session) -> tuple[HostileBytesCase]:  # noqa: ARG002  # as `Case.again`
        """Return the bytes as a case without a base."""
        return (replace(self, tampering="", base=""),)

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:
        """Return the request to read the bytes, and after it the requests of their value.

        Invalid bytes have no requests of a value.
        """
        if not answers:
            return super().requests(session, answers, standing)
        outcome = answers[DECODE]
        is_value_asked = self.is_valid and outcome.kind not in ABSENT | FATAL
        if not is_value_asked or self._may_be_version_0 or not self.is_base_taken(standing):
            return ()
        if set(answers) == {DECODE}:
            if self._is_known_value(standing):
                return ()
            # While requests are predicted, later inputs of this value are presumed to have no requests.
            if standing.is_presumed:
                standing.values[self.same_value.canonical] = False
            return [_of_value(ask) for ask in self.same_value.first_requests(session, is_read=self.is_canonical)]
        return self.same_value.requests(session, self._of_same_value(answers), standing)

    def _is_known_value(self, standing: Standing) -> bool:
        """Return whether the value was already judged with other bytes."""
        return not self.is_canonical and self.same_value.canonical in standing.values

    def _of_same_value(self, answers: Answers) -> Answers:
        """Return the answers for the case of the value.

        Canonical bytes were read already.
        """
        own = {key: outcome for key, outcome in answers.items() if key not in {DECODE, VALUE}}
        read = answers.get(DECODE if self.is_canonical else VALUE)
        return own if read is None else {**own, DECODE: read}

    @property
    def _may_be_version_0(self) -> bool:
        return may_be_version_0(self.schema, self.data)

    def is_base_taken(self, standing: Standing) -> bool:
        """Return whether the valid base encoding is read without a difference."""
        return self.is_base or standing.has(self.base)

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:
        """Judge the bytes by the verdict of the oracle, as described for the module."""
        outcome = answers.get(DECODE, NOT_ASKED)
        is_taken = self.is_base_taken(standing)
        judgement = judge(
            session.implementation, self.target, Due(self.verdict.result), outcome, is_base_taken=is_taken
        )
        # A client may read these bytes in version 0, so no value is due.
        is_left_out = self._may_be_version_0 and judgement.conclusion is not Conclusion.FATAL
        if judgement.conclusion is Conclusion.NO_ANSWER or is_left_out:
            return
        if judgement.conclusion is Conclusion.INCONCLUSIVE:
            yield Skipped(HOSTILE_INPUTS, str(self.schema))
            return
        yield Judged(HOSTILE_INPUTS)
        if self.deterministic:
            yield RulesTried(frozenset((SURVIVAL, *self.verdict.rules)))
        found = list(self._judged(session, judgement, answers, standing))
        yield from found
        misread = any(event.direction == DECODE for event in found if _is_of_content(event))
        is_read = self.is_base and not misread and outcome.kind is Kind.VALUE
        if is_read and self.base:
            standing.taken.add(self.base)
        if (is_read or self.base in standing.taken) and self.is_open:
            yield self._left_open(session, outcome)

    def _judged(self, session: Session, judgement: Judgement, answers: Answers, standing: Standing) -> Iterator[Event]:
        verdict, outcome = self.verdict, answers[DECODE]
        path = verdict.path or self.path
        if judgement.conclusion is Conclusion.FATAL:
            yield self._death(outcome)
        elif self.is_valid:
            yield from self._judged_value(session, answers, standing)
        elif judgement.conclusion is Conclusion.ACCEPTED:
            blame = self.accepted(session, Blame(_accepted_rule(verdict, outcome), path), outcome)
            yield self.violation(blame, outcome, REJECTION, DECODE)

    def _death(self, outcome: Outcome) -> Violation:
        """Return the violation of a fatal outcome."""
        blame = Blame(rule_of_death(self.verdict), self.verdict.path or self.path)
        return self.violation(blame, outcome, SURVIVES, DECODE)

    def _judged_value(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:
        """Judge a valid value like any other.

        If its bytes are not canonical, their reading is judged afterwards.
        """
        canonical = self.same_value.canonical
        if not self._is_known_value(standing):
            events = list(self.same_value.judge(session, self._of_same_value(answers), standing))
            yield from events
            standing.values[canonical] = any(map(_is_of_content, events))
        if self.is_canonical or standing.values[canonical]:
            return
        outcome, verdict = answers[DECODE], self.verdict
        judgement = judge(session.implementation, self.target, Due(Result.VALID, value=verdict.value or {}), outcome)
        if judgement.conclusion is Conclusion.REFUSED:
            yield self.violation(Blame(verdict.rules[0], self.path), outcome, ACCEPTANCE, DECODE)
        elif judgement.difference is not None:
            found, read = judgement.difference, kept(session.implementation, self.schema, outcome.value)
            blame = blame_value(self.schema, ReadValue(self.data, read), found, searches_of(session, self.schema))
            place = Blame(blame.rule, blame.path or self.path)
            yield self.violation(place, outcome, value_at(found.path, found.expected), DECODE)

    def _left_open(self, session: Session, outcome: Outcome) -> LeftOpen:
        """Return whether unspecified bytes are accepted, and the reading if it differs from Apache Kafka's."""
        verdict, accepts = self.verdict, outcome.kind is Kind.VALUE
        if accepts and verdict.value is not None and len(set(verdict.rules)) == 1:
            found = self.target.difference(session.implementation, verdict.value, outcome.value)
            if found is not None:
                return LeftOpen(verdict.rules, accepts, f"{_type_of(found.actual)} for {_type_of(found.expected)}")
        return LeftOpen(verdict.rules, accepts)


def _is_of_content(event: Event) -> TypeGuard[Violation]:
    """Return whether an event is a broken rule about more than the number of consumed bytes."""
    return isinstance(event, Violation) and not isinstance(event.observation, Counted)


def _of_value(ask: Ask) -> Ask:
    """Return a request for the value of bytes.

    Its name differs from that of the request to read the bytes themselves.
    """
    return ask._replace(name=VALUE) if ask.what == DECODE else ask


def hostile_cases(session: Session, schema: MessageSchema) -> Iterator[HostileBytesCase | Event]:
    """Yield every hostile input of a message, made from accepted base values."""
    if Body(schema).is_offered(session.implementation, DECODE):
        yield from bases_of(session, schema).events(schema)
        yield from hostile_bytes_cases(session, schema)


def hostile_bytes_cases(session: Session, schema: MessageSchema) -> Iterator[HostileBytesCase]:
    """Yield every hostile input of a message, as `hostile_cases`, without events."""
    taken = bases_of(session, schema)
    for case in every_hostile_case(schema, taken.bases, lambda values: masked(session, schema, values)):
        yield HostileBytesCase(schema, case.name, case.path, case.wire, case.tampering, case.base)


def smaller_bytes(session: Session, violation: Violation) -> Violation:
    """Return a violation of drawn bytes with the smallest bytes of the same finding.

    Only a few tries are made.
    """
    case, best = violation.case, violation
    if not isinstance(case, HostileBytesCase):
        return violation

    def fails(wire: bytes) -> bool:
        nonlocal best
        found = violations(session, [HostileBytesCase(case.schema, case.name, "", wire, deterministic=False)])
        again = next((each for each in found if each.key == violation.key), None)
        best = again or best
        return again is not None

    reduced_bytes(case.data, fails, MAXIMUM_TRIES)
    return best


def cut_hang(session: Session, violation: Violation) -> Violation:
    """Return a hang of random search on the shortest beginning of the bytes that still hangs.

    It is found by bisection: a few attempts of a part of the deadline each, where a reduction would take hundreds. The
    result is tried with the whole deadline.
    """
    case, decoder, hang = violation.case, session.child, violation.observation
    if (
        not isinstance(hang, Answered)
        or hang.outcome != Kind.TIMED_OUT
        or not isinstance(case, HostileBytesCase)
        or case.deterministic
        or not decoder
    ):
        return violation
    low, high = 0, len(case.data)
    while low < high:
        middle = (low + high) // 2
        hangs = decoder.hangs_on(case.target, case.data[:middle], surely=False)
        low, high = (low, middle) if hangs else (middle + 1, high)
    if not decoder.hangs_on(case.target, case.data[:high], surely=True):
        return violation
    outcome = Outcome(Kind.TIMED_OUT, text=hang.explanation)
    return replace(case, data=case.data[:high])._death(outcome)  # noqa: SLF001  # of this module


def _type_of(value: Any) -> str:
    """Return a word for the type of a value, without the value."""
    if value is None:
        return "null"
    return f"an empty {type(value).__name__}" if value in ([], "", b"", {}) else f"another {type(value).__name__}"


def _accepted_rule(verdict: Verdict, outcome: Outcome) -> str:
    """Return the rule that makes bytes invalid.

    It is null.not-allowed for a negative length decoded as null.
    """
    rule = verdict.rules[-1]
    was_null = (
        rule == "length.negative" and outcome.value is not None and item_along(outcome.value, verdict.path) is None
    )
    return NULL_RULE if was_null else rule
