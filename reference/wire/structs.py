"""Structs, their fields in the order of the definition and a tag section if flexible (rules 1.1.12, 3).

A struct has no prefix and no padding. A struct that may be null has a marker first. In a positional field it is one
byte, `ff` for null and `01` for present, in flexible and other versions alike. In a tagged field it is an unsigned
varint, `00` for null and `01` for present (KIP-893). A nullable struct of one int8, 5, is `01 05`, and in a tagged
field `01 05 00` with the empty tag section at the end of every flexible struct.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from reference.errors import Refusal
from reference.values.defaults import TAGS, fresh, is_default
from reference.wire.base import WireType
from reference.wire.runs import pack_of, steps
from reference.wire.stream import Reader, refuse, shown, wrong_type
from reference.wire.unwritten import check_type
from reference.wire.varints import SIGN_32, read_unsigned_varint, write_unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Sequence
    from io import BytesIO

    from reference.paths import Path
    from reference.schema import FieldSchema
    from reference.wire.tags import TagSection

_MISSING = object()
_NULL = 0xFF
_PRESENT = 0x01


class Defaulted(WireType):
    """A field without bytes of its own at this place, with its default, unless the tag section has another value."""

    width = 0

    def __init__(self, value: Any) -> None:
        self.value = value
        self.immutable = not isinstance(value, list | dict)

    def read(self, stream: Reader, path: Path = "") -> Any:
        return self.value if self.immutable else fresh(self.value)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        pass


class StructBody(WireType):
    """The fields of a struct, then its tag section if it has one.

    >>> from reference.wire.numbers import INT8, INT16
    >>> StructBody([("A", INT8), ("B", INT16)], None, ()).write({"A": 5, "B": 300}).hex()
    '05012c'

    Args:
        members: the fields of this version, in the order of the definition; a tagged one is a `Defaulted`.
        tags: the tag section; None in versions that are not flexible.
        absent: the fields of other versions only.
    """

    def __init__(
        self, members: Sequence[tuple[str, WireType]], tags: TagSection | None, absent: Sequence[FieldSchema]
    ) -> None:
        self.members = tuple(members)
        self.tags = tags
        self.absent = {field.name: field for field in absent}
        self._names = frozenset(name for name, _ in members)
        self._readers = tuple((name, member.read) for name, member in members)
        self._writers = tuple((name, member.write_to, pack_of(member)) for name, member in members)
        self._steps = steps(members)
        widths = [member.width for _, member in members]
        if tags is None and None not in widths:
            self.width = sum(filter(None, widths))

    def read(self, stream: Reader, path: Path = "") -> dict[str, Any]:
        value = self._read_fields(stream, path)
        if self.tags is not None:
            self.tags.read_into(value, stream, path)
        return value

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        self._write_fields(obj, stream, path)
        if self.tags is not None:
            self.tags.write_from(obj, stream, path)

    def _read_fields(self, stream: Reader, path: Path) -> dict[str, Any]:
        if not self._steps or stream.spans is not None:  # a trace needs a span for each field of a run
            return {name: read(stream, (path, name)) for name, read in self._readers}
        value: dict[str, Any] = {}
        for name, read in self._steps:
            if name is None:
                read(value, stream, path)
            else:
                value[name] = read(stream, (path, name))
        return value

    def _write_fields(self, obj: Any, stream: BytesIO, path: Path) -> None:
        if not isinstance(obj, dict):
            wrong_type("a dict of fields", obj, path)
        for name, write, pack in self._writers:
            item = obj.get(name, _MISSING)
            if type(item) is int and pack is not None:
                try:
                    stream.write(pack(item))
                except struct.error:
                    write(item, stream, (path, name))  # raises an error with a path
            elif item is _MISSING:
                refuse(Refusal.MISSING_FIELD, (path, name))
            else:
                write(item, stream, (path, name))
        if len(obj) != len(self._writers):
            self._check_extras(obj, path)

    def _check_extras(self, obj: dict[str, Any], path: Path) -> None:
        for name, item in obj.items():
            if name in self.absent:
                check_absent(self.absent[name], item, (path, name))
            elif name == TAGS:
                if item not in (None, []) and self.tags is None:
                    refuse(Refusal.BAD_TAGS, (path, TAGS), "this version is not flexible", "tag.not-flexible")
            elif name not in self._names:
                refuse(Refusal.UNKNOWN_FIELD, (path, name), "the definition has no such field")


def check_absent(field: FieldSchema, value: Any, path: Path) -> None:
    """Check the value of a field that this version lacks, to be dropped if that loses nothing (rules 4.3.1 to 4.3.5).

    Raises:
        Unencodable: the value is not the default, and the field is not ignorable.
    """
    check_type(field, value, path)
    if field.ignorable or is_default(field, value):
        return
    if value is None and not field.nullable:
        refuse(Refusal.NULL_NOT_ALLOWED, path)
    refuse(Refusal.NOT_IN_THIS_VERSION, path, f"{shown(value)} is not the default, and the field is not ignorable")


class NullableStruct(WireType):
    """A struct in a positional field that may be null (rules 3.1, 3.3).

    >>> from reference.wire.numbers import INT8
    >>> NullableStruct(StructBody([("A", INT8)], None, ())).write({"A": 5}).hex()
    '0105'
    """

    def __init__(self, body: WireType) -> None:
        self.body = body

    def read(self, stream: Reader, path: Path = "") -> dict[str, Any] | None:
        data = stream.read(1)
        if not data:
            stream.truncated(path)
        marker = data[0]
        if marker not in (_NULL, _PRESENT):
            stream.deviation("struct.other-marker", stream.tell() - 1, path)
        if stream.spans is not None:
            stream.span(stream.tell() - 1, path, "marker", "struct.marker", "fixed")
        return None if marker & 0x80 else self.body.read(stream, path)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if obj is None:
            stream.write(b"\xff")
            return
        stream.write(b"\x01")
        self.body.write_to(obj, stream, path)


class TaggedNullableStruct(WireType):
    """A struct in a tagged field that may be null (rules 2.5.12, 3.4)."""

    def __init__(self, body: WireType) -> None:
        self.body = body

    def read(self, stream: Reader, path: Path = "") -> dict[str, Any] | None:
        start = stream.tell()
        marker = read_unsigned_varint(stream, path, "marker", "struct.tagged-marker")
        if marker > _PRESENT:
            stream.deviation("struct.other-marker", start, path)
        return None if marker == 0 or marker >= SIGN_32 else self.body.read(stream, path)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        write_unsigned_varint(stream, 0 if obj is None else _PRESENT)
        if obj is not None:
            self.body.write_to(obj, stream, path)
