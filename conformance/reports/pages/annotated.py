"""The bytes of a case, each with its meaning, and the place where they depart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.explaining.explanation import Explanation, Part
from conformance.explaining.frames import explain_frame, explain_response
from conformance.explaining.messages import explain_message
from conformance.explaining.records import explain_records
from conformance.implementation.targets import RECORD_BATCHES
from reference import ConformanceError, Release, load_release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.reports.facts import ReportedCase

MAXIMUM_PARTS = 240
"""Parts of bytes that are shown: those around the place where they depart."""

MAXIMUM_BYTES = 48
"""Bytes of one part that are shown."""

AROUND = "frame"
"""The kind of cases that are whole frames."""

WITHOUT_MEANING = frozenset(("primitive", "primitive-bytes", "stored", "header"))
"""The kinds of cases whose bytes are shown as they are."""

_HEX = frozenset("0123456789abcdef")

Explain = Callable[[bytes], Explanation]


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


def annotated(case: ReportedCase, release: str) -> tuple[Annotated, ...]:
    """Return the bytes of a case: those that were given, or what should have been written and what was."""
    explain = _explainer(case, release)
    if is_hex(case.expected) and is_hex(case.actual):
        return _both(case, explain)
    if case.kind == "exchange":
        frames = [bytes.fromhex(frame) for frame in case.event.get("frames", ())]
        return tuple(_one(f"Frame {index + 1} that was sent", frame, explain) for index, frame in enumerate(frames))
    return (_one("The bytes of the case", case.wire, explain),) if case.wire else ()


def is_hex(text: str) -> bool:
    """Return whether a text is bytes in hex."""
    return bool(text) and len(text) % 2 == 0 and _HEX.issuperset(text)


def _both(case: ReportedCase, explain: Explain) -> tuple[Annotated, ...]:
    """Return what should have been written, then what was, marked where they differ first."""
    expected, actual = bytes.fromhex(case.expected), bytes.fromhex(case.actual)
    explain = _of_written(case, explain)
    at = next((i for i, (one, other) in enumerate(zip(expected, actual, strict=False)) if one != other), None)
    at = min(len(expected), len(actual)) if at is None else at
    sides = (("Expected bytes", expected), ("Actual bytes", actual))
    return tuple(_one(title, wire, explain, min(at, len(wire) - 1)) for title, wire in sides)


def _one(title: str, wire: bytes, explain: Explain, offset: int | None = None) -> Annotated:
    try:
        explanation = explain(wire)
    except ConformanceError:
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
    return Annotated(title, len(wire), tuple(_piece(wire, part, offset) for part in shown), offset, verdict, left_out)


def _around(parts: Sequence[Part], offset: int | None) -> tuple[Sequence[Part], int]:
    """Return as many parts as are shown, those around an offset, and how many are left out."""
    if len(parts) <= MAXIMUM_PARTS:
        return parts, 0
    at = next((index for index, part in enumerate(parts) if offset is not None and part.end > offset), 0)
    start = min(max(0, at - MAXIMUM_PARTS // 2), len(parts) - MAXIMUM_PARTS)
    return parts[start : start + MAXIMUM_PARTS], len(parts) - MAXIMUM_PARTS


def _piece(wire: bytes, part: Part, offset: int | None) -> Piece:
    end = min(part.end, part.start + MAXIMUM_BYTES)
    if offset is None or not part.start <= offset < end:
        return Piece(part, wire[part.start : end].hex(" "), "", "", part.end - end)
    before, marked, after = (wire[part.start : offset], wire[offset : offset + 1], wire[offset + 1 : end])
    return Piece(part, before.hex(" "), marked.hex(), after.hex(" "), part.end - end)


def _plain(wire: bytes) -> tuple[Part, ...]:
    """Return bytes without a meaning."""
    return (Part(0, len(wire), "", "", "bytes"),)


def _explainer(case: ReportedCase, name: str) -> Explain:
    """Return what explains the bytes of a case; it raises an error where nothing does."""
    if case.kind.startswith("records-") or case.message == RECORD_BATCHES:
        return explain_records

    def explain(wire: bytes) -> Explanation:
        release = load_release(case.event.get("release", name))
        if case.kind in WITHOUT_MEANING:
            raise ConformanceError(f"nothing explains the bytes of {case.kind}")
        if case.kind == AROUND or (case.kind == "seen" and not case.event.get("within")):
            return _frame(release, case, wire, sized=case.kind == AROUND)
        if case.kind == "exchange":
            return explain_frame(release, wire)
        return explain_message(release.schema(case.message, case.version), wire)

    return explain


def _of_written(case: ReportedCase, explain: Explain) -> Explain:
    """Return what explains what a program wrote: of black boxes a body, if it is not about the header."""
    if case.kind not in {"exchange", "seen"}:
        return explain

    def body(wire: bytes) -> Explanation:
        if case.path.startswith("header") or "release" not in case.event:
            raise ConformanceError("nothing explains the bytes of a header alone")
        return explain_message(load_release(case.event["release"]).schema(case.message, case.version), wire)

    return body


def _frame(release: Release, case: ReportedCase, wire: bytes, *, sized: bool) -> Explanation:
    schema = release.schema(case.message, case.version)
    if schema.kind == "response" and schema.api_key is not None:
        return explain_response(release, schema.api_key, case.version, wire, sized=sized)
    if schema.kind == "request":
        return explain_frame(release, wire, sized=sized)
    return explain_message(schema, wire)
