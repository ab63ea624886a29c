"""What a mutant is: a codec made wrong on purpose in one way, as an adapter."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from conformance.adapter import Decoded, LoadedAdapter
from conformance.selection import parse_selection, select
from reference import CodecError, MessageSchema, load_release
from reference.wire.base import WireType
from reference.wire.message import RELEASED, Protocol
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BytesIO

    from reference.wire.stream import Path, Reader


def unchanged(schema: MessageSchema) -> MessageSchema:
    """The schema as it is."""
    return schema


@dataclass(frozen=True)
class Mutant:
    """One codec that is wrong in one way."""

    name: str
    rule: str
    pairs: str
    """A selection, as --messages takes it."""
    writes: Protocol = RELEASED
    reads: Protocol = RELEASED
    both: Protocol | None = None
    """A lie in writing and in reading."""
    schema: Callable[[MessageSchema], MessageSchema] = unchanged
    size: Callable[[int], int] = int
    capabilities: tuple[str, ...] = ()
    keeps_absent: bool = False
    """Whether fields of other versions reach the encoder; otherwise they are dropped before."""
    consumed: Callable[[int, int], int] = field(default=lambda own, _all: own)

    def schemas(self) -> list[MessageSchema]:
        """The pairs on which it shows."""
        return select(list(load_release("4.3.0").schemas()), parse_selection([self.pairs]))

    def adapter(self) -> LoadedAdapter:
        """The mutant as an adapter."""
        versions: dict[str, set[int]] = {}
        for schema in self.schemas():
            versions.setdefault(schema.message, set()).add(schema.version)
        supported = {message: frozenset(those) for message, those in versions.items()}
        return LoadedAdapter(
            spec="",
            name=self.name,
            version="0",
            supported={"encode": supported, "decode": supported},
            encode=self._encode,
            decode=self._decode,
            size=lambda schema, value: self.size(len(self._encode(schema, value))),
            rejections=(CodecError,),
            capabilities=frozenset({"unknown-tags", *self.capabilities}),
        )

    def _encode(self, schema: MessageSchema, value: dict[str, Any]) -> bytes:
        wrong = self.schema(schema)
        return (
            (self.both or self.writes)
            .message(wrong)
            .write(value if self.keeps_absent else _with_fields_of(wrong, value))
        )

    def _decode(self, schema: MessageSchema, data: bytes) -> Decoded:
        reader = LenientReader(data)
        wrong = self.schema(schema)
        value = {each.name: each.default for each in schema.fields} | (self.both or self.reads).message(wrong).read(
            reader
        )
        absent = {each.name for each in schema.absent_fields}
        kept = {name: item for name, item in value.items() if name not in absent}
        return Decoded(kept, self.consumed(reader.tell(), len(data)))


def _with_fields_of(schema: MessageSchema, value: dict[str, Any]) -> dict[str, Any]:
    """The value with just the fields of a wrong schema, at any depth as long as structs are the same."""
    if not isinstance(value, dict):
        return value
    kept = {each.name: value.get(each.name, each.default) for each in schema.fields}
    return kept | {name: item for name, item in value.items() if name.startswith("_")}


class Converted(WireType):
    """A wire type with a conversion before writing and one after reading."""

    def __init__(self, inner: WireType, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> None:
        super().__init__()
        self.inner, self.before, self.after = inner, write, read

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        return self.after(self.inner._parse(stream, context, path))

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        return self.inner._build(self.before(obj), stream, context, path)


def same(value: Any) -> Any:
    """No change."""
    return value


def signed(value: int, bits: int) -> int:
    """The lowest bits of a number, as a signed number."""
    value %= 2**bits
    return value - 2**bits if value >= 2 ** (bits - 1) else value
