"""Mutants of numbers, strings, bytes, arrays, markers and nulls."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape, unescape
from posixpath import normpath
from typing import Any
from unicodedata import normalize
from urllib.parse import quote, unquote
from uuid import UUID

from reference import FieldSchema
from tests.mutants.mutant import Mutant, both, reading, writing
from tests.mutants.single_faults.ways import longer
from tests.second_codec.bodies import ElementsWay, MarkerWay
from tests.second_codec.steps import ContentWay, FixedWay, LengthWay, Misstep, NotTaken, VarintWay, signed, swap

HIGHEST_KNOWN = 133
"""As of an enum of error codes that was generated once."""
LEGACY, COMPACT, NULLABLE = (
    LengthWay(form=lambda form: replace(form, compact=False)),
    LengthWay(form=lambda form: replace(form, compact=True)),
    LengthWay(form=lambda form: replace(form, nullable=True)),
)
"""Lengths of another form."""
INT16 = LengthWay(form=lambda form: replace(form, width=2))
INT32 = LengthWay(form=lambda form: replace(form, width=4))
SMALL_COUNT = LengthWay(limit=0x7FFF)
TURNED = FixedWay(piece=lambda piece: piece[::-1])
MIXED = FixedWay(piece=lambda piece: UUID(bytes=piece).bytes_le)


def values(change: Callable[[Any], Any]) -> ContentWay:
    return ContentWay(value=change)


def plus(number: int) -> LengthWay:
    """Return a compact length with so much added, beside the one that is."""
    return LengthWay(of=lambda length: length if length < 0 else length + number)


def _bool(true: bytes, false: bytes) -> FixedWay:
    return FixedWay(piece=lambda piece: true if any(piece) else false)


def _int64_through_double(number: int) -> int:
    return signed(int(float(number)), 64)


def _refused(refuses: Callable[[Any], bool], error: type[Exception] = NotTaken) -> ContentWay:
    def change(value: Any) -> Any:
        if refuses(value):
            raise error
        return value

    return ContentWay(value=change)


NUMBERS = (
    reading(
        "later-error-codes-refused",
        "value.accepted",
        "HeartbeatResponse-v0..1",
        "number/int16",
        FixedWay(refuses=lambda number: number > HIGHEST_KNOWN),
    ),
    writing(
        "low-error-codes-refused",
        "value.writable",
        "HeartbeatResponse-v0,HeartbeatResponse-v4",
        "number/int16",
        FixedWay(refuses=lambda number: number < -1),
    ),
    writing(
        "true-is-all-ones",
        "bool.byte",
        "MetadataRequest-v8,ApiVersionsResponse-v3",
        "number/bool",
        _bool(b"\xff", b"\0"),
    ),
    writing("bool-of-four-bytes", "bool.byte", "MetadataRequest-v8", "number/bool", _bool(b"\0\0\0\1", bytes(4))),
    both("int32-little-endian", "int.width-and-order", "HeartbeatRequest-v3..4", "number/int32", TURNED),
    writing(
        "int64-cut-to-32-bits",
        "int.width-and-order",
        "ProduceResponse-v3,OffsetCommitRequest-v6",
        "number/int64",
        FixedWay(number=signed),
    ),
    writing(
        "int64-through-double",
        "int.width-and-order",
        "OffsetCommitRequest-v6",
        "number/int64",
        FixedWay(number=_int64_through_double),
    ),
    reading(
        "uint16-read-as-signed",
        "int.width-and-order",
        "DescribeQuorumResponse-v2",
        "number/uint16",
        FixedWay(number=lambda number: signed(number, 16)),
    ),
    reading(
        "uint32-read-as-signed", "int.width-and-order", "ProducerSnapshot-v1", "number/uint32", FixedWay(number=signed)
    ),
    both("float-little-endian", "float64.bits", "AlterClientQuotasRequest-v0..1", "number/float64", TURNED),
    writing(
        "negative-zero-lost",
        "float64.bits",
        "AlterClientQuotasRequest-v1",
        "number/float64",
        values(lambda value: value + 0.0),
    ),
    reading(
        "payload-of-nan-lost",
        "float64.bits",
        "AlterClientQuotasRequest-v0",
        "number/float64",
        values(lambda value: value if value == value else float("nan")),  # noqa: PLR0124
    ),
    both("uuid-mixed-endian", "uuid.byte-order", "MetadataRequest-v12,DeleteTopicsRequest-v6", "number/uuid", MIXED),
    reading(
        "zero-uuid-is-null",
        "uuid.byte-order",
        "MetadataRequest-v12",
        "number/uuid",
        values(lambda value: value if value.int else None),
    ),
    writing("numbers-wrap", "number.range", "HeartbeatRequest-v3", "number/int32", FixedWay(number=signed)),
)


def _third_byte_wrong(form: bytes) -> bytes:
    return form if len(form) < 3 else form[:2] + bytes([form[2] << 1 & 0x7F])


def _characters(piece: bytes) -> int:
    return len(piece) if len(piece) >= 2**15 else len(piece.decode())


WRAPPED = Misstep(
    "string/*",
    LengthWay(form=lambda form: replace(form, limit=2**31 - 1)),
    also=Misstep("string/*", FixedWay(number=lambda number: signed(number, 16))),
)


def _text(change: Callable[[str], str | None]) -> ContentWay:
    return ContentWay(value=lambda value: change(value) if isinstance(value, str) else value)


STRINGS = (
    both(
        "int16-length-for-compact-string", "string.compact-length", "MetadataRequest-v9..12", "string/compact*", LEGACY
    ),
    both(
        "compact-length-without-plus-one",
        "string.compact-length",
        "MetadataRequest-v9,FindCoordinatorRequest-v3",
        "string/compact*",
        plus(-1),
        plus(1),
    ),
    writing(
        "compact-length-plus-two", "string.compact-length", "FindCoordinatorRequest-v3", "string/compact*", plus(1)
    ),
    writing(
        "compact-length-minus-two", "string.compact-length", "FindCoordinatorRequest-v3", "string/compact*", plus(-3)
    ),
    both(
        "compact-length-for-legacy-string", "string.length", "FindCoordinatorRequest-v0..2", "string/legacy*", COMPACT
    ),
    both("int32-length-for-legacy-string", "string.length", "FindCoordinatorRequest-v0..2", "string/legacy*", INT32),
    writing(
        "characters-counted",
        "string.length",
        "FindCoordinatorRequest-v2",
        "string/*",
        LengthWay(counts=_characters),
    ),
    writing(
        "characters-counted-in-compact-string",
        "string.compact-length",
        "FindCoordinatorRequest-v3",
        "string/*",
        LengthWay(counts=_characters),
    ),
    Mutant("string-limit-missing", "string.too-long", "FindCoordinatorRequest-v2..3", writes=WRAPPED),
    writing(
        "varint-wrong-from-third-byte",
        "varint.shortest",
        "FindCoordinatorRequest-v3",
        "string/compact*",
        VarintWay(form=_third_byte_wrong),
    ),
    reading(
        "string-cut-at-nul",
        "string.utf8",
        "FindCoordinatorRequest-v2..3",
        "string/*",
        _text(lambda value: value.split("\0")[0]),
    ),
    reading(
        "text-normalised",
        "string.utf8",
        "FindCoordinatorRequest-v2..3",
        "string/*",
        _text(lambda value: normalize("NFC", value)),
    ),
    reading(
        "byte-order-mark-dropped",
        "string.utf8",
        "FindCoordinatorRequest-v2",
        "string/*",
        _text(lambda value: value.removeprefix("\ufeff")),
    ),
)

HEARTBEAT = "HeartbeatRequest-v4"
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\ufe0f]")

CHANGES: dict[str, Callable[[str], str | None]] = {
    "stripped": str.strip,
    "line-end-dropped": lambda text: text.removesuffix("\n").removesuffix("\r"),
    "crlf-as-lf": lambda text: text.replace("\r\n", "\n"),
    "lower-case": str.lower,
    "number-without-zeros": lambda text: str(int(text)) if text.isdigit() else text,
    "number-without-exponent": lambda text: re.sub(r"^(\d)e(\d)$", lambda at: at[1] + "0" * int(at[2]), text),
    "number-without-plus": lambda text: re.sub(r"^\+(?=\d)", "", text),
    "null-for-the-word": lambda text: None if text == "null" else text,
    "true-as-python-has-it": lambda text: "True" if text == "true" else text,
    "empty-for-nan": lambda text: "" if text == "NaN" else text,
    "unquoted": lambda text: text[1:-1] if text[:1] == text[-1:] == '"' else text,
    "backslashes-unescaped": lambda text: text.replace("\\n", "\n").replace("\\\\", "\\"),
    "percent-decoded": unquote,
    "html-unescaped": unescape,
    "composed": lambda text: normalize("NFC", text),
    "decomposed": lambda text: normalize("NFD", text),
    "invisible-characters-dropped": lambda text: INVISIBLE.sub("", text),
    "path-normalized": lambda text: normpath(text) if text else text,
}
ESCAPES: dict[str, Callable[[str], str | None]] = {"percent-encoded": quote, "html-escaped": escape}
"""Changes by writers alone."""


def _of_changes() -> Iterator[Mutant]:
    for name, change in CHANGES.items():
        yield reading(f"text-read-{name}", "string.utf8", HEARTBEAT, "string/*", _text(change))
    for name, change in {**CHANGES, **ESCAPES}.items():
        yield writing(f"text-written-{name}", "string.utf8", HEARTBEAT, "string/*", _text(change))


def empty(value: Any) -> bool:
    return isinstance(value, str) and not value


TEXTS = (
    *_of_changes(),
    reading("empty-string-read-as-bytes", "string.empty", HEARTBEAT, "string/*", values(swap("", b""))),
    reading("empty-string-read-as-blank", "string.empty", HEARTBEAT, "string/*", values(swap("", " "))),
    reading("empty-string-not-read", "string.empty", HEARTBEAT, "string/*", _refused(empty)),
    writing("empty-string-refused", "string.empty", HEARTBEAT, "string/*", _refused(empty, TypeError)),
    writing(
        "empty-string-left-out",
        "string.empty",
        HEARTBEAT,
        "string/*",
        VarintWay(form=lambda form: b"" if form == b"\1" else form),
    ),
)

BLOBS = (
    both(
        "int32-length-for-compact-bytes",
        "bytes.compact-length",
        "SaslAuthenticateRequest-v2,SyncGroupResponse-v4",
        "bytes/*",
        LEGACY,
    ),
    both(
        "compact-length-for-legacy-bytes",
        "bytes.length",
        "SaslAuthenticateRequest-v1,SyncGroupResponse-v3",
        "bytes/*",
        COMPACT,
    ),
    writing("int16-length-for-bytes", "bytes.length", "ConsumerProtocolAssignment-v0", "bytes/legacy*", INT16),
    writing(
        "bytes-up-to-65535",
        "bytes.payload",
        "SaslAuthenticateRequest-v1..2",
        "bytes/*",
        ContentWay(raw=lambda raw: raw[:65_535]),
    ),
    both(
        "int32-length-for-compact-records",
        "records.compact-length",
        "ProduceRequest-v9,FetchSnapshotResponse-v0",
        "records/*",
        LEGACY,
    ),
    both(
        "compact-length-for-legacy-records",
        "records.length",
        "ProduceRequest-v8,FetchResponse-v4",
        "records/*",
        COMPACT,
    ),
    writing(
        "offset-of-record-batch-cleared",
        "records.payload",
        "ProduceRequest-v8..9,FetchSnapshotResponse-v0",
        "records/*",
        ContentWay(raw=lambda raw: bytes(min(8, len(raw))) + raw[8:]),
    ),
    reading(
        "empty-records-read-as-null", "null.compact", "ProduceRequest-v9", "records/*", values(lambda raw: raw or None)
    ),
)


def keys_of(element: FieldSchema) -> list[str]:
    return [each.name for each in element.fields if each.map_key]


def sorted_by_key(element: FieldSchema, items: Any) -> Any:
    return items and sorted(items, key=lambda item: [str(item[name]) for name in keys_of(element)])


def last_of_each_key(element: FieldSchema, items: Any) -> Any:
    keys = keys_of(element)
    return list({tuple(item[name] for name in keys): item for item in items}.values()) if keys and items else items


def last_of_alike(element: FieldSchema, items: Any) -> Any:
    """Return elements as they are in a dict by their first field."""
    if not items or not element.fields or keys_of(element):
        return items
    return list({str(item[element.fields[0].name]): item for item in items}.values())


def keyed(order: Callable[[FieldSchema, Any], Any]) -> ElementsWay:
    return ElementsWay(of=lambda element, items: order(element, items) if keys_of(element) else items)


ARRAYS = (
    reading("count-as-int16", "array.count", "DeleteGroupsRequest-v1", "array*", SMALL_COUNT),
    reading("compact-count-as-int16", "array.compact-count", "ListGroupsRequest-v5", "array*", SMALL_COUNT),
    both(
        "int32-count-for-compact-array",
        "array.compact-count",
        "MetadataRequest-v9,DeleteGroupsRequest-v2",
        "array*",
        LEGACY,
    ),
    both(
        "compact-count-without-plus-one",
        "array.compact-count",
        "MetadataRequest-v9,DeleteGroupsRequest-v2",
        "array*/compact*",
        plus(-1),
        plus(1),
    ),
    both(
        "compact-count-for-legacy-array", "array.count", "MetadataRequest-v8,DeleteGroupsRequest-v1", "array*", COMPACT
    ),
    writing(
        "overlong-varints",
        "varint.shortest",
        "MetadataRequest-v9",
        "array*/compact*",
        VarintWay(form=lambda form: longer(form) if len(form) == 1 else form),
    ),
    writing(
        "array-prefix-counts-bytes",
        "array.count",
        "DeleteRecordsRequest-v1,ConsumerProtocolAssignment-v1,OffsetFetchRequest-v5",
        "array of int32/*",
        LengthWay(of=lambda count: 4 * count if count > 0 else count),
    ),
    writing(
        "map-key-array-written-sorted",
        "array.map-key-order",
        "ApiVersionsResponse-v2..3,DeleteTopicsResponse-v1",
        "array*",
        keyed(sorted_by_key),
    ),
    reading(
        "map-key-array-read-sorted",
        "array.map-key-order",
        "ApiVersionsResponse-v2..3,DeleteTopicsResponse-v1",
        "array*",
        keyed(sorted_by_key),
    ),
    reading(
        "one-element-a-key",
        "array.map-key-order",
        "ApiVersionsResponse-v2..3,AlterConfigsRequest-v0",
        "array*",
        keyed(last_of_each_key),
    ),
    reading(
        "one-element-a-name",
        "array.all-elements",
        "FetchResponse-v11..12,OffsetFetchResponse-v5",
        "array*",
        ElementsWay(of=last_of_alike),
    ),
)


def _marked(name: str, present: str, null: str) -> Mutant:
    way = MarkerWay(bytes.fromhex(present), bytes.fromhex(null))
    pairs = "ConsumerGroupHeartbeatResponse-v0..1,DescribeTopicPartitionsRequest-v0"
    return both(name, "struct.marker", pairs, "marker", way)


def _tagged(name: str, present: str, null: str) -> Mutant:
    way = MarkerWay(bytes.fromhex(present), bytes.fromhex(null))
    return both(name, "struct.tagged-marker", "ConsumerGroupMemberMetadataValue-v0", "tagged-marker", way)


MARKERS = (
    _marked("struct-marker-missing", "", "ff"),
    _marked("struct-marker-zero-for-null", "01", "00"),
    _marked("struct-marker-as-of-an-array", "02", "00"),
    _marked("struct-marker-as-int16", "0001", "ffff"),
    both(
        "struct-marker-where-never-null",
        "struct.marker",
        "RemotePartitionDeleteMetadataRecord-v0",
        "marker",
        MarkerWay(always=True),
    ),
    _tagged("tagged-struct-marker-as-positional", "01", "ff"),
    _tagged("tagged-struct-marker-missing", "", "00"),
    _tagged("tagged-struct-marker-as-int16", "0001", "ffff"),
)

NULLS = (
    writing(
        "compact-null-array-written-as-empty",
        "null.compact",
        "MetadataRequest-v9..10",
        "array*/compact*",
        values(swap(None, [])),
    ),
    reading("null-array-read-as-empty", "null.compact", "MetadataRequest-v9", "array*", values(swap(None, []))),
    reading("empty-string-read-as-null", "string.empty", "JoinGroupRequest-v5", "string/*e", values(swap("", None))),
    writing(
        "null-bytes-as-length-zero",
        "null.legacy",
        "JoinGroupRequest-v5,FetchResponse-v11,ConsumerProtocolSubscription-v1",
        "[br]*/legacy*",
        values(swap(None, b"")),
    ),
    reading(
        "null-read-where-not-allowed",
        "null.not-allowed",
        "MetadataResponse-v9,FindCoordinatorRequest-v2",
        "[as]*[!e]",
        LengthWay(of=swap(-1, None)),
    ),
    writing(
        "null-written-where-not-allowed",
        "null.not-written",
        "MetadataResponse-v9,FindCoordinatorRequest-v2",
        "[as]*",
        NULLABLE,
    ),
)

MUTANTS = (*NUMBERS, *STRINGS, *TEXTS, *BLOBS, *ARRAYS, *MARKERS, *NULLS)
