"""A field of any type and encoding, without a definition around it."""

from reference.definitions.errors import BrokenDefinition
from reference.proposals.kip625 import ENCODINGS, KIP_625
from reference.resolution import resolve
from reference.schema import FieldSchema, MessageSchema, PrimitiveType

TYPES = ("int16", "int32", "int64")

PAIRS = [
    (type_name, name)
    for type_name in TYPES
    for name, encoding in ENCODINGS.items()
    if encoding.bits <= int(type_name.removeprefix("int"))
]
"""Every encoding on every type with a choice of it."""


def integer(type_name: str, encoding: str | None) -> MessageSchema:
    """Return a message with one field, `Number`, and no flexible version."""
    return whole(FieldSchema("Number", PrimitiveType(type_name, encoding), default=0))


def whole(*fields: FieldSchema) -> MessageSchema:
    return MessageSchema("Sample", 0, "data", None, flexible=False, fields=fields, absent_fields=(), dialect="kip-625")


def defined(fields: str, version: int = 0, flexible: str = "none") -> MessageSchema:
    """Return the schema of a message with fields given as JSON text, separated by commas."""
    return resolve(KIP_625.loader.parse(text_of(fields, flexible), "Sample.json"), version)


def text_of(fields: str, flexible: str = "none") -> str:
    """Return a definition with fields on the given lines, from line 3 on."""
    return f"""{{ "type": "data", "name": "Sample", "validVersions": "0-9",
  "flexibleVersions": "{flexible}", "fields": [
{fields}
] }}"""


def mistakes(encoding: str, more: str = '"type": "int32", "versions": "0+"') -> list[BrokenDefinition]:
    """Return the problems of a field on line 4, with its `encoding` at the beginning."""
    return KIP_625.loader.broken_rules(field_text(encoding, more), "Some.json")


def field_text(encoding: str, more: str = '"type": "int32", "versions": "0+"') -> str:
    return text_of(f'{{ "name": "Some", {more},\n  "encoding": {encoding} }}')


def found(errors: list[BrokenDefinition]) -> list[tuple[str, str, str]]:
    return [(each.problem.rule, str(each.position).partition(",")[0], str(each.problem.place)) for each in errors]
