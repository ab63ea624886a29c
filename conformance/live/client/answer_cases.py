"""The case of a client: an answer that it was given."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import UnsetType

from conformance.codec.targets import Body
from conformance.judge.findings.events import Noted
from conformance.judge.findings.violations import Blame, Case

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.codec.outcome import Kind
    from conformance.codec.targets import Target
    from conformance.judge.findings.events import Expectation
    from conformance.judge.findings.forms import CaseForm
    from conformance.judge.findings.violations import Violation
    from reference import MessageSchema, Release


PLAIN = "plain"
"""In the place of a value of `--answers`: nothing was changed."""

HOSTILE = "hostile"
"""The value of `--answers` whose cases can be given one by one."""


class Observation(NamedTuple):
    """What a client did: the kind of outcome, and how it shows. None for the kind: nothing that it may not do."""

    kind: Kind | None
    text: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}" if self.kind else self.text


@dataclass(frozen=True)
class AnswerCase(Case):
    """An answer to a client.

    Attributes:
        schema: the response.
        name: with the message before it, as `--case` takes it.
        path: the field that was changed.
        data: the body of the response, or what was sent in the place of a frame.
        answers: which of `--answers` it belongs to; `PLAIN` for a frame that was not changed.
        cap: by how much announced versions were lowered.
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
        """Return which of `--answers` it belongs to."""
        return {"answers": self.answers, **({"cap": self.cap} if self.cap else {})}

    def replay_line(self, impl: str, options: Sequence[str], direction: str) -> str:  # noqa: ARG002  # one way
        """Return the command that gives the answer again; `impl` is the client's command."""
        if self.answers == PLAIN:
            words = ["kafka-conformance", "client", *(["--cap-versions", str(self.cap)] if self.cap else []), *options]
            return f"{shlex.join(words)} -- {impl}"
        named = ["--case", self.name] if self.answers == HOSTILE else []
        words = ["kafka-conformance", "client", "--answers", self.answers, *named, *options]
        return f"{shlex.join(words)} -- {impl}"

    def violated(self, rule: str, path: str, expectation: Expectation, observation: Observation) -> Violation:
        """Return what a client did as a violation in this case."""
        return self.violation(Blame(rule, path), Noted(str(observation.kind), observation.text), expectation, "decode")


def answer_from(form: CaseForm, release: Release) -> AnswerCase:
    """Return the case of an answer.

    Raises:
        TypeError: it is no such case.
    """
    if isinstance(form.answers, UnsetType):
        raise TypeError("a case of a client has `answers`")
    cap = 0 if isinstance(form.cap, UnsetType) else form.cap
    schema = release.schema(form.message, form.version)
    return AnswerCase(schema, form.case, form.path, bytes.fromhex(form.wire), form.answers, cap)
