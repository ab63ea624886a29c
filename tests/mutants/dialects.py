"""What a mutant of a proposal is: the wire types of the reference, some of which a lie replaces."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Any, Self

from reference import FieldSchema, MessageSchema
from reference.paths import Path
from reference.wire.base import WireType
from reference.wire.message import RELEASED, Protocol
from reference.wire.stream import LenientReader, Reader
from tests.mutants.mutant import Mutant


@dataclass(frozen=True)
class DialectMutant(Mutant):
    """One codec of a proposal that is wrong in one way; `writes` and `reads` are protocols."""

    writes: Protocol = RELEASED
    reads: Protocol = RELEASED
    reader: type[LenientReader] = LenientReader
    """What the bytes are read with: a lie about what may be overlooked."""

    def wire_of(self, schema: MessageSchema, value: dict[str, Any]) -> bytes:
        return _wire_type(self.writes, schema).write(value)

    def value_of(self, schema: MessageSchema, data: bytes) -> tuple[dict[str, Any], int]:
        reader = self.reader(data)
        return _wire_type(self.reads, schema).read(reader), reader.tell()


@cache
def _wire_type(protocol: Protocol, schema: MessageSchema) -> WireType:
    return protocol.message(schema)


class Lie(WireType):
    """A wire type that does just what another one does; a lie says what it does otherwise."""

    def __init__(self, inner: WireType) -> None:
        super().__init__()
        self.inner = inner

    @classmethod
    def of(cls, _field: FieldSchema, inner: WireType) -> Self:
        return cls(inner)

    def read(self, stream: Reader, path: Path = "") -> Any:
        return self.inner.read(stream, path)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        self.inner.write_to(obj, stream, path)


class Converted(Lie):
    """A wire type with a conversion before writing and one after reading."""

    def __init__(self, inner: WireType, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> None:
        super().__init__(inner)
        self.before, self.after = write, read

    def read(self, stream: Reader, path: Path = "") -> Any:
        return self.after(super().read(stream, path))

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        super().write_to(self.before(obj), stream, path)
