"""The base of every wire type, a `construct.Construct` that reads from a `Reader`.

A wire type has two methods: `read`, from a `Reader` and by its policy, and `write_to`, into a stream. Wire types call
the methods of other wire types directly. Construct's protocol, `_parse` and `_build`, is an adapter around them in this
one class. Through it every wire type works inside construct's `Struct`, `Sequence`, `Array`, `Prefixed`, `Switch` and
the others, on any stream, and reads strictly there.

Messages are not made of construct's own combinators, for three reasons. *Spans*: construct does not report the bytes of
a value, and findings are about bytes. *Policies*: one reading must either stop at the first deviation or continue as
Apache Kafka does, and construct has no place for that choice. *Speed*: construct makes a context and a path text for
every field. So `StructBody`, `Array`, the lengths and the tag sections here replace construct's. Wire types are
interpreted, never `.compile()`d: compiled parsers accept truncated input.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

from construct import Construct, SizeofError

from reference.wire.stream import Reader, StreamReader

if TYPE_CHECKING:
    from reference.paths import Path


class WireType(Construct):  # type: ignore[misc]  # construct is not typed
    """One wire type.

    >>> from construct import Struct, this
    >>> from reference.wire.numbers import INT8, INT16
    >>> Struct("count" / INT8, "numbers" / INT16[this.count]).parse(bytes.fromhex("02 0001 0002")).numbers
    ListContainer([1, 2])

    Attributes:
        width: the number of bytes of every value, or None if it depends on the value.
    """

    width: int | None = None

    def read(self, stream: Reader, path: Path = "") -> Any:
        """Read one value at the reader's position, by the reader's policy.

        Args:
            stream: the reader with the bytes.
            path: the path of the value in errors and spans.

        Raises:
            Malformed: the reader refuses the bytes.
        """
        raise NotImplementedError

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        """Write one value.

        Args:
            obj: the value.
            stream: the destination of the bytes.
            path: the path of the value in errors.

        Raises:
            Unencodable: the value has no bytes.
        """
        raise NotImplementedError

    def write(self, obj: Any, path: Path = "") -> bytes:
        """Return the bytes of one value.

        Args:
            obj: the value.
            path: the path of the value in errors.

        Raises:
            Unencodable: the value has none.
        """
        stream = BytesIO()
        self.write_to(obj, stream, path)
        return stream.getvalue()

    def _parse(self, stream: BinaryIO, context: Any, path: str) -> Any:
        """Read for construct, strictly unless the stream is a reader with a policy of its own."""
        return self.read(stream if isinstance(stream, Reader) else StreamReader(stream), path)

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        """Write for construct, and return the written object as construct expects it."""
        self.write_to(obj, stream, path)
        return obj

    def _sizeof(self, context: Any, path: str) -> int:
        if self.width is None:
            raise SizeofError("the size depends on the value", path=path)
        return self.width
