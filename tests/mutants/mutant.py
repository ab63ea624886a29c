"""Mutants, each a codec with one fault made on purpose, as an adapter."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.adapter import Decoded
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.selection import parse_selection, select
from conformance.codec.session import Session
from conformance.judge.checks.check_list import BODIES, run_message
from reference import TAGS, CodecError, FieldSchema, MessageSchema, load_release
from tests.helpers.releases import BASE
from tests.mutants.kit.rows import rows_of
from tests.mutants.ways.named import misstep_of
from tests.second_codec import dialects
from tests.second_codec.ways import SOUND, Misstep, NotTaken

if TYPE_CHECKING:
    from conformance.judge.case import Event


def unchanged(schema: MessageSchema) -> MessageSchema:
    return schema


@cache
def selected(release: str, pairs: str) -> list[MessageSchema]:
    """Return the pairs of a selection, looked up once for all functions of a mutant."""
    return select(_schemas_of(release), parse_selection([pairs]))


@cache
def _schemas_of(release: str) -> list[MessageSchema]:
    return list(load_release(release).schemas())


@dataclass(frozen=True)
class Mutant:
    """A codec with one fault."""

    name: str
    rule: str
    pairs: str
    """A selection, as --messages takes it."""
    writes: Any = SOUND
    """The misstep in writing."""
    reads: Any = SOUND
    schema: Callable[[MessageSchema], MessageSchema] = unchanged
    size: Callable[[int], int] = int
    capabilities: tuple[str, ...] = ()
    absent: Callable[[FieldSchema], Any] | None = None
    """The value read for a field missing in the version. None adds nothing."""
    keeps_absent: bool = False
    """Whether fields of other versions reach the encoder instead of being dropped before."""
    consumed: Callable[[int, int], int] = field(default=lambda own, _all: own)
    release: str = BASE
    """The release or proposal of its pairs."""

    @property
    def places(self) -> list[MessageSchema]:
        return self.schemas()

    def check(self, session: Session) -> Iterator["Event"]:
        """Yield the events of the deterministic checks of its pairs, in this process."""
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
            rejections=(CodecError, NotTaken),
            capabilities=frozenset({"unknown-tags", *self.capabilities}),
        )

    def write(self, schema: MessageSchema, value: dict[str, Any]) -> bytes:
        wrong = self.schema(schema)
        return self.wire_of(wrong, value if self.keeps_absent else _with_fields_of(wrong.body, value))

    def parse(self, schema: MessageSchema, data: bytes) -> Decoded:
        read, end = self.value_of(self.schema(schema), data)
        value = {each.name: each.default for each in schema.fields} | read
        for field_ in schema.absent_fields:
            value.pop(field_.name, None)
            if self.absent is not None:
                value[field_.name] = self.absent(field_)
        return Decoded(value, self.consumed(end, len(data)))

    def wire_of(self, schema: MessageSchema, value: dict[str, Any]) -> bytes:
        return dialects.write(schema.struct, value, self.writes)

    def value_of(self, schema: MessageSchema, data: bytes) -> tuple[dict[str, Any], int]:
        """Return the value in bytes, and its end."""
        value, source = dialects.read(schema.struct, data, self.reads)
        return value, source.at


class Row(NamedTuple):
    """The rule, the fault and the pairs of a mutant."""

    name: str
    rule: str
    side: str
    """`encode`, `decode` or `both`."""
    step: str
    """The place of the misstep, or a pattern."""
    way: str
    """A cell of a misstep, or those of a writer and of a reader with `|` between them."""
    pairs: str
    release: str = ""
    """The release of its pairs, if not that of the others."""

    def missteps(self) -> tuple[Misstep, Misstep]:
        """Return the missteps of the writer and the reader."""
        written, _, read = self.way.partition(" | ")
        return self._at("encode", written), self._at("decode", read or written)

    def _at(self, side: str, cell: str) -> Misstep:
        return misstep_of(cell, self.step, side) if self.step and self.side in {side, "both"} else SOUND


@cache
def rows(table: str) -> tuple[Row, ...]:
    """Return the rows of a table."""
    return tuple(Row(**line) for line in rows_of(__file__, table))


def _with_fields_of(field: FieldSchema, value: Any) -> Any:
    """Return the value with just the fields of a wrong schema, and its unknown tags."""
    if field.element is not None and isinstance(value, list):
        return [_with_fields_of(field.element, item) for item in value]
    if field.type != "struct" or not isinstance(value, dict):
        return value
    kept = {each.name: _with_fields_of(each, value.get(each.name, each.default)) for each in field.fields}
    return kept | {name: item for name, item in value.items() if name == TAGS}
