"""The bytes of a case, each with its meaning, and with a mark at the first wrong one.

Bytes for which an explainer raises an error of this project are shown without a meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from conformance.judge.events import Answered, expected_bytes, written_bytes
from conformance.report.explain.explained_targets import explain_target
from conformance.targets import RECORD_BATCHES, Body, RecordsField, StoredForm, WholeFrame, WireTypeTarget
from conformance.targets.outcome import Kind
from reference import CodecError, ConformanceError, Release, UnsupportedApi, load_release, primitive
from reference.explained.bodies import CONSUMER, explain_group_message, explain_message
from reference.explained.explanation import BytesVerdict, Explanation, WirePart
from reference.explained.frames import (
    SIZE,
    SIZE_RULE,
    explain_answer,
    explain_frame,
    explain_header,
    explain_response,
    request_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.judge.forms import Broken

MAXIMUM_PARTS, MAXIMUM_BESIDE = 240, 40
"""The number of parts shown, around the first wrong byte; of bytes beside others, around the first difference."""

SIDES = ("Expected bytes", "Actual bytes")
"""The titles of bytes beside each other."""

MAXIMUM_BYTES = 48
"""The number of bytes shown of one part."""


@dataclass(frozen=True)
class AnnotatedBytes:
    """The bytes of one part as hex digits, of which `marked` is the first wrong byte, and the number left out."""

    part: WirePart
    before: str
    marked: str
    after: str
    hidden: int

    @property
    def hex(self) -> str:
        """The hex digits of all bytes shown."""
        return " ".join(filter(None, (self.before, self.marked, self.after)))

    @property
    def departs(self) -> bool:
        """Whether something is wrong with the bytes."""
        return bool(self.part.deviation or self.marked)


@dataclass(frozen=True)
class Annotated:
    """Bytes with their meaning, the index of the first wrong one or None, and the verdict or "" without one."""

    title: str
    size: int
    pieces: tuple[AnnotatedBytes, ...]
    offset: int | None
    verdict: str = ""
    left_out: int = 0


def annotated(case: Broken, release: str) -> tuple[Annotated, ...]:
    """Return the bytes given to an implementation, and those that it wrote or answered, with their meaning."""
    if has_both_sides(case):
        return _both(case, explainer_of_written(case, release))
    explain = explainer(case, release)
    given = [_one(title, wire, explain) for title, wire in _given(case)]
    output = output_of(case, release)
    return (*given, *([] if output is None else [_one(output.title, output.wire, output.explain)]))


def has_both_sides(case: Broken) -> bool:
    """Return whether a case has both the expected and the actual bytes of a writer."""
    return expected_bytes(case.expectation) is not None and written_bytes(case.observation) is not None


def _given(case: Broken) -> Iterator[tuple[str, bytes]]:
    frames = [bytes.fromhex(frame) for frame in case.frames or ()]
    if case.kind == "exchange":
        yield from ((f"Frame {index} that was sent", frame) for index, frame in enumerate(frames, start=1))
    elif case.wire or (case.direction == "decode" and not case.value):
        yield "The bytes of the case", bytes.fromhex(case.wire)


def _both(case: Broken, explain: Explain) -> tuple[Annotated, ...]:
    expected, actual = expected_bytes(case.expectation) or b"", written_bytes(case.observation) or b""
    at = next((i for i, (one, other) in enumerate(zip(expected, actual, strict=False)) if one != other), None)
    # Without a differing byte the shorter side ends early: the first byte after its end is the difference.
    at = min(len(expected), len(actual)) if at is None else at
    sides = zip(SIDES, (expected, actual), strict=True)
    return tuple(_one(title, wire, explain, min(at, len(wire) - 1), MAXIMUM_BESIDE) for title, wire in sides)


def _one(
    title: str, wire: bytes, explain: Explain, offset: int | None = None, maximum: int = MAXIMUM_PARTS
) -> Annotated:
    try:
        explanation = explain(wire)
    except (ConformanceError, CodecError):
        explanation = None
    if explanation is None:
        parts, verdict = _plain(wire), ""
    else:
        parts, conclusion = explanation.parts, explanation.verdict
        offset = conclusion.offset if offset is None else offset
        verdict = _verdict(conclusion)
        title = f"{title}: {explanation.title}"
    shown, left_out = _around(parts, offset, maximum)
    return Annotated(title, len(wire), pieces_of(wire, shown, offset), offset, verdict, left_out)


def _verdict(conclusion: BytesVerdict) -> str:
    readers = ", ".join(f"{reader} {does}" for reader, does in conclusion.readers.items())
    rules = ", ".join(dict.fromkeys(conclusion.rules))
    reason = conclusion.detail or conclusion.reason
    # A reason that only repeats the name of the rule is left out.
    facts = (conclusion.result, rules, "" if reason.replace("-", ".") == rules.replace("-", ".") else reason)
    return ": ".join(filter(None, facts)) + (f" ({readers})" if readers else "")


def _around(parts: Sequence[WirePart], offset: int | None, maximum: int) -> tuple[Sequence[WirePart], int]:
    if len(parts) <= maximum:
        return parts, 0
    at = next((index for index, part in enumerate(parts) if offset is not None and part.end > offset), 0)
    start = min(max(0, at - maximum // 2), len(parts) - maximum)
    return parts[start : start + maximum], len(parts) - maximum


def first_wrong(blocks: Sequence[Annotated]) -> str:
    """Return the line about the first difference of written bytes or the first wrong byte, or "" without one.

    An example is `The bytes differ first at byte 4, field ErrorCode: 00 01 expected, 01 00 written`.
    """
    marked = [next((piece for piece in block.pieces if piece.marked), None) for block in blocks]
    found = next(filter(None, marked), None)
    if found is None:
        return ""
    block = blocks[marked.index(found)]
    field = found.part.path or "the message"
    if len(blocks) == len(SIDES) and block.title.startswith(SIDES):
        expected, actual = (piece.hex if piece else "no byte" for piece in marked)
        return f"The bytes differ first at byte {block.offset}, field {field}: {expected} expected, {actual} written"
    *_, detail = found.part.deviation.partition(", ")  # before it, the rule and the reason by its name
    return f"The first wrong byte is byte {block.offset}, field {field}" + (f": {detail}" if detail else "")


def pieces_of(wire: bytes, parts: Iterable[WirePart], offset: int | None = None) -> tuple[AnnotatedBytes, ...]:
    """Return the bytes of parts, with the byte at an offset marked."""
    return tuple(_piece(wire, part, offset) for part in parts)


def _piece(wire: bytes, part: WirePart, offset: int | None) -> AnnotatedBytes:
    end = min(part.end, part.start + MAXIMUM_BYTES)
    if offset is None or not part.start <= offset < end:
        return AnnotatedBytes(part, wire[part.start : end].hex(" "), "", "", part.end - end)
    before, marked, after = (wire[part.start : offset], wire[offset : offset + 1], wire[offset + 1 : end])
    return AnnotatedBytes(part, before.hex(" "), marked.hex(), after.hex(" "), part.end - end)


def _plain(wire: bytes) -> tuple[WirePart, ...]:
    return (WirePart(0, len(wire), "", "", "bytes"),)


Explain = Callable[[bytes], Explanation]

SERVER, SEEN, FRAME, STORED, ANSWER = "exchange", "seen", "frame", "stored", "answer"
"""Kinds of cases with more bytes than those of a body."""

WIRE_TYPES = frozenset(("primitive", "primitive-bytes"))
WITHOUT_MEANING = "header"
"""The kind of cases without an explanation of their bytes."""


class UnpairedBytes(NamedTuple):
    """Bytes written or answered by an implementation, without expected bytes to compare them with."""

    title: str
    wire: bytes
    explain: Explain


def explainer(case: Broken, release: str) -> Explain:
    """Return the explainer of the bytes given to an implementation, or of the bytes of a capture."""
    if case.kind.startswith("records-") or case.message == RECORD_BATCHES:
        return partial(explain_target, RecordsField())
    if case.kind in WIRE_TYPES:
        return lambda wire: explain_target(WireTypeTarget(primitive(case.message)), wire)
    return lambda wire: _explained(load_release(case.release or release), case, wire)


def explainer_of_written(case: Broken, release: str) -> Explain:
    """Return the explainer of bytes written by a program, for servers and captures of a body, never of a header."""
    if case.kind not in {SERVER, SEEN} or case.message == RECORD_BATCHES:
        return explainer(case, release)
    return lambda wire: _body(case, release, wire)


def output_of(case: Broken, release: str) -> UnpairedBytes | None:
    """Return the bytes written although none were expected, or the answer of a server, or None without either."""
    if case.kind == SERVER:
        return _answer(case, release)
    if case.kind == SEEN or case.outcome != Kind.BYTES:
        return None
    held = case.observation.wire if isinstance(case.observation, Answered) else None
    if held is None or not held.length:
        return None
    wire = bytes.fromhex(held.start)
    if held.is_whole:
        return UnpairedBytes("The bytes that were written", wire, explainer(case, release))
    # A report has the first bytes of a long text only; an explanation of them would show a fault at the cut.
    return UnpairedBytes(f"The first {len(wire):,} of {held.length // 2:,} bytes that were written", wire, _unexplained)


def _unexplained(_: bytes) -> Explanation:
    raise ConformanceError("nothing explains a part of a message")


def _answer(case: Broken, release: str) -> UnpairedBytes | None:
    wire, is_whole = bytes.fromhex(case.answer or ""), bool(case.is_whole)
    if not wire:
        return None
    # A whole answer is a frame without its size. An answer cut short still has its size.
    title = "The answer, without its size" if is_whole else "What came of an answer"
    return UnpairedBytes(title, wire, partial(_response, case, release, sized=not is_whole))


def _response(case: Broken, name: str, wire: bytes, *, sized: bool) -> Explanation:
    release = load_release(case.release or name)
    api_key = release.schema(case.message, case.version).api_key
    if api_key is None:
        raise ConformanceError(f"{case.message} is no request and no response")
    return explain_response(release, api_key, case.version, wire, sized=sized)


def _body(case: Broken, name: str, wire: bytes) -> Explanation:
    if case.path.startswith("header"):
        raise ConformanceError("nothing explains the bytes of a header alone")
    return explain_message(load_release(case.release or name).schema(case.message, case.version), wire)


def _explained(release: Release, case: Broken, wire: bytes) -> Explanation:
    if case.kind == WITHOUT_MEANING:
        raise ConformanceError(f"nothing explains the bytes of {case.kind}")
    if case.kind == SERVER:
        return _request(release, wire)
    schema = release.schema(case.message, case.version)
    if case.kind == STORED:
        return explain_target(StoredForm(schema, release), wire)
    if case.kind == FRAME or (case.kind == SEEN and not case.within):
        return _frame(release, case, wire, sized=case.kind == FRAME)
    if case.kind == ANSWER:
        return explain_answer(release, schema, wire)
    inner = explain_group_message(case.message, wire, CONSUMER) if case.kind == SEEN else None
    return inner or explain_message(schema, wire)


def _request(release: Release, frame: bytes) -> Explanation:
    try:
        return explain_frame(release, frame)
    except UnsupportedApi as error:
        header = explain_header(release, "request", request_of(frame), frame[SIZE:], str(error))
        size = WirePart(0, SIZE, "size", "int32", "number", str(int.from_bytes(frame[:SIZE], signed=True)), SIZE_RULE)
        after = (replace(part, start=SIZE + part.start, end=SIZE + part.end) for part in header.parts)
        return replace(header, wire=frame, parts=(size, *after))


def _frame(release: Release, case: Broken, wire: bytes, *, sized: bool) -> Explanation:
    schema = release.schema(case.message, case.version)
    is_framed = schema.kind == "request" or (schema.kind == "response" and schema.api_key is not None)
    return explain_target(WholeFrame(schema, release) if is_framed else Body(schema), wire, sized=sized)
