"""The broken rule behind a refused, misread or wrongly written valid value, by itself or with something around it.

Bodies, wire types, and bodies in frames and stored messages are explained by the same codecs with a single mistake
(`conformance.targets.faults.body_faults`), and by further requests to the implementation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS
from conformance.judge.blame.body_rules import (
    OF_COUNTS,
    REFUSED,
    blame_bytes,
    blame_refusal,
    blame_value,
    place_of_difference,
)
from conformance.judge.blame.expectations import (
    blame_content,
    blame_length,
    blame_refused_value,
    blame_writer,
    is_no_element_taken,
    searches_of,
)
from conformance.judge.blame.reduction import focus, reduced
from conformance.judge.blame.searches import Searches, fault_of_reader, fault_of_writer
from conformance.judge.blame.wrong_codecs import ReadValue
from conformance.targets import DECODE, ENCODE, HEADER, Ask, Blame, Body, SchemaTarget, body_difference, kept
from conformance.targets.faults.fault import Faults
from conformance.targets.outcome import Kind
from reference import encode
from reference.paths import without_indexes

if TYPE_CHECKING:
    from conformance.adapter import Direction
    from conformance.codec.session import Session
    from conformance.targets import BodyTarget
    from conformance.targets.faults.fault import FaultModel
    from conformance.targets.outcome import Outcome
    from reference import Difference, MessageSchema


@dataclass(frozen=True)
class TargetExplanation:
    """The reasons of an implementation's wrong answers about the body of a target."""

    session: Session
    target: BodyTarget

    @property
    def asked(self) -> BodyTarget:
        """The target in which mistakes are searched, the body alone if the implementation offers it."""
        body = Body(self.schema) if isinstance(self.target, SchemaTarget) else self.target
        return body if all(self.session.offers(body, direction) for direction in DIRECTIONS) else self.target

    @property
    def schema(self) -> MessageSchema:
        """The schema of the body."""
        return self.target.schema

    @property
    def _around(self) -> Searches[Any]:
        """The searches for faults around the body."""
        return self.session.once(("searches around", str(self.target)), self._searches)

    def _searches(self) -> Searches[Any]:
        is_known = self.session.offers(self.target, HEADER)
        version = self.session.ask(Ask(HEADER, self.target)).value if is_known else None
        return Searches(Faults(self.target.head_faults(version)))

    def written_around(self, content: Any, actual: bytes) -> Blame | None:
        """Return the blame of a fault around the body with which exactly these bytes are written, or None."""
        return _blame_of(fault_of_writer(self._around, self.target, content, actual))

    def read_around(self, content: Any, outcome: Outcome) -> Blame | None:
        """Return the blame of a fault around the body behind the outcome of reading the bytes of a content, or None."""
        return _blame_of(fault_of_reader(self._around, self.session, self.target, content, outcome))

    def refused(self, value: dict[str, Any], path: str, direction: Direction) -> Blame:
        """Return the blame for the refusal of a value, which varies at `path`."""
        blame = self._refused(value, path, direction)
        return blame_length(self.session, self.target, value, blame, direction)

    def _refused(self, value: dict[str, Any], path: str, direction: Direction) -> Blame:
        blame = blame_refused_value(self.session, self.asked, value, direction)
        if blame is not None:
            return blame
        blame = blame_refusal(self.schema, value, path, direction)
        is_vague = blame.rule == REFUSED[direction] or blame.rule.endswith(OF_COUNTS)  # an item inside may be the cause
        blame = blame_content(self.session, self.target, value, direction, is_null=not is_vague) or blame
        if blame.rule.endswith(OF_COUNTS) and is_no_element_taken(self.session, self.target, blame.path, direction):
            return Blame(REFUSED[direction], f"{blame.path}[0]")
        return blame

    def takes(self, content: Any, direction: Direction) -> bool:
        """Return whether a content is written, or its bytes are read, right or wrong."""
        if direction == ENCODE:
            return self.session.encode(self.target, self.target.judged(self.session.claims, content)).kind is Kind.BYTES
        return self.session.decode(self.target, self.target.write(content)).kind is Kind.VALUE

    def refused_around(self, content: Any, direction: Direction) -> Blame:
        """Return the blame for the refusal of a content, reduced to the cause."""

        def is_refused(value: dict[str, Any]) -> bool:
            return not self.takes(self.target.with_value(content, value), direction)

        value = reduced(self.schema, self.target.value_of(content), is_refused)
        return self.refused(value, focus(self.schema, value), direction)

    def written(self, value: dict[str, Any], actual: bytes) -> Blame:
        """Return the blame for other bytes of a value than the canonical ones.

        It is the field that is refused in other values, if the bytes first differ in this field.
        """
        canonical, refused = encode(self.schema, value), blame_writer(self.session, self.asked)
        _, path = place_of_difference(self.schema, value, canonical, actual)
        if refused is not None and without_indexes(refused.path) == path:
            return refused
        return blame_bytes(self.schema, value, canonical, actual, searches_of(self.session, self.asked))

    def misread(self, value: dict[str, Any], read: ReadValue, found: Difference) -> Blame:
        """Return the blame for another value than the one on the wire, with the first difference."""
        blame = blame_value(
            self.schema,
            read,
            found,
            searches_of(self.session, self.asked),
            lambda: blame_content(self.session, self.target, value, DECODE, is_null=True),
        )
        return blame_length(self.session, self.target, value, blame, DECODE)

    def misread_around(self, content: Any, actual: Any) -> Blame:
        """Return the blame for another content than the one on the wire, if their bodies differ."""
        claims, value = self.session.claims, self.target.value_of(content)
        read = kept(claims, self.schema, self.target.value_of(actual))
        found = body_difference(claims, self.schema, value, read)
        if found is None or not isinstance(read, dict):
            return Blame("message.accepted")
        return self.misread(value, ReadValue(encode(self.schema, value), read), found)


def _blame_of(fault: FaultModel[Any] | None) -> Blame | None:
    return None if fault is None else Blame(fault.rule, fault.path)
