"""Print a message at one version as a format of Kaitai Struct, for its viewers and for parsers in many languages.

The format reads what Apache Kafka writes. It is not strict, and reads more than a message: a negative length is null,
whatever it is, and tags may be in any order. The text is JSON, which is YAML as well.

>>> from reference import load_release, newest_release
>>> print(kaitai(load_release(newest_release()).schema("ResponseHeader", 0)))
{
  "meta": {
    "id": "response_header_v0",
    "title": "ResponseHeader, version 0",
    "endian": "be"
  },
  "seq": [
    {
      "id": "correlation_id",
      "type": "s4"
    }
  ]
}
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from reference.definitions.model import RELEASED
from reference.errors import CodecError
from reference.schema import ArrayType, PrimitiveType, StructType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.schema import FieldSchema, MessageSchema

Node = dict[str, Any]

_WORD_BEGINS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
NUMBERS = {
    "bool": "u1",
    "int8": "s1",
    "int16": "s2",
    "int32": "s4",
    "int64": "s8",
    "uint16": "u2",
    "uint32": "u4",
    "float64": "f8",
}
VARINT = "unsigned_varint"
MOST_GROUPS = 5
_GROUPS = (f"(groups.size > {at} ? (groups[{at}] & 127) << {7 * at} : 0)" for at in range(1, MOST_GROUPS))
VARINT_TYPE: Node = {
    "seq": [
        {"id": "groups", "type": "u1", "repeat": "until", "repeat-until": f"_ < 128 or groups.size == {MOST_GROUPS}"}
    ],
    "instances": {"value": {"value": " + ".join(("(groups[0] & 127)", *_GROUPS))}},
}


class NoFormat(CodecError):
    """A message of a proposal, for which there is no format of Kaitai Struct."""

    def __str__(self) -> str:
        return f"{self.args[0]} is of {self.args[1]}: only released encodings can be printed for Kaitai Struct"


def kaitai(schema: MessageSchema) -> str:
    """Return a message at one version as a format, or raise NoFormat for a proposal with encodings of its own."""
    if schema.dialect != RELEASED:
        raise NoFormat(schema, schema.dialect)
    export = _Export()
    root = export.struct_type(schema.struct)
    title = f"{schema.message}, version {schema.version}"
    meta = {"id": f"{_snake(schema.message)}_v{schema.version}", "title": title, "endian": "be"}
    types = {"types": export.types} if export.types else {}
    return json.dumps({"meta": meta, **root, **types}, indent=2)


class _Export:
    def __init__(self) -> None:
        self.types: dict[str, Node] = {}
        self.structs: dict[StructType, str] = {}

    def struct_type(self, struct: StructType) -> Node:
        attributes = [each for field in struct.fields if field.tag is None for each in self.field(field)]
        if struct.flexible:
            attributes.append({"id": "tagged_fields", "type": self.section(struct)})
        return {"seq": attributes}

    def section(self, struct: StructType) -> str:
        cases = {
            str(field.tag): self.add(f"{_snake(struct.name)}_{_snake(field.name)}", {"seq": [*self.field(field)]})
            for field in struct.fields
            if field.tag is not None
        }
        data = {"type": {"switch-on": _number_of("tag"), "cases": cases}} if cases else {}
        entry = self.add(
            f"{_snake(struct.name)}_tagged_field" if cases else "tagged_field",
            {"seq": [self.varint("tag"), self.varint("size"), {"id": "data", "size": _number_of("size"), **data}]},
        )
        entries = {"id": "entries", "type": entry, "repeat": "expr", "repeat-expr": _number_of("num_of_entries")}
        name = f"{_snake(struct.name)}_tagged_fields" if cases else "tagged_fields"
        return self.add(name, {"seq": [self.varint("num_of_entries"), entries]})

    def varint(self, name: str) -> Node:
        self.types[VARINT] = VARINT_TYPE
        return {"id": name, "type": VARINT}

    def add(self, name: str, node: Node) -> str:
        """Return the name of a type, which has a number if another type has the name."""
        number = 1
        while self.types.setdefault(unique := name if number == 1 else f"{name}_{number}", node) != node:
            number += 1
        return unique

    def field(self, field: FieldSchema) -> Iterator[Node]:
        name = _snake(field.name)
        match field.data_type:
            case ArrayType(element):
                yield from self.sized(
                    field, {"id": name, **self.element(element), "repeat": "expr"}, "num_of", "repeat-expr"
                )
            case StructType() as struct if field.nullable:
                marker = {"id": f"has_{name}", "type": "s1"} if field.tag is None else self.varint(f"has_{name}")
                value = f"has_{name}" if field.tag is None else _number_of(f"has_{name}")
                yield marker
                yield {"id": name, "type": self.struct(struct), "if": f"{value} > 0"}
            case StructType() | PrimitiveType("uuid"):
                yield {"id": name, **self.element(field)}
            case PrimitiveType("string"):
                yield from self.sized(field, {"id": name, "type": "str", "encoding": "UTF-8"}, "len_of", "size")
            case PrimitiveType("bytes" | "records"):
                yield from self.sized(field, {"id": name}, "len_of", "size")
            case PrimitiveType(number):
                yield {"id": name, "type": NUMBERS[number]}

    def sized(self, field: FieldSchema, content: Node, prefix: str, key: str) -> Iterator[Node]:
        """Yield a length or count, and what has it, unless it is null."""
        name = f"{prefix}_{content['id']}"
        size = f"{_number_of(name)} - 1" if field.compact else name
        yield self.varint(name) if field.compact else {"id": name, "type": "s2" if field.type == "string" else "s4"}
        yield {**content, key: size, "if": f"{size} >= 0"}

    def element(self, field: FieldSchema) -> Node:
        match field.data_type:
            case StructType() as struct:
                return {"type": self.struct(struct)}
            case PrimitiveType("uuid"):
                return {"size": 16}
            case PrimitiveType("string" | "bytes" | "records" as name):
                text = {"id": "value", "type": "str", "encoding": "UTF-8"} if name == "string" else {"id": "value"}
                form = f"{'compact_' if field.compact else ''}{name}"
                return {"type": self.add(form, {"seq": [*self.sized(field, text, "len_of", "size")]})}
        return {"type": NUMBERS[field.type]}

    def struct(self, struct: StructType) -> str:
        if struct not in self.structs:
            self.structs[struct] = self.add(_snake(struct.name), self.struct_type(struct))
        return self.structs[struct]


def _number_of(name: str) -> str:
    return f"{name}.value"


def _snake(name: str) -> str:
    """Return a name in Kaitai Struct's form.

    >>> _snake("ISRNodes"), _snake("TopicId")
    ('isr_nodes', 'topic_id')
    """
    return _WORD_BEGINS.sub("_", name).lower()
