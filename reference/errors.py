"""The errors of the codec, their closed lists of reasons, and the base class of all errors of the project."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """The reasons why bytes are invalid, a closed list on which vectors and other languages rely."""

    TRUNCATED = "truncated"
    """The input ends inside a value."""
    LENGTH_EXCEEDS_INPUT = "length-exceeds-input"
    """A length or count beyond the bytes of the input."""
    NEGATIVE_LENGTH = "negative-length"
    """A negative length or count that does not stand for null."""
    NULL_NOT_ALLOWED = "null-not-allowed"
    """Null in a field that is not nullable."""
    STRING_TOO_LONG = "string-too-long"
    """A string of more than 32,767 bytes."""
    VARINT_OVERFLOW = "varint-overflow"
    """A varint of more bytes than its type has."""
    TAG_ORDER = "tag-order"
    """In a proposal: tags out of ascending order. The released protocol leaves them open."""
    TAG_OUT_OF_RANGE = "tag-out-of-range"
    """In a proposal: a negative tag, or one above the highest tag."""
    SIZE_MISMATCH = "size-mismatch"
    """In a proposal: a tagged field shorter or longer than its size. The released protocol leaves that open as well."""
    NOT_A_RECORD = "not-a-record"
    """Of a stored record: an unknown frame version, type or version, or bytes after the message."""
    BATCH_TOO_SHORT = "batch-too-short"
    """In records, like all reasons below: a batch or message shorter than its own header."""
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
"""The reasons of record batches only, never of messages."""


class Refusal(StrEnum):
    """The reasons why a value has no bytes, a closed list."""

    WRONG_TYPE = "wrong-type"
    """A value of another Python type than the field's."""
    MISSING_FIELD = "missing-field"
    """A struct without one of the fields of this version."""
    UNKNOWN_FIELD = "unknown-field"
    """A name unknown to the definition."""
    OUT_OF_RANGE = "out-of-range"
    """A number beyond the range of its type."""
    NULL_NOT_ALLOWED = "null-not-allowed"
    """Null in a field that is not nullable."""
    STRING_TOO_LONG = "string-too-long"
    """A text of more than 32,767 bytes of UTF-8."""
    NOT_IN_THIS_VERSION = "not-in-this-version"
    """A field of other versions, neither ignorable nor at its default."""
    BAD_TAGS = "bad-tags"
    """Unknown tagged fields that no writer may write, such as in descending order."""
    BAD_TEXT = "bad-text"
    """A text with an unpaired surrogate."""


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
"""The rule of each refusal."""


class ConformanceError(Exception):
    """The base of all errors of this project with a text for users.

    Commands print it without a traceback. The text says what is wrong, where, and how to go on. A class that groups
    others ends with `Error`, as `CodecError`; a class that is raised is named by its finding, as `Malformed`.
    """


class CodecError(ConformanceError):
    """The base of the errors about values, bytes and the names of messages and wire types."""


class Malformed(CodecError):
    """Bytes without a valid meaning.

    Attributes:
        rule: the id of the rule violated by the bytes.
        reason: why they are invalid; None if the protocol leaves open whether a reader accepts them.
        offset: the index of the first byte that no valid message has; for truncation the input's length.
        path: the field, as `Topics[0].Name`; empty for the message itself.
        detail: further facts for the text, such as the number of bytes; may be empty.
    """

    def __init__(self, rule: str, reason: Reason | None, offset: int, path: str, detail: str = "") -> None:
        super().__init__(rule, reason, offset, path, detail)
        self.rule = rule
        self.reason = reason
        self.offset = offset
        self.path = path
        self.detail = detail

    def __str__(self) -> str:
        reason = self.reason or "unspecified by the protocol"
        detail = f": {self.detail}" if self.detail else ""
        return f"{reason} at byte {self.offset}, in {self.path or 'the message'} (rule {self.rule}){detail}"


class Unencodable(CodecError):
    """A value without bytes in this version.

    Attributes:
        rule: the id of the rule against writing it.
        reason: the kind of mistake.
        path: the field, as `Topics[0].Name`; empty for the message itself.
        detail: further facts for the text, such as the value; may be empty.
    """

    def __init__(self, reason: Refusal, path: str, detail: str = "", rule: str = "") -> None:
        super().__init__(reason, path, detail, rule)
        self.rule = rule or REFUSAL_RULES[reason]
        self.reason = reason
        self.path = path
        self.detail = detail

    def __str__(self) -> str:
        detail = f": {self.detail}" if self.detail else ""
        return f"{self.reason} in {self.path or 'the message'} (rule {self.rule}){detail}"


class InternalError(ConformanceError):
    """A fault of this project, not of its input. Its text belongs in a report of the fault."""
