"""Base classes for the cases of message bodies, with a value to write or bytes to read."""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.codec.outcome import NOT_ASKED, Kind
from conformance.codec.plain_values import copy_of
from conformance.codec.session import DECODE, ENCODE, Ask
from conformance.codec.targets import Body, kept
from conformance.judge.blame.wrong_codecs import are_same_but_nothing, read_padded
from conformance.judge.case import CodecCase, Judged, RulesTried, Skipped
from conformance.judge.events import these_bytes
from conformance.judge.judgement import Conclusion, Due
from conformance.judge.judgement import judge as judge_outcome
from conformance.judge.standing import Blame
from reference import MessageSchema, Result, Verdict, encode, judge, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import Direction
    from conformance.codec.outcome import Outcome
    from conformance.codec.session import Answers, Session
    from conformance.judge.case import Event
    from conformance.judge.standing import Standing


@dataclass(frozen=True)
class ContentCase(CodecCase):
    """A value of a message."""

    is_counted: ClassVar[bool] = True
    schema: MessageSchema
    name: str
    path: str
    content: dict[str, Any]

    @cached_property
    def target(self) -> Body:
        """The message's body."""
        return Body(self.schema)

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """Return the request to write it, if the implementation can hold it."""
        return () if answers or not self.is_held(session) else (Ask(ENCODE, self.target, self.content),)

    def is_held(self, session: Session) -> bool:
        """Return whether the implementation declares support for values of this form."""
        return self.target.is_offered(session.implementation, "encode")

    @cached_property
    def canonical(self) -> bytes:
        """The canonical bytes.

        Raises:
            Unencodable: the value has none.
        """
        return encode(self.schema, self.content)

    @property
    def wire(self) -> bytes | None:
        """The canonical bytes, or None in a subclass with values without bytes."""
        return self.canonical

    @cached_property
    def value(self) -> str | None:
        """The JSON text of the value."""
        return json.dumps(to_json(self.schema, copy_of(self.content)))


@dataclass(frozen=True)
class EquivalentCase(ContentCase):
    """A value that must be written as another one, with `wire` for its bytes."""

    directions: ClassVar[tuple[Direction, ...]] = ("encode",)
    rule: str
    category: ClassVar[str]

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge the bytes.

        They may be wrong in another way, if the implementation writes the same bytes for the other value.
        """
        outcome = answers.get(ENCODE, NOT_ASKED)
        judgement = judge_outcome(session.implementation, self.target, Due(Result.VALID, self.wire), outcome)
        # The other value has no bytes either, so this one shows nothing.
        if judgement.is_wrong and session.encode(self.target, self.meant).wire is None:
            yield Skipped(self.category, str(self.schema))
            return
        yield Judged(self.category)
        if judgement.conclusion is Conclusion.NO_ANSWER:
            return
        yield RulesTried.of(self.rule)
        if judgement.is_wrong and not (outcome.wire is not None and self.is_equivalent(session, outcome.wire)):
            yield self.violation(Blame(self.rule, self.path), outcome, these_bytes(self.wire or b""), ENCODE)

    @property
    @abstractmethod
    def meant(self) -> dict[str, Any]:
        """The other value.

        If it is refused itself, this case is inconclusive.
        """

    def is_equivalent(self, session: Session, wire: bytes) -> bool:
        """Return whether wrong bytes are those that the implementation writes for the other value."""
        return wire == session.encode(self.target, self.meant).wire


BEYOND_THE_END = frozenset(("count.within-input", "length.within-input"))
"""The rules on lengths and counts that reach beyond the end of the input."""
CUT_OFF = "input.truncated"


@dataclass(frozen=True)
class BytesCase(CodecCase):
    """Bytes that may be a message."""

    directions: ClassVar[tuple[Direction, ...]] = ("decode",)
    is_counted: ClassVar[bool] = True
    schema: MessageSchema
    name: str
    path: str
    data: bytes

    @cached_property
    def target(self) -> Body:
        """The message's body."""
        return Body(self.schema)

    @property
    def hang_group(self) -> str:
        """The group of inputs that share a hang budget, or nothing."""
        return ""

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """Return the request to read them, in a child process where a crash costs one outcome."""
        if answers or not self.target.is_offered(session.implementation, "decode"):
            return ()
        return (Ask(DECODE, self.target, self.data, isolated=True, hang_group=self.hang_group),)

    @property
    def wire(self) -> bytes:
        """The bytes."""
        return self.data

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict of the oracle."""
        return judge(self.schema, self.data)

    def accepted(self, session: Session, blame: Blame, outcome: Outcome) -> Blame:
        """Return the blame of a reader that accepted invalid bytes.

        It is the rule on the end of the input if the reader filled up missing bytes with zeros. A field without a
        comparison cannot show this.

        Args:
            session: the session with the implementation.
            blame: the rule broken by the bytes, and its field.
            outcome: the outcome with the value.
        """
        if blame.rule not in BEYOND_THE_END or outcome.kind is not Kind.VALUE:
            return blame
        padded, claims = read_padded(self.schema, self.data, outcome.value), session.implementation
        if padded is None:
            return blame
        one, other = (kept(claims, self.schema, value) for value in (padded, outcome.value))
        is_compared = item_along(one, blame.path) == item_along(padded, blame.path)
        is_padded = is_compared and are_same_but_nothing(self.schema, one, other)
        return blame._replace(rule=CUT_OFF) if is_padded else blame

    @property
    def is_valid(self) -> bool:
        """Whether they are a valid message."""
        return self.verdict.result is Result.VALID

    @property
    def is_open(self) -> bool:
        """Whether the protocol leaves open how a reader treats them."""
        return self.verdict.result is Result.UNSPECIFIED


STEPS = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
"""The steps of a path: a field's name, or an index."""


def item_along(value: Any, path: str) -> Any:
    """Return the item at a path, as `Topics[0].Name`, or the path itself if there is none."""
    for name, index in STEPS.findall(path):
        try:
            value = value[int(index)] if index else value[name]
        except (KeyError, IndexError, TypeError):
            return path
    return value


UNSUPPORTED_VERSION = b"\x00\x23"
"""The error code 35."""


def may_be_version_0(schema: MessageSchema, wire: bytes) -> bool:
    """Return whether a client may read the bytes in version 0 of the message.

    A broker without the requested version of ApiVersionsRequest answers with error 35 in version 0 (KIP-511).
    """
    return schema.message == "ApiVersionsResponse" and schema.version > 0 and wire.startswith(UNSUPPORTED_VERSION)
