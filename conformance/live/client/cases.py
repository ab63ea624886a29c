"""The case of a client: an answer that it was given."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.findings.violations import Case, Violation
from conformance.implementation.targets import Body

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.implementation.session import Session
    from conformance.implementation.targets import Target
    from conformance.live.client.trial import Observation
    from reference import MessageSchema, Release


PLAIN = "plain"
"""In the place of a value of `--answers`: nothing was changed."""

HOSTILE = "hostile"
"""The value of `--answers` whose cases can be given one by one."""


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

    def run(self, session: Session) -> Iterator[Violation]:  # noqa: ARG002  # a client is a process
        """Yield nothing: `client --case` runs it again."""
        return iter(())

    def replay_line(self, impl: str, options: Sequence[str], direction: str) -> str:  # noqa: ARG002  # one way
        """Return the command that gives the answer again; `impl` is the client's command."""
        if self.answers == PLAIN:
            words = ["kafka-conformance", "client", *(["--cap-versions", str(self.cap)] if self.cap else []), *options]
            return f"{shlex.join(words)} -- {impl}"
        named = ["--case", self.name] if self.answers == HOSTILE else []
        words = ["kafka-conformance", "client", "--answers", self.answers, *named, *options]
        return f"{shlex.join(words)} -- {impl}"

    def violated(self, rule: str, path: str, expected: str, observation: Observation) -> Violation:
        """Return what a client did as a violation in this case."""
        return Violation(rule, path, str(observation.kind), "decode", expected, str(observation), self)


def answer_from(event: dict[str, Any], release: Release) -> Violation:
    """Return the violation behind the event of an answer."""
    schema = release.schema(event["message"], event["version"])
    wire, cap = bytes.fromhex(event["wire"]), event.get("cap", 0)
    case = AnswerCase(schema, event["case"], event["path"], wire, event["answers"], cap)
    return Violation.from_event(event, case)
