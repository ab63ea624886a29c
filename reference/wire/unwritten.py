"""Check the types of values that are not written, of fields of other versions and tagged fields at their defaults.

As in Apache Kafka's own objects, every reference may be null. Texts may be of any length, since none of their bytes
goes on the wire.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.definitions.model import INTEGER_RANGES
from reference.errors import Refusal
from reference.schema import ArrayType, StructType
from reference.values.comparison import PYTHON_TYPES
from reference.values.defaults import TAGS
from reference.wire.stream import refuse, shown, wrong_type

if TYPE_CHECKING:
    from reference.paths import Path
    from reference.schema import FieldSchema

_REFERENCES = frozenset(("string", "uuid", "bytes", "records", "array", "struct"))


def check_type(field: FieldSchema, value: Any, path: Path) -> None:
    """Check a value of a field, to any depth. A struct of an absent field need not have every field of the version.

    Raises:
        Unencodable: wrong-type, null-not-allowed, out-of-range, missing-field or unknown-field.
    """
    if value is None and field.type in _REFERENCES:
        return
    if field.type in INTEGER_RANGES:
        _check_integer(field, value, path)
        return
    expected: Any = PYTHON_TYPES[field.type]
    if not isinstance(value, expected):
        wrong_type(field.type, value, path)
    match field.data_type:
        case ArrayType(element):
            for index, item in enumerate(value):
                check_type(element, item, (path, index))
        case StructType() as struct:
            _check_struct(struct, value, path)


def _check_integer(field: FieldSchema, value: Any, path: Path) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        wrong_type(field.type, value, path)
    lowest, highest = INTEGER_RANGES[field.type]
    if not lowest <= value <= highest:
        refuse(Refusal.OUT_OF_RANGE, path, f"{shown(value)} does not fit into {field.type}")


def _check_struct(struct: StructType, value: dict[str, Any], path: Path) -> None:
    known = {each.name: each for each in (*struct.fields, *struct.absent_fields)}
    for each in struct.fields:
        if each.name not in value and not struct.every_version:
            refuse(Refusal.MISSING_FIELD, (path, each.name))
    for name, item in value.items():
        if name in known:
            check_type(known[name], item, (path, name))
        elif name != TAGS:
            refuse(Refusal.UNKNOWN_FIELD, (path, name), f"{struct.name} has no such field")
