"""What a mutant is: a codec made wrong on purpose in one way, as an adapter."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Self

from conformance.adapter import Decoded
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.selection import parse_selection, select
from conformance.codec.session import Session
from conformance.judge.checks.check_list import BODIES, run_message
from reference import TAGS, CodecError, FieldSchema, MessageSchema, load_release
from reference.paths import Path
from reference.wire.base import WireType
from reference.wire.message import RELEASED, Protocol
from reference.wire.stream import LenientReader, Reader
from tests.helpers.releases import BASE

if TYPE_CHECKING:
    from conformance.judge.case import Event


def same(value: Any) -> Any:
    return value


def signed(value: int, bits: int) -> int:
    """The lowest bits of a number, as a signed number."""
    value %= 2**bits
    return value - 2**bits if value >= 2 ** (bits - 1) else value


def unchanged(schema: MessageSchema) -> MessageSchema:
    return schema


@cache
def selected(release: str, pairs: str) -> list[MessageSchema]:
    """The pairs of a selection, looked up once for all functions of a mutant."""
    return select(_schemas_of(release), parse_selection([pairs]))


@cache
def _schemas_of(release: str) -> list[MessageSchema]:
    return list(load_release(release).schemas())


@dataclass(frozen=True)
class Mutant:
    """One codec that is wrong in one way."""

    name: str
    rule: str
    pairs: str
    """A selection, as --messages takes it."""
    writes: Protocol = RELEASED
    reads: Protocol = RELEASED
    reader: type[LenientReader] = LenientReader
    """What the bytes are read with: a lie about what may be overlooked."""
    both: Protocol | None = None
    """A lie in writing and in reading."""
    schema: Callable[[MessageSchema], MessageSchema] = unchanged
    size: Callable[[int], int] = int
    capabilities: tuple[str, ...] = ()
    written: Callable[[bytes], bytes] = same
    """A lie about a message as a whole, once it is written."""
    read: Callable[[bytes], bytes] = same
    """A lie about a message as a whole, before it is read."""
    absent: Callable[[FieldSchema], Any] | None = None
    """What is read for a field that the version lacks; None: nothing."""
    keeps_absent: bool = False
    """Whether fields of other versions reach the encoder; otherwise they are dropped before."""
    consumed: Callable[[int, int], int] = field(default=lambda own, _all: own)
    release: str = BASE
    """Where its pairs are: a release, or a proposal."""

    @property
    def places(self) -> list[MessageSchema]:
        return self.schemas()

    def check(self, session: Session) -> Iterator["Event"]:
        """What comes of the deterministic checks of its pairs, in this process."""
        for schema in self.schemas():
            yield from run_message(session, schema, frozenset({BODIES}))

    def schemas(self) -> list[MessageSchema]:
        return selected(self.release, self.pairs)

    def adapter(self) -> LoadedAdapter:
        versions: dict[str, set[int]] = {}
        for schema in self.schemas():
            versions.setdefault(schema.message, set()).add(schema.version)
        supported = {message: frozenset(those) for message, those in versions.items()}
        return LoadedAdapter(
            spec="",
            name=self.name,
            version="0",
            supported={"encode": supported, "decode": supported},
            encode=self.write,
            decode=self.parse,
            size=lambda schema, value: self.size(len(self.write(schema, value))),
            rejections=(CodecError,),
            capabilities=frozenset({"unknown-tags", *self.capabilities}),
        )

    def write(self, schema: MessageSchema, value: dict[str, Any]) -> bytes:
        wrong = self.schema(schema)
        given = value if self.keeps_absent else _with_fields_of(wrong.body, value)
        return self.written(_wire_type(self.both or self.writes, wrong).write(given))

    def parse(self, schema: MessageSchema, data: bytes) -> Decoded:
        reader = self.reader(self.read(data))
        read = _wire_type(self.both or self.reads, self.schema(schema)).read(reader)
        value = {each.name: each.default for each in schema.fields} | read
        for field_ in schema.absent_fields:
            value.pop(field_.name, None)
            if self.absent is not None:
                value[field_.name] = self.absent(field_)
        return Decoded(value, self.consumed(reader.tell(), len(data)))


@cache
def _wire_type(protocol: Protocol, schema: MessageSchema) -> WireType:
    return protocol.message(schema)


def _with_fields_of(field: FieldSchema, value: Any) -> Any:
    """The value with just the fields of a wrong schema, and its unknown tags."""
    if field.element is not None and isinstance(value, list):
        return [_with_fields_of(field.element, item) for item in value]
    if field.type != "struct" or not isinstance(value, dict):
        return value
    kept = {each.name: _with_fields_of(each, value.get(each.name, each.default)) for each in field.fields}
    return kept | {name: item for name, item in value.items() if name == TAGS}


class Lying(Protocol):
    """The released protocol but for wire types of some kinds, which a lie makes of the field and of the sound type."""

    def __init__(self, **lies: Callable[[FieldSchema, Any], WireType]) -> None:
        self.lies = lies

    def _lie(self, kind: str, field: FieldSchema, sound: WireType) -> WireType:
        return self.lies[kind](field, sound) if kind in self.lies else sound

    def string(self, field: FieldSchema) -> WireType:
        return self._lie("string", field, super().string(field))

    def number(self, field: FieldSchema) -> WireType:
        return self._lie("number", field, super().number(field))

    def blob(self, field: FieldSchema) -> WireType:
        return self._lie("blob", field, super().blob(field))

    def array(self, field: FieldSchema, element: WireType) -> WireType:
        return self._lie("array", field, super().array(field, element))


def read_as(change: Callable[[Any], Any]) -> Callable[[FieldSchema, WireType], WireType]:
    return lambda _, sound: Converted(sound, same, change)


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
