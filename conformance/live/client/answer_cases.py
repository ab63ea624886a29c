"""The case of a client, an answer to one of its requests."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import UnsetType

from conformance.judge.case import Case
from conformance.judge.events import Noted
from conformance.targets import Blame, Body

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.judge.case import Violation
    from conformance.judge.events import Expectation
    from conformance.judge.forms import CaseForm
    from conformance.targets import Target
    from conformance.targets.outcome import Kind
    from reference import MessageSchema, Release


PLAIN = "plain"
"""Stands for unchanged answers in place of a value of `--answers`."""

HOSTILE = "hostile"
"""The value of `--answers` with cases to give one by one."""


class Observation(NamedTuple):
    """The outcome of a client's run, with its kind if it is forbidden, and the details."""

    kind: Kind | None
    text: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}" if self.kind else self.text


@dataclass(frozen=True)
class AnswerCase(Case):
    """An answer to a client.

    Attributes:
        schema: the response.
        name: with the message before it, as for `--case`.
        path: the changed field.
        data: the body of the response, or the bytes sent in place of a frame.
        answers: the value of `--answers` with this case; `PLAIN` for an unchanged frame.
        cap: the number by which announced versions were lowered.
    """

    kind: ClassVar[str] = "answer"

    schema: MessageSchema
    name: str
    path: str
    data: bytes
    answers: str
    cap: int = 0

    @property
    def target(self) -> Target:
        """The response."""
        return Body(self.schema)

    @property
    def wire(self) -> bytes:
        """The bytes."""
        return self.data

    def extras(self) -> dict[str, Any]:
        """Return its value of `--answers`, and the lowering of versions."""
        return {"answers": self.answers, **({"cap": self.cap} if self.cap else {})}

    def replay_line(self, impl: str, options: Sequence[str], direction: str) -> str:  # noqa: ARG002  # one way
        """Return the command to give the answer again to the client with a command."""
        if self.answers == PLAIN:
            words = ["kafka-conformance", "client", *(["--cap-versions", str(self.cap)] if self.cap else []), *options]
            return f"{shlex.join(words)} -- {impl}"
        named = ["--case", self.name] if self.answers == HOSTILE else []
        words = ["kafka-conformance", "client", "--answers", self.answers, *named, *options]
        return f"{shlex.join(words)} -- {impl}"

    def violated(self, rule: str, path: str, expectation: Expectation, observation: Observation) -> Violation:
        """Return an outcome of a client as a violation in this case."""
        return self.violation(Blame(rule, path), Noted(str(observation.kind), observation.text), expectation, "decode")


def answer_from(form: CaseForm, release: Release) -> AnswerCase:
    """Return the case of an answer, or raise TypeError for a form of another kind."""
    if isinstance(form.answers, UnsetType):
        raise TypeError("a case of a client has `answers`")
    cap = 0 if isinstance(form.cap, UnsetType) else form.cap
    schema = release.schema(form.message, form.version)
    return AnswerCase(schema, form.case, form.path, bytes.fromhex(form.wire), form.answers, cap)
