"""An explanation of bytes, with their parts in order and the verdict on them.

Every byte is in exactly one part. A part without bytes stands at a place with missing bytes.

>>> from reference import load_release
>>> from reference.paths import field_at
>>> type_name(field_at(load_release("4.3.0").schema("MetadataRequest", 12).body, "Topics[0].Name"))
'compact-nullable-string'
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

from reference.paths import joined
from reference.schema import ArrayType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reference.schema import FieldSchema

NOT_READ, TRAILING, MISSING, CUT = "not-read", "trailing", "missing", "cut"
"""Roles of bytes without a meaning, after the end of reading or after the message, missing, or first of a cut value."""

NOT_JUDGED = "not-judged"
"""The result of bytes without a verdict, for example of a request with an unsupported API."""

SCHEMA = "explanation.schema.json"


@dataclass(frozen=True)
class WirePart:
    """The bytes `[start, end)` with one meaning.

    Attributes:
        start: the index of the first byte in the explained bytes.
        end: the index after the last byte.
        path: the path of the field, like `body.Topics[0].Name`, of the struct of a tag section, or "" for the message.
        type: the type of the field, like `compact-nullable-string`, or "" if it is unknown.
        role: the role of the bytes in their field, like `length` or `payload`, or `not-read`, `trailing`, `missing` or
            `cut`.
        value: a short text for the value.
        rule: the id of the rule for the bytes, or "" for bytes without a meaning.
        deviation: a text that begins with the id of the broken rule, or "" if the bytes break none.
    """

    start: int
    end: int
    path: str
    type: str
    role: str
    value: str = ""
    rule: str = ""
    deviation: str = ""

    def within(self, start: int, path: str) -> WirePart:
        """Return the part moved to its place in an outer explanation, at index `start` in the field at `path`."""
        return replace(self, start=start + self.start, end=start + self.end, path=joined(path, self.path))


@dataclass(frozen=True)
class BytesVerdict:
    """The verdict on explained bytes.

    Attributes:
        result: valid, invalid, unspecified, or not-judged.
        rules: the ids of the broken rules, in order of their places. The last one makes invalid bytes invalid.
        reason: the reason of invalid bytes, or "".
        offset: the index of the first byte that makes the bytes invalid, or None.
        path: the path of the field with this byte.
        detail: further words of the verdict, or "".
        canonical: the canonical bytes of the value, or None if there are none.
        readers: the actions of the readers of Apache Kafka, like `accepts`, by their names.
    """

    result: str
    rules: tuple[str, ...]
    reason: str
    offset: int | None
    path: str
    detail: str
    canonical: bytes | None
    readers: Mapping[str, str]


def not_judged(detail: str) -> BytesVerdict:
    """Return a verdict for bytes without a judgement, with the reason for it."""
    return BytesVerdict(NOT_JUDGED, (), "", None, "", detail, None, {})


@dataclass(frozen=True)
class Explanation:
    """The meaning of bytes.

    Attributes:
        title: a heading, like `MetadataRequest v12`.
        wire: the bytes.
        parts: the parts in order, without gaps and overlaps.
        verdict: the verdict on the bytes.
        inside: the explanations of the record batches and group messages in fields, and of decompressed streams, which
            follow their batches, each with its own verdict.
        path: the path of the field of an inner explanation, or "".
        start: the index in the outer bytes, or None for a decompressed stream. Inner parts with such an index are also
            among the outer parts.
    """

    title: str
    wire: bytes
    parts: tuple[WirePart, ...]
    verdict: BytesVerdict
    inside: tuple[Explanation, ...] = ()
    path: str = ""
    start: int | None = 0

    def _repr_html_(self) -> str:
        """Return the explanation as a table, as notebooks show it."""
        return "".join(_html_of(self))

    def within(self, start: int, path: str) -> Explanation:
        """Return the explanation moved to its place in an outer one, at index `start` in the field at `path`."""
        if self.start is None:
            parts = tuple(part.within(0, path) for part in self.parts)
            return replace(self, path=joined(path, self.path), parts=parts)
        return replace(self, path=joined(path, self.path), start=start + self.start)


def explanation_as_json(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON, with bytes in hex."""
    return {
        "title": explanation.title,
        "path": explanation.path,
        "start": explanation.start,
        "wire": explanation.wire.hex(),
        "parts": [vars(part) for part in explanation.parts],
        "verdict": _verdict(explanation.verdict),
        "inside": [explanation_as_json(each) for each in explanation.inside],
    }


def _verdict(verdict: BytesVerdict) -> dict[str, Any]:
    canonical = None if verdict.canonical is None else verdict.canonical.hex()
    return {**vars(verdict), "rules": list(verdict.rules), "canonical": canonical, "readers": dict(verdict.readers)}


def type_name(field: FieldSchema | None) -> str:
    """Return the name of the type of a field, like `compact-nullable-array`, or "" without a field."""
    if field is None:
        return ""
    is_compact = field.compact and field.type in {"string", "bytes", "records", "array"}
    form = "compact-" * is_compact + "nullable-" * field.nullable
    return f"{form}{field.type}" + (f" as {field.encoding}" if field.encoding else "")


def width_of_length(field: FieldSchema) -> int:
    """Return the number of bytes of a length or count in a version that is not flexible."""
    is_short = field.type == "string" and not isinstance(field.data_type, ArrayType)
    return 2 if is_short else 4


MOST_BYTES = 16
"""The number of bytes shown of a part in HTML."""

HEADINGS = ("offset", "bytes", "field", "type", "value", "rule")


def _html_of(explanation: Explanation) -> Iterator[str]:
    for each in (explanation, *(inner for inner in explanation.inside if inner.start is None)):
        yield f"<p><b>{escape(each.title)}</b>, {len(each.wire):,} bytes</p><table>"
        yield f"<tr>{''.join(f'<th>{name}</th>' for name in HEADINGS)}</tr>"
        yield from (_html_row(part, each.wire) for part in each.parts)
        yield "</table>"
    verdict = explanation.verdict
    where = f" at byte {verdict.offset}, in {verdict.path or 'the message'}" if verdict.offset is not None else ""
    rules = "".join(f" <code>{escape(rule)}</code>" for rule in verdict.rules)
    detail = f"{verdict.reason} {verdict.detail}"
    yield f"<p>verdict: <b>{verdict.result}</b>{escape(where)} {escape(detail.strip())}{rules}</p>"


def _html_row(part: WirePart, wire: bytes) -> str:
    piece = wire[part.start : part.end]
    shown = piece[:MOST_BYTES].hex(" ") + ("…" if len(piece) > MOST_BYTES else "")
    cells = (str(part.start), shown, part.path, part.type or part.role, part.value, part.rule)
    row = f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
    wrong = f'<tr><td></td><td colspan="5"><b>{escape(part.deviation)}</b></td></tr>' if part.deviation else ""
    return row + wrong
