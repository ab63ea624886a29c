"""Checks of the parts of an explanation.

Each byte is in one part, in order. Parts of inner messages are also parts of the outer message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.definitions.catalogue import catalogue
from reference.explained.explanation import CUT, MISSING, NOT_READ, TRAILING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference import Span
    from reference.explained.explanation import Explanation, WirePart

MEANINGLESS = frozenset((CUT, MISSING, NOT_READ, TRAILING))

Named = tuple[int, int, str, str, str]


def named(parts: Iterable[WirePart]) -> list[Named]:
    """Return the places, fields, roles and rules of parts."""
    return [(part.start, part.end, part.path, part.role, part.rule) for part in parts]


def named_by(spans: Iterable[Span], start: int = 0, path: str = "") -> list[Named]:
    """Return the same facts of spans with bytes, moved to `start` and into the field at `path`."""
    return [
        (start + span.start, start + span.end, f"{path}.{span.path}".strip("."), span.role, span.rule)
        for span in spans
        if span.end > span.start
    ]


def check_whole(explanation: Explanation) -> None:
    """Assert that every byte is in exactly one part, on every level."""
    at = 0
    for part in explanation.parts:
        assert part.start == at
        assert part.end > at or (part.end == at and part.role == MISSING)
        assert part.role
        assert not part.rule or part.rule in catalogue()
        assert not part.deviation or part.deviation.partition(":")[0] in catalogue()
        at = part.end
    assert at == len(explanation.wire)
    for inner in explanation.inside:
        check_whole(inner)
        if inner.start is not None:
            shifted = [part.within(inner.start, inner.path) for part in inner.parts]
            assert set(shifted) <= set(explanation.parts)


def outer(explanation: Explanation) -> list[Named]:
    """Return the parts with one for each message inside, as the readers of the outer message have it."""
    places = [(inner.start, inner) for inner in explanation.inside if inner.start is not None]
    ranges = {(start, start + len(inner.wire)): inner for start, inner in places}
    found: list[Named] = []
    for part in explanation.parts:
        covering = [
            (place, inner) for place, inner in ranges.items() if place[0] <= part.start and part.end <= place[1]
        ]
        if not covering:
            found += named([part])
        for (start, end), inner in covering:
            rule = "records.payload" if inner.title == "record batches" else "bytes.payload"
            whole = (start, end, inner.path, "payload", rule)
            if whole not in found:
                found.append(whole)
    return found
