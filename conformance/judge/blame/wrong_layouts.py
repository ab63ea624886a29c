"""Wrong layouts of what stands around a body, to explain what an implementation did.

`conformance.judge.blame.fault_models` does the same for bodies. A layout writes a content and reads it back; a mistake
is a layout that is wrong in one way, and the rule that it breaks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from conformance.codec.outcome import Kind
from reference import CodecError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.codec.outcome import Outcome


class ContentLayout(Protocol):
    """How a content goes on the wire."""

    def write(self, content: Any) -> bytes:
        """The bytes of a content.

        Raises:
            CodecError: it has none in this layout.
        """

    def read(self, wire: bytes) -> Any:
        """The content of some bytes.

        Raises:
            CodecError: there is none in them.
        """


class LayoutReader(Protocol):
    """An implementation, asked about one message and what is around it."""

    def decode_many(self, wires: list[bytes]) -> list[Outcome]:
        """Have it read bytes that may not be sound."""

    def same(self, one: Any, other: Any) -> bool:
        """Whether two contents are the same; the second may be anything."""


@dataclass(frozen=True)
class Mistake:
    """A layout that is wrong in one way, and the rule that it breaks."""

    rule: str
    layout: ContentLayout


def explain_written(mistakes: Iterable[Mistake], content: Any, actual: bytes) -> str | None:
    """The rule of the first mistake by which just these bytes are written."""
    return next((each.rule for each in mistakes if _written(each.layout, content) == actual), None)


def explain_read(
    mistakes: Sequence[Mistake], subject: LayoutReader, content: Any, wire: bytes, outcome: Outcome
) -> str | None:
    """The rule of the first mistake that the implementation expects, or else by which just this is read from `wire`.

    It expects a mistake if it refuses or misreads the sound bytes, and reads those that the mistake writes.

    Args:
        mistakes: what to try.
        subject: the implementation.
        content: what `wire` says.
        wire: sound bytes.
        outcome: what the implementation made of them.

    Returns:
        None if no mistake does this, or if what was read differs only in what layouts are not about.
    """
    if outcome.kind is Kind.VALUE and subject.same(content, outcome.value):
        return None
    tried = list(_expectations(mistakes, content, wire))
    answers = subject.decode_many([other for _, other, _ in tried])
    for (rule, _, expected), answer in zip(tried, answers, strict=True):
        if answer.kind is Kind.VALUE and subject.same(expected, answer.value):
            return rule
    for each in mistakes if outcome.kind is Kind.VALUE else ():
        found = _read(each.layout, wire)
        if found is not None and subject.same(found, outcome.value):
            return each.rule
    return None


def _expectations(mistakes: Iterable[Mistake], content: Any, wire: bytes) -> Iterator[tuple[str, bytes, Any]]:
    """For each mistake, how the content is written by it, and what is then read from that."""
    for each in mistakes:
        other = _written(each.layout, content)
        found = None if other is None or other == wire else _read(each.layout, other)
        if other is not None and found is not None:
            yield each.rule, other, found


def _written(layout: ContentLayout, content: Any) -> bytes | None:
    try:
        return layout.write(content)
    except CodecError:
        return None


def _read(layout: ContentLayout, wire: bytes) -> Any:
    try:
        return layout.read(wire)
    except CodecError:
        return None
