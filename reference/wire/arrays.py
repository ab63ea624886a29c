"""Arrays, a count followed by the elements one after the other (rules 1.1.11, 1.1.14, 1.1.17).

Two int8, 1 and 2, are `00 00 00 02 01 02`, compact `03 01 02`. The count is of elements, never of bytes. Elements are
never null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.errors import Reason
from reference.wire.base import WireType
from reference.wire.lengths import Length, length_of
from reference.wire.numbers import FixedInteger
from reference.wire.runs import FEW, read_integers, write_integers
from reference.wire.stream import Reader, wrong_type

if TYPE_CHECKING:
    from io import BytesIO

    from reference.paths import Path


class Array(WireType):
    """A count followed by the elements, with the count's null for None.

    >>> from reference.wire.numbers import INT8
    >>> array(INT8, compact=True, nullable=False).write([1, 2]).hex()
    '030102'
    """

    def __init__(self, count: Length, element: WireType, *, takes_no_bytes: bool = False) -> None:
        self.count = count
        self.element = element
        self.nullable = count.nullable
        self.takes_no_bytes = takes_no_bytes
        self._integers = element if type(element) is FixedInteger else None

    def read(self, stream: Reader, path: Path = "") -> list[Any] | None:
        start = stream.tell()
        count = self.count.read(stream, path)
        if count is None:
            return None
        if count > stream.size - stream.tell():
            self._beyond_input(stream, count, start, path)
        if count > stream.limits.array_length:
            stream.beyond_limit("array.beyond-limit", start, path)
        if self._integers is not None and stream.spans is None:
            return read_integers(self._integers, count, stream, path)
        read = self.element.read
        return [read(stream, (path, index)) for index in range(count)]

    def _beyond_input(self, stream: Reader, count: int, start: int, path: Path) -> None:
        """Refuse a count before anything is allocated for it."""
        # elements of no bytes are left open by the protocol; any other element takes at least one byte
        if self.takes_no_bytes:
            stream.unspecified_rejected("count.empty-elements", start, path)
        stream.malformed("count.within-input", Reason.LENGTH_EXCEEDS_INPUT, start, path, f"{count} elements")

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if obj is None and self.nullable:
            self.count.write_to(None, stream, path)
            return
        if not isinstance(obj, list):
            wrong_type("a list", obj, path)
        self.count.write_to(len(obj), stream, path)
        if len(obj) > FEW and self._integers is not None and write_integers(self._integers, obj, stream):
            return
        build = self.element.write_to
        for index, item in enumerate(obj):
            build(item, stream, (path, index))


def array(element: WireType, *, compact: bool, nullable: bool, takes_no_bytes: bool = False) -> Array:
    """Return the type of an array field, with `takes_no_bytes` for elements without any bytes (rule 1.3.19)."""
    return Array(length_of("array", compact=compact, nullable=nullable), element, takes_no_bytes=takes_no_bytes)
