"""The base of every wire type, with its two methods.

A message at one version is a tree of wire types, which call one another directly. The tree is the working encoding of
this project, for three things that a declaration cannot have. *Spans*: it reports the meaning of every byte.
*Policies*: one reading either stops at the first deviation or continues as Apache Kafka does. *Speed*: a run asks it
about millions of values. `reference.declared` says the same protocol in construct's combinators, for people, and tests
hold each against the other.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from reference.wire.stream import Reader

if TYPE_CHECKING:
    from reference.paths import Path


class WireType:
    """One wire type.

    Attributes:
        width: the number of bytes of every value, or None if it depends on the value.
    """

    width: int | None = None

    def read(self, stream: Reader, path: Path = "") -> Any:
        """Read one value at the reader's position, by the reader's policy, with the value's `path` in errors and spans.

        Raises:
            Malformed: the reader refuses the bytes.
        """
        raise NotImplementedError

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        """Write one value to a stream, with the value's `path` in errors.

        Raises:
            Unencodable: the value has no bytes.
        """
        raise NotImplementedError

    def write(self, obj: Any, path: Path = "") -> bytes:
        """Return the bytes of one value, or raise Unencodable, as `write_to`."""
        stream = BytesIO()
        self.write_to(obj, stream, path)
        return stream.getvalue()

    def parse(self, data: bytes) -> Any:
        """Return the value at the beginning of `data`, read strictly, or raise Malformed."""
        return self.read(Reader(data))
