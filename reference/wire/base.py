"""The base of every wire type: a `construct.Construct` that reads from a `Reader`.

Wire types are interpreted constructs. They compose with one another and with construct's own `Struct`, `Sequence` and
`Array`, as long as what is parsed is a `Reader`; `.parse(data)` makes one. They are never `.compile()`d: compiled
parsers take truncated input without a word.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

from construct import Construct

from reference.wire.stream import Path, Reader


class WireType(Construct):  # type: ignore[misc]  # construct is not typed
    """One wire type: `_parse` reads a value from a `Reader`, `_build` writes one to a `BytesIO`."""

    def parse(self, data: Any, **contextkw: Any) -> Any:
        """Read one value from the beginning of `data`, strictly.

        Raises:
            Malformed: the bytes are not a valid encoding of this type.
        """
        return self.parse_stream(Reader(bytes(data)), **contextkw)

    def read(self, reader: Reader, path: Path = "") -> Any:
        """Read one value from where the reader stands, by the reader's policy; `path` is what errors begin with.

        Raises:
            Malformed: the reader does not go on.
        """
        return self._parse(reader, None, path)

    def write(self, value: Any, path: Path = "") -> bytes:
        """The bytes of one value; `path` is what errors begin with.

        Raises:
            Unencodable: it has none.
        """
        stream = BytesIO()
        self._build(value, stream, None, path)
        return stream.getvalue()

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        raise NotImplementedError

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        raise NotImplementedError
