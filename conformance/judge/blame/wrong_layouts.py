"""Wrong layouts of the bytes around a body, to explain the behaviour of an implementation.

`conformance.judge.blame.fault_models` does the same for bodies. A layout writes a content and reads it back; a mistake
is a layout with one departure, and the rule broken by it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from conformance.adapter import FrameContent
from conformance.targets.outcome import Kind
from reference import CodecError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.codec.session import Session
    from conformance.targets import Target
    from conformance.targets.outcome import Outcome


class ContentLayout(Protocol):
    """The layout of a content on the wire."""

    def write(self, content: Any) -> bytes:
        """Return the bytes of a content.

        Raises:
            CodecError: it has none in this layout.
        """

    def read(self, wire: bytes) -> Any:
        """Return the content of some bytes.

        Raises:
            CodecError: there is none in them.
        """


@dataclass(frozen=True)
class Mistake:
    """A layout with one departure, and the rule broken by it."""

    rule: str
    layout: ContentLayout


def explain_written(mistakes: Iterable[Mistake], content: Any, actual: bytes) -> str | None:
    """Return the rule of the first mistake with exactly these bytes, or None."""
    return next((each.rule for each in mistakes if _written(each.layout, content) == actual), None)


def explain_read(
    mistakes: Sequence[Mistake], session: Session, target: Target, content: Any, outcome: Outcome
) -> str | None:
    """Return the rule of the first mistake behind the outcome of a reader.

    A mistake is expected by the implementation if it refuses or misreads the valid bytes, and reads those written with
    the mistake. If none is, the rule is that of the first mistake with the same reading of the valid bytes.

    Args:
        mistakes: the mistakes to try.
        session: the session with the implementation.
        target: the message with the bytes around it.
        content: the content of the valid bytes.
        outcome: the outcome of reading them.

    Returns:
        None if no mistake does this, or if the difference is not in the layout.
    """

    def has_read(content: Any, outcome: Outcome) -> bool:
        # Unknown tags of a header are no part of its layout.
        bare = replace(content, header_tags=None) if isinstance(content, FrameContent) else content
        return target.is_read(session.claims, bare, outcome)

    if has_read(content, outcome):
        return None
    wire = target.write(content)
    tried = list(_expectations(mistakes, content, wire))
    answers = session.decode_many(target, [other for _, other, _ in tried])
    for (rule, _, expected), answer in zip(tried, answers, strict=True):
        if has_read(expected, answer):
            return rule
    for each in mistakes if outcome.kind is Kind.VALUE else ():
        found = _read(each.layout, wire)
        if found is not None and has_read(found, outcome):
            return each.rule
    return None


def _expectations(mistakes: Iterable[Mistake], content: Any, wire: bytes) -> Iterator[tuple[str, bytes, Any]]:
    """Yield for each mistake the rule, the bytes of the content, and the content read from them."""
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
