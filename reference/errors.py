"""The errors of the codec, the closed lists of their reasons, and the base class of all errors of the project."""

from __future__ import annotations

from enum import StrEnum

from construct import ConstructError


class Reason(StrEnum):
    """Why bytes are invalid. The list is closed: vectors and other languages rely on it."""

    TRUNCATED = "truncated"
    LENGTH_EXCEEDS_INPUT = "length-exceeds-input"
    NEGATIVE_LENGTH = "negative-length"
    NULL_NOT_ALLOWED = "null-not-allowed"
    STRING_TOO_LONG = "string-too-long"
    VARINT_OVERFLOW = "varint-overflow"
    TAG_ORDER = "tag-order"
    """In a proposal: tags that do not ascend. The released protocol leaves open what a reader makes of them."""
    TAG_OUT_OF_RANGE = "tag-out-of-range"
    """In a proposal: a tag that is negative, or too large to be one."""
    SIZE_MISMATCH = "size-mismatch"
    """In a proposal: a tagged field that does not fill its size. The released protocol leaves that open as well."""
    NOT_A_RECORD = "not-a-record"
    """Of a stored record: a frame version, a type or a version that there is not, or bytes behind the message."""
    BATCH_TOO_SHORT = "batch-too-short"
    """In records, as all that follow: a batch or message that is shorter than its own header."""
    UNKNOWN_MAGIC = "unknown-magic"
    CRC_MISMATCH = "crc-mismatch"
    UNKNOWN_CODEC = "unknown-codec"
    COMPRESSION = "compression"
    """A compressed stream that is cut or damaged, or stands where none may be."""
    RECORD_COUNT = "record-count"
    RECORD_LENGTH = "record-length"
    HEADER_COUNT = "header-count"
    TRAILING_BYTES = "trailing-bytes"
    OFFSET_MISMATCH = "offset-mismatch"


REASONS_OF_RECORDS = frozenset(
    (
        Reason.BATCH_TOO_SHORT,
        Reason.UNKNOWN_MAGIC,
        Reason.CRC_MISMATCH,
        Reason.UNKNOWN_CODEC,
        Reason.COMPRESSION,
        Reason.RECORD_COUNT,
        Reason.RECORD_LENGTH,
        Reason.HEADER_COUNT,
        Reason.TRAILING_BYTES,
        Reason.OFFSET_MISMATCH,
    )
)
"""The reasons that no message has, only a field of record batches."""


class Refusal(StrEnum):
    """Why a value has no bytes. The list is closed."""

    WRONG_TYPE = "wrong-type"
    MISSING_FIELD = "missing-field"
    UNKNOWN_FIELD = "unknown-field"
    OUT_OF_RANGE = "out-of-range"
    NULL_NOT_ALLOWED = "null-not-allowed"
    STRING_TOO_LONG = "string-too-long"
    NOT_IN_THIS_VERSION = "not-in-this-version"
    BAD_TAGS = "bad-tags"
    BAD_TEXT = "bad-text"


REFUSAL_RULES = {
    Refusal.WRONG_TYPE: "value.type",
    Refusal.MISSING_FIELD: "value.complete",
    Refusal.UNKNOWN_FIELD: "value.known-fields",
    Refusal.OUT_OF_RANGE: "number.range",
    Refusal.NULL_NOT_ALLOWED: "null.not-written",
    Refusal.STRING_TOO_LONG: "string.too-long",
    Refusal.NOT_IN_THIS_VERSION: "ignorable.refused",
    Refusal.BAD_TAGS: "tag.unknown-writable",
    Refusal.BAD_TEXT: "string.unpaired-surrogate",
}
"""The rule behind each refusal."""


class ConformanceError(Exception):
    """The base of every error of this project whose text is for users: it is printed without a traceback.

    Its text says what is wrong, where, and what to do. A class that groups others ends with `Error`, as `CodecError`;
    the classes that are raised are named by what they report, as `Malformed`.
    """


class CodecError(ConformanceError):
    """The base of the errors about values, bytes and the names of messages and wire types."""


class Malformed(CodecError, ConstructError):  # type: ignore[misc]  # construct is not typed
    """Bytes that are not a valid encoding. It is one of construct's errors too, so that its classes can handle it.

    Attributes:
        rule: the id of the rule that the bytes depart from.
        reason: why they are invalid; None where the protocol leaves it open whether a reader accepts them.
        offset: index of the first byte that cannot be part of a sound message; for truncation the input's length.
        path: the field, as `Topics[0].Name`; empty for the message itself. Where construct called the wire type it is
            construct's path: `(parsing) -> Topics -> 0 -> Name`.
    """

    def __init__(self, rule: str, reason: Reason | None, offset: int, path: str, detail: str = "") -> None:
        Exception.__init__(self, rule, reason, offset, path, detail)  # ConstructError's own takes a text and a path
        self.rule = rule
        self.reason = reason
        self.offset = offset
        self.path = path
        self.detail = detail

    def __str__(self) -> str:
        what = self.reason or "left open by the protocol"
        detail = f": {self.detail}" if self.detail else ""
        return f"{what} at byte {self.offset}, in {self.path or 'the message'} (rule {self.rule}){detail}"


class Unencodable(CodecError, ConstructError):  # type: ignore[misc]  # construct is not typed
    """A value that has no bytes in this version. It is one of construct's errors too.

    Attributes:
        rule: the id of the rule that forbids to write it.
        reason: which kind of mistake it is.
        path: the field, as `Topics[0].Name`; empty for the message itself. Where construct called the wire type it is
            construct's path: `(building) -> Topics -> 0 -> Name`.
    """

    def __init__(self, reason: Refusal, path: str, detail: str = "", rule: str = "") -> None:
        Exception.__init__(self, reason, path, detail, rule)  # as in Malformed
        self.rule = rule or REFUSAL_RULES[reason]
        self.reason = reason
        self.path = path
        self.detail = detail

    def __str__(self) -> str:
        detail = f": {self.detail}" if self.detail else ""
        return f"{self.reason} in {self.path or 'the message'} (rule {self.rule}){detail}"


class InternalError(ConformanceError):
    """A fault of this project, and not of its input: its text belongs in a report of the fault."""
