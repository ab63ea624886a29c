"""The bytes of a case, each with its meaning, and the place where they depart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.judge.events import expected_bytes, written_bytes
from conformance.report.explain.explanation import Part
from conformance.report.site.explainers import explainer, explainer_of_written, said_of
from reference import CodecError, ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.judge.forms import Broken
    from conformance.report.site.explainers import Explain

MAXIMUM_PARTS = 240
"""Parts of bytes that are shown: those around the place where they depart."""

MAXIMUM_BYTES = 48
"""Bytes of one part that are shown."""


@dataclass(frozen=True)
class Piece:
    """Some bytes with one meaning.

    Attributes:
        part: what they are.
        before, marked, after: their hex digits; `marked` is the byte at which they depart, if it is among them.
        hidden: how many bytes more there are.
    """

    part: Part
    before: str
    marked: str
    after: str
    hidden: int

    @property
    def hex(self) -> str:
        """All that is shown of them."""
        return " ".join(filter(None, (self.before, self.marked, self.after)))

    @property
    def departs(self) -> bool:
        """Whether something is wrong with them."""
        return bool(self.part.deviation or self.marked)


@dataclass(frozen=True)
class Annotated:
    """Bytes with their meaning.

    Attributes:
        title: what they are.
        size: how many.
        offset: where they depart; None: nowhere.
        verdict: what the protocol says of them; empty if nothing.
        left_out: parts that are not shown.
    """

    title: str
    size: int
    pieces: tuple[Piece, ...]
    offset: int | None
    verdict: str = ""
    left_out: int = 0


def annotated(case: Broken, release: str) -> tuple[Annotated, ...]:
    """Return the bytes of a case: those that were given, and what was written or answered, as far as it has them."""
    if has_both_sides(case):
        return _both(case, explainer_of_written(case, release))
    explain = explainer(case, release)
    given = [_one(title, wire, explain) for title, wire in _given(case)]
    said = said_of(case, release)
    return (*given, *([] if said is None else [_one(said.title, said.wire, said.explain)]))


def has_both_sides(case: Broken) -> bool:
    """Return whether both what should have been written and what was are bytes."""
    return expected_bytes(case.expectation) is not None and written_bytes(case.observation) is not None


def _given(case: Broken) -> Iterator[tuple[str, bytes]]:
    """Yield titles and bytes of what an implementation was given; of a server frame by frame."""
    frames = [bytes.fromhex(frame) for frame in case.frames or ()]
    if case.kind == "exchange":
        yield from ((f"Frame {index} that was sent", frame) for index, frame in enumerate(frames, start=1))
    elif case.wire or (case.direction == "decode" and not case.value):
        yield "The bytes of the case", bytes.fromhex(case.wire)


def _both(case: Broken, explain: Explain) -> tuple[Annotated, ...]:
    """Return what should have been written, then what was, marked where they differ first."""
    expected, actual = expected_bytes(case.expectation) or b"", written_bytes(case.observation) or b""
    at = next((i for i, (one, other) in enumerate(zip(expected, actual, strict=False)) if one != other), None)
    at = min(len(expected), len(actual)) if at is None else at
    sides = (("Expected bytes", expected), ("Actual bytes", actual))
    return tuple(_one(title, wire, explain, min(at, len(wire) - 1)) for title, wire in sides)


def _one(title: str, wire: bytes, explain: Explain, offset: int | None = None) -> Annotated:
    try:
        explanation = explain(wire)
    except (ConformanceError, CodecError):
        explanation = None
    if explanation is None:
        parts, verdict = _plain(wire), ""
    else:
        parts, conclusion = explanation.parts, explanation.verdict
        offset = conclusion.offset if offset is None else offset
        readers = ", ".join(f"{reader} {does}" for reader, does in conclusion.readers.items())
        facts = (conclusion.result, ", ".join(dict.fromkeys(conclusion.rules)), conclusion.detail or conclusion.reason)
        verdict = ": ".join(filter(None, facts)) + (f" ({readers})" if readers else "")
        title = f"{title}: {explanation.title}"
    shown, left_out = _around(parts, offset)
    return Annotated(title, len(wire), pieces_of(wire, shown, offset), offset, verdict, left_out)


def _around(parts: Sequence[Part], offset: int | None) -> tuple[Sequence[Part], int]:
    """Return as many parts as are shown, those around an offset, and how many are left out."""
    if len(parts) <= MAXIMUM_PARTS:
        return parts, 0
    at = next((index for index, part in enumerate(parts) if offset is not None and part.end > offset), 0)
    start = min(max(0, at - MAXIMUM_PARTS // 2), len(parts) - MAXIMUM_PARTS)
    return parts[start : start + MAXIMUM_PARTS], len(parts) - MAXIMUM_PARTS


def pieces_of(wire: bytes, parts: Iterable[Part], offset: int | None = None) -> tuple[Piece, ...]:
    """Return the bytes of parts, of which the one at an offset is marked."""
    return tuple(_piece(wire, part, offset) for part in parts)


def _piece(wire: bytes, part: Part, offset: int | None) -> Piece:
    end = min(part.end, part.start + MAXIMUM_BYTES)
    if offset is None or not part.start <= offset < end:
        return Piece(part, wire[part.start : end].hex(" "), "", "", part.end - end)
    before, marked, after = (wire[part.start : offset], wire[offset : offset + 1], wire[offset + 1 : end])
    return Piece(part, before.hex(" "), marked.hex(), after.hex(" "), part.end - end)


def _plain(wire: bytes) -> tuple[Part, ...]:
    """Return bytes without a meaning."""
    return (Part(0, len(wire), "", "", "bytes"),)
