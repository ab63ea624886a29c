"""A client that crashes while it is listened to: every answer that it had is sound, so that it must not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.implementation.outcome import Kind
from conformance.live.client.cases import PLAIN, AnswerCase
from conformance.live.client.crashes import crash_of
from conformance.live.client.trial import TIMES, Observation
from conformance.live.client.variations import ACCEPTED
from conformance.live.traffic.conversation import Conversation

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.findings.violations import Violation
    from conformance.live.client.listening import Heard
    from conformance.live.judging.definitions import Definitions
    from conformance.live.judging.frame import JudgedFrame

LAST = 4
"""The number of frames that are named."""


def death_of(heard: Heard, definitions: Definitions, again: Callable[[], Heard], cap: int = 0) -> Violation | None:
    """Return the crash of a client after sound answers as a violation; None: it did not crash, or not each time.

    Args:
        heard: a run of it.
        definitions: by which its frames are read.
        again: runs it once more.
        cap: by how much announced versions were lowered.
    """
    if not crash_of(heard.run) or not all(crash_of(again().run) for _ in range(TIMES - 1)):
        return None
    frames = _judged(heard, definitions)
    last = next((frame for frame in reversed(frames) if frame.direction == "response" and frame.schema), None)
    if last is None or last.schema is None:
        return None
    named = ", ".join(map(str, frames[-LAST:]))
    observation = Observation(Kind.CRASHED, f"{crash_of(heard.run)} ({heard.run.ending}); the last frames: {named}")
    case = AnswerCase(last.schema, f"{last}/{PLAIN}", "", last.payload, PLAIN, cap)
    return case.violated(ACCEPTED, "", "no crash", observation)


def _judged(heard: Heard, definitions: Definitions) -> list[JudgedFrame]:
    """Return the frames of a run that can be read, in their order."""
    conversations: dict[int, Conversation] = {}
    found = []
    for frame in heard.frames:
        conversation = conversations.setdefault(frame.connection, Conversation(definitions, {}))
        judged = conversation.take(frame).judged
        found += [] if judged is None else [judged]
    return found
