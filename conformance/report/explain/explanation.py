"""What an explanation is: the bytes, their parts in order, and the verdict on them.

Every byte is in exactly one part. A part without bytes stands where something is missing.

`field_at` finds the field that a path names, and `type_name` says how its type is called.

>>> from reference import load_release
>>> type_name(field_at(load_release("4.3.0").schema("MetadataRequest", 12), "Topics[0].Name"))
'compact-nullable-string'
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from reference import ArrayType
from reference.paths import joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reference import FieldSchema, MessageSchema

NOT_READ, TRAILING, MISSING, CUT = "not-read", "trailing", "missing", "cut"
"""Roles of bytes that have no meaning: behind the place where reading ends; behind the message; none at all, where some
should be; the first bytes of something that is not whole."""

NOT_JUDGED = "not-judged"
"""The result where there is no verdict, as without the library of a codec."""

SCHEMA = "explanation.schema.json"


@dataclass(frozen=True)
class WirePart:
    """The bytes `[start, end)` and what they are.

    Attributes:
        start: index of the first byte in what is explained.
        end: index of the byte behind the last one.
        path: the field, as `body.Topics[0].Name`; of a tag section that of its struct; empty for the message itself.
        type: the field's type, as `compact-nullable-string`; empty if it is not known.
        role: what the bytes are for their field, as `length` or `payload`, or `not-read`, `trailing`, `missing`, `cut`.
        value: what they say, in a short text.
        rule: the id of the rule that says what they are; empty for bytes without a meaning.
        deviation: what is wrong there, beginning with the id of the rule that is broken; empty if nothing is.
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
        """Return the part as one of something that begins at `start`, in the field at `path`."""
        return replace(self, start=start + self.start, end=start + self.end, path=joined(path, self.path))


@dataclass(frozen=True)
class BytesVerdict:
    """The verdict on what is explained.

    Attributes:
        result: valid, invalid, unspecified, or not-judged.
        rules: the ids of the rules that the bytes depart from, in order of place; the last says why they are invalid.
        reason: why they are invalid; empty if they are not.
        offset: of invalid bytes, index of the first one that cannot be part of something sound.
        path: the field that it is in.
        detail: the verdict's own words, if it has any.
        canonical: the bytes that a writer makes of the value; None if there are none.
        readers: what readers of Apache Kafka do, as `accepts`, by their names.
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
    """Return what stands in the place of a verdict if there is none."""
    return BytesVerdict(NOT_JUDGED, (), "", None, "", detail, None, {})


@dataclass(frozen=True)
class Explanation:
    """What bytes mean.

    Attributes:
        title: what they are, as `MetadataRequest v12`.
        wire: the bytes.
        parts: what each of them is, in order, without gaps and overlaps.
        verdict: the verdict on them.
        inside: the messages in their fields, each with a verdict of its own: record batches, messages of the group
            protocol, and what came out of compressed streams. Those of a stream stand behind the batches with it.
        path: the field that has them; empty for what is explained itself.
        start: where they begin in what has them; None for bytes that came out of a compressed stream. The parts of
            those that begin somewhere are also among the parts of what has them.
    """

    title: str
    wire: bytes
    parts: tuple[WirePart, ...]
    verdict: BytesVerdict
    inside: tuple[Explanation, ...] = ()
    path: str = ""
    start: int | None = 0

    def within(self, start: int, path: str) -> Explanation:
        """Return the explanation as that of bytes that begin at `start` in something else, in the field at `path`."""
        if self.start is None:
            parts = tuple(part.within(0, path) for part in self.parts)
            return replace(self, path=joined(path, self.path), parts=parts)
        return replace(self, path=joined(path, self.path), start=start + self.start)


def explanation_as_json(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON, bytes in hex."""
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


KEY = re.compile(r"\[(\d+)\]|[^.\[\]]+")


def keys_of(path: str) -> Iterator[str | int]:
    """Yield the names and the indexes in a path.

    >>> list(keys_of("Topics[0].Name"))
    ['Topics', 0, 'Name']
    """
    for match in KEY.finditer(path):
        yield match[0] if match[1] is None else int(match[1])


def field_at(schema: MessageSchema, path: str) -> FieldSchema | None:
    """Return the field at a path, or the element of an array; None if the message has none there."""
    field: FieldSchema | None = schema.body
    for key in keys_of(path):
        if field is None:
            return None
        if isinstance(key, int):
            field = field.element
        else:
            field = next((each for each in field.fields if each.name == key), None)
    return field


def type_name(field: FieldSchema | None) -> str:
    """Return the name of a field's type, as `compact-nullable-array`; empty without a field."""
    if field is None:
        return ""
    is_compact = field.compact and field.type in {"string", "bytes", "records", "array"}
    form = "compact-" * is_compact + "nullable-" * field.nullable
    return f"{form}{field.type}" + (f" as {field.encoding}" if field.encoding else "")


def width_of_length(field: FieldSchema) -> int:
    """Return how many bytes the length or count of a field takes in versions that are not flexible."""
    is_short = field.type == "string" and not isinstance(field.data_type, ArrayType)
    return 2 if is_short else 4
