"""Print a message at one version as a declaration in construct's syntax.

The text is Python with the names of `reference.vocabulary`.

>>> from reference import load_release
>>> print(declaration(load_release("4.3.0").schema("ListTransactionsRequest", 0)))
# ListTransactionsRequest, version 0: request, API key 66, flexible
ListTransactionsRequest_v0 = Struct(
    "StateFilters" / CompactArray(CompactString),
    "ProducerIdFilters" / CompactArray(Int64),
    # not in this version: DurationFilter, TransactionalIdPattern
    Tags(),
)
"""

from __future__ import annotations

from collections import Counter
from json import dumps
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from reference.definitions.defaults import IMPLICIT_DEFAULTS
from reference.definitions.model import RELEASED
from reference.protocols import protocol_of
from reference.schema import ArrayType, FieldSchema, MessageSchema, PrimitiveType, StructType
from reference.vocabulary import spelling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WIDTH = 100
"""The width of comments. Names of fields and types are not wrapped."""
INDENT = "    "


def declaration(schema: MessageSchema) -> str:
    """Return the declaration of a message at one version as text, without a final line break.

    The evaluated text reads and writes the same bytes as the message's own wire type, for values of this version.
    Fields of other versions are in comments. A struct used more than once is declared before the message.
    """
    return "\n".join(_Printer(schema).lines())


def name_of(schema: MessageSchema) -> str:
    """Return the name defined by the declaration of a message."""
    return f"{schema.message}_v{schema.version}"


class _Printer:
    def __init__(self, schema: MessageSchema) -> None:
        self.schema = schema
        self.section_first = protocol_of(schema.dialect).section_first
        counts: Counter[StructType] = Counter()
        _count(schema.struct, counts)
        # Two different structs of one name cannot both be declared by that name.
        names = Counter(struct.name for struct, count in counts.items() if count > 1)
        self.shared = {struct for struct, count in counts.items() if count > 1 and names[struct.name] == 1}

    def lines(self) -> Iterator[str]:
        schema = self.schema
        key = "" if schema.api_key is None else f", API key {schema.api_key}"
        flexible = ", flexible" if schema.flexible else ""
        yield f"# {schema.message}, version {schema.version}: {schema.kind}{key}{flexible}"
        for struct in _inner_first(schema.struct):
            if struct in self.shared:
                yield from self.struct(struct, f"{struct.name} = ", "", "")
        yield from self.struct(schema.struct, f"{name_of(schema)} = ", "", "", dialect=schema.dialect)

    def struct(
        self, struct: StructType, before: str, after: str, indent: str, dialect: str = RELEASED
    ) -> Iterator[str]:
        """Yield the lines of a struct.

        `before` and `after` are the texts around it, on its first and last line.
        """
        inner = indent + INDENT
        comment = "" if before.endswith("= ") else f"  # {struct.name}"
        yield f"{indent}{before}Struct({comment}"
        section = tuple(self.tags(struct, inner)) if struct.flexible else ()
        if self.section_first:
            yield from section
        for field in struct.fields:
            if field.tag is None:
                yield from self.field(field, inner)
        if struct.absent_fields:
            absent = ", ".join(field.name for field in struct.absent_fields)
            margin = f"{inner}# "
            yield from wrap(f"not in this version: {absent}", WIDTH, initial_indent=margin, subsequent_indent=margin)
        if not self.section_first:
            yield from section
        if dialect != RELEASED:
            yield f'{inner}dialect="{dialect}",'
        yield f"{indent}){after}"

    def tags(self, struct: StructType, indent: str) -> Iterator[str]:
        """Yield the lines of a tag section."""
        numbers = ", ".join(map(str, sorted(struct.tags_elsewhere)))
        elsewhere = f"elsewhere={{{numbers}}}" if numbers else ""
        tagged = sorted((field.tag, field) for field in struct.fields if field.tag is not None)
        if not tagged:
            yield f"{indent}Tags({elsewhere}),"
            return
        yield f"{indent}Tags({{"
        for tag, field in tagged:
            yield from self.field(field, indent + INDENT, f"{tag}: ")
        yield f"{indent}}}{', ' if elsewhere else ''}{elsewhere}),"

    def field(self, field: FieldSchema, indent: str, before: str = "") -> Iterator[str]:
        """Yield the lines of a field."""
        opening, closing = _around(field)
        before, after = f'{before}"{field.name}" / {opening}', f"{closing}{_notes(field)},"
        struct = field.struct
        if struct is None:
            yield f"{indent}{before}{spelling(field.item)}{after}"
        elif struct in self.shared:
            yield f"{indent}{before}{struct.name}{after}"
        else:
            yield from self.struct(struct, before, after, indent)


def _around(field: FieldSchema) -> tuple[str, str]:
    """Return the texts before and after a primitive or a struct in a field.

    They say that the field is an array, or may be null.
    """
    match field.data_type:
        case ArrayType():
            return f"{spelling(field)}(", ")"
        case StructType() if field.nullable:
            return "Nullable(", ")"
        case _:
            return "", ""


def _notes(field: FieldSchema) -> str:
    key = " * key" if field.map_key else ""
    return key if repr(field.default) == repr(_implied(field)) else f"{key} * default({_literal(field.default)})"


def _implied(field: FieldSchema) -> Any:
    match field.data_type:
        case ArrayType():
            return []
        case StructType(fields=fields):
            return {each.name: each.default for each in fields}
        case PrimitiveType(name):
            return IMPLICIT_DEFAULTS[name]


def _literal(value: Any) -> str:
    """Return a default as an expression.

    Python has no literals for infinite floats and NaN and prints them like names.
    """
    if isinstance(value, str):
        return dumps(value, ensure_ascii=False)
    text = repr(value)
    return f'float("{text}")' if text in {"nan", "inf", "-inf"} else text


def _structs(struct: StructType) -> Iterator[StructType]:
    return (field.struct for field in struct.fields if field.struct is not None)


def _count(struct: StructType, counts: Counter[StructType]) -> None:
    """Count the uses of each struct.

    Structs inside a struct are counted once, however often it is used.
    """
    for inner in _structs(struct):
        counts[inner] += 1
        if counts[inner] == 1:
            _count(inner, counts)


def _inner_first(struct: StructType) -> Iterable[StructType]:
    found: dict[StructType, None] = {}
    for inner in _structs(struct):
        found |= dict.fromkeys((*_inner_first(inner), inner))
    return found
