"""Codecs that leave out one check in all fields, or know one value in another form.

Like `conformance.targets.faults.body_faults` they show which findings are one mistake. They are no blame: the rule of a
finding is known without them.
"""

from __future__ import annotations

import json
from functools import lru_cache, partial
from struct import error as StructError  # noqa: N812  # it has the name of a module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from conformance.generate.clean_faults import NULL_RULE
from conformance.judge.blame.wrong_codecs import LooseReader
from conformance.judge.events import NOT_SOUND
from conformance.judge.findings.causes import ANSWERS, Link, is_of_bodies
from conformance.targets import DECODE, Body
from conformance.targets.faults.wrong_protocols import NumberAsLength, OtherLengths
from reference import Malformed, Unencodable, from_json
from reference.definitions.model import RELEASED
from reference.errors import Reason
from reference.wire.base import WireType
from reference.wire.lengths import NULL, CompactLength, length_of
from reference.wire.message import Protocol
from reference.wire.numbers import INT16, INT32
from reference.wire.stream import LenientReader
from reference.wire.text import String
from reference.wire.varints import UNSIGNED_VARINT, as_int32

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from io import BytesIO

    from conformance.judge.case import Violation
    from conformance.judge.findings.finding import Finding
    from reference import FieldSchema, MessageSchema
    from reference.paths import Path
    from reference.wire.stream import Reader

    Gives = Callable[[int], int | None]
    """The length for a negative one that the definition does not allow: none is null."""

NULLABLE = frozenset((NULL_RULE, "null.not-written"))
NEGATIVE = frozenset(("length.negative", "count.within-input"))
SLICES = frozenset(("length.within-input", "length.negative"))
PADDED = frozenset(("input.truncated", "count.within-input", "tag.size-within-input"))
TOO_LONG = frozenset(("string.too-long",))


def _null(_: int) -> None:
    return None


def _empty(_: int) -> int:
    return 0


def _itself(length: int) -> int:
    return length


class LenientCodec(NamedTuple):
    """A codec that leaves out one check.

    Attributes:
        rules: the rules that it breaks.
        protocol: its protocol.
        reader: its reader.
    """

    rules: frozenset[str]
    protocol: Protocol
    reader: type[LenientReader] = LenientReader

    def takes(self, violation: Violation) -> bool:
        """Return whether it goes on where a case says to refuse; what comes after may break another rule."""
        schema, value, wire = cast("Body", violation.case.target).schema, violation.case.value, violation.case.wire
        wire_type = _wire_type(self, schema)
        try:
            if violation.side == DECODE:
                wire_type.read(self.reader(wire or b""))
            else:
                wire_type.write(from_json(schema, json.loads(value or "{}")))
        except Malformed as error:
            return error.rule not in self.rules
        except (Unencodable, StructError):
            return False
        return True


@lru_cache(maxsize=64)
def _wire_type(codec: LenientCodec, schema: MessageSchema) -> WireType:
    return codec.protocol.message(schema)


def same_leniency(findings: Sequence[Finding]) -> Iterator[Link]:
    """Yield findings on inputs that one codec without a check takes, all of them, as it takes those of another one."""
    for codec in CODECS:
        of_rules = (each for each in findings if each.rule in codec.rules and is_of_bodies(each))
        taken = [each for each in of_rules if all(map(partial(_takes, codec), each.examples))]
        for finding in taken[1:]:
            yield Link(
                taken[0],
                finding,
                f"a codec that breaks {' and '.join(sorted(codec.rules))}, and nothing else, does the same",
            )


def _takes(codec: LenientCodec, violation: Violation) -> bool:
    target = violation.case.target
    if violation.expectation.what not in NOT_SOUND or violation.outcome not in ANSWERS:
        return False
    # Of the wire types and batches beside bodies, for which there are no such codecs, the rule says it.
    return not isinstance(target, Body) or (target.schema.dialect == RELEASED and codec.takes(violation))


TEXTS, ARRAYS = frozenset(("string", "bytes", "records")), frozenset(("array",))
ALL = TEXTS | ARRAYS
WITH_NUMBERS = ALL | {"number"}


class _Lengths(OtherLengths):
    """A protocol with loose lengths in fields of some types."""

    def __init__(self, kinds: frozenset[str], *, null: Gives | None = None, negative: Gives | None = None) -> None:
        super().__init__(kinds, lambda field: _LooseLength(field, (null, negative)))

    def number(self, field: FieldSchema) -> WireType:
        """Return the type of a number, which may be null for a writer."""
        return _NumberOrNull(super().number(field)) if "number" in self.types else super().number(field)


class _NumberOrNull(WireType):
    """A number, with null written as 0."""

    def __init__(self, number: WireType) -> None:
        super().__init__()
        self.number = number

    def read(self, stream: Reader, path: Path = "") -> Any:
        return self.number.read(stream, path)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        self.number.write_to(0 if obj is None else obj, stream, path)


class _LooseLength(NumberAsLength):
    """A length that takes negative numbers, each as null, as another length, or as it is."""

    def __init__(self, field: FieldSchema, gives: tuple[Gives | None, Gives | None]) -> None:
        is_text = field.type == "string" and field.element is None
        number = UNSIGNED_VARINT if field.compact else INT16 if is_text else INT32
        super().__init__(number, nullable=field.nullable or gives[0] is not None, added=int(field.compact))
        self.is_nullable = field.nullable
        self.gives = gives

    def read(self, stream: Reader, path: Path = "") -> int | None:
        start = stream.tell()
        number = self.number.read(stream, path)
        if self.is_nullable and number == self.null:
            return None
        length = int(as_int32(number) - 1 if self.added else number)
        gives = self.gives[length != NULL]
        if length >= 0:
            return length
        if gives is None and self.is_nullable and length != NULL:
            return None
        if gives is None:
            stream.malformed(NULL_RULE if length == NULL else "length.negative", Reason.NEGATIVE_LENGTH, start, path)
        return gives(length)


class _Unlimited(Protocol):
    """A protocol with compact strings of any length."""

    def string(self, field: FieldSchema) -> WireType:
        """Return the type of a string without a limit."""
        return _UnlimitedText(length_of("string", compact=field.compact, nullable=field.nullable))


class _UnlimitedText(String):
    def read_too_long(self, length: int, stream: Reader, start: int, path: Path) -> None:
        """Read on."""

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if not isinstance(obj, str):
            super().write_to(obj, stream, path)
            return
        data = obj.encode()
        length = len(data)
        self.length.write_to(length if isinstance(self.length, CompactLength) else _as_int16(length), stream, path)
        stream.write(data)


def _as_int16(length: int) -> int:
    return (length + 2**15) % 2**16 - 2**15


MOST = 2**12
"""The largest number of reads where there are no bytes; a codec that goes on so far takes the input."""


class _BoundedReader(LooseReader):
    """A reader that goes on only so far."""

    loosely = 0

    def _count(self) -> None:
        self.loosely += 1
        if self.loosely > MOST:
            raise Malformed("", None, self.tell(), "")


class SlicingReader(_BoundedReader):
    """A reader that cuts what is beyond the input, and goes back by a negative length."""

    loose = "length.within-input"

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the bytes there are."""
        if size is None or size >= 0:
            return super().read(size)
        self._count()
        self.seek(max(0, self.tell() + size))
        return b""


class PaddingReader(_BoundedReader):
    """A reader for which the bytes beyond the input are zero."""

    loose = "count.within-input"

    def read(self, size: int | None = -1, /) -> bytes:
        """Return as many bytes as are asked for."""
        data = super().read(size)
        if size is None or not len(data) < size <= MOST:
            return data
        self._count()
        return data + bytes(size - len(data))


CODECS = (
    *(
        LenientCodec(NULLABLE, _Lengths(kinds, null=gives))
        for gives in (_null, _empty)
        for kinds in (ALL, TEXTS, ARRAYS, WITH_NUMBERS)
    ),
    *(LenientCodec(NEGATIVE, _Lengths(kinds, negative=gives)) for gives in (_null, _empty) for kinds in (ALL, ARRAYS)),
    LenientCodec(SLICES, _Lengths(TEXTS, negative=_itself), SlicingReader),
    LenientCodec(PADDED, Protocol(), PaddingReader),
    LenientCodec(TOO_LONG, _Unlimited()),
)
