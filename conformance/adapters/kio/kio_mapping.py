"""kio's classes by message and version, aligned with schemas, and conversions of whole messages.

kio generates one frozen dataclass for each struct of each version, its fields in the order of the definition. So fields
are matched by position. None of its several hundred modules is imported before it is needed.

Single values are converted between the wire's types and kio's. kio holds timestamps as datetimes, durations as
timedeltas, error codes as an enum, the zero UUID as None, and the timestamp -1 as None where one may be missing. Values
outside of these types are `Unrepresentable`: nothing is wrapped, clipped or rounded, and null is not taken for the
value that None stands for. A value is representable if kio's own type accepts it, or if kio's own reader returns it.
Its type for timestamps asks for whole seconds, yet the reader returns milliseconds. Its type for floats asks for finite
ones, yet the reader returns NaN.

A value of another type than the field's on the wire goes to kio unchanged, so that kio itself refuses it.
"""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta
from functools import cache
from pkgutil import resolve_name
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_origin

from kio.schema.errors import ErrorCode
from kio.schema.index import schema_name_map
from kio.serial import entity_reader, entity_writer
from kio.static.constants import uuid_zero
from kio.static.primitive import i32Timedelta, i64Timedelta

from conformance.adapter import Unrepresentable, Unsupported
from conformance.adapters._mapping import (
    SAME,
    Aligned,
    Conversion,
    Convert,
    array,
    paired,
    struct_back,
    struct_to,
)
from reference import TAGS

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from reference import FieldSchema, MessageSchema


@dataclasses.dataclass(frozen=True)
class Mapping:
    """The functions for writing and reading one schema with kio."""

    to_kio: Convert
    from_kio: Convert
    write: Callable[[Any, Any], None]
    read: Callable[[bytes, int], tuple[Any, int]]


@dataclasses.dataclass(frozen=True)
class KioType:
    """The parts of the annotation of one of kio's fields."""

    inner: type[Any]
    """The class of the field, or of the elements."""
    array: bool
    optional: bool
    kafka_type: str | None
    """The metadata of a scalar: its wire type, or a type of kio's own such as `error_code`; None for structs."""


@cache
def mapping_of(schema: MessageSchema) -> Mapping:
    """Return the mapping of a message, or raise `Unsupported` if kio has it with other fields or not at all."""
    entity = entity_of(schema.message, schema.version)
    fields = _aligned(schema.fields, entity)
    return Mapping(_to_kio(fields, entity), struct_back(fields), entity_writer(entity), entity_reader(entity))


def paired_fields(
    fields: tuple[FieldSchema, ...], entity: type[Any]
) -> list[tuple[FieldSchema, dataclasses.Field[Any]]]:
    """Pair the fields of a struct with those of kio's class, or raise `Unsupported` if their numbers differ."""
    return paired(fields, dataclasses.fields(entity), f"kio's {entity.__name__}")


def kio_type_of(field: dataclasses.Field[Any]) -> KioType:
    """Return the parts of a field's annotation."""
    annotation, optional = _without_none(field.type)
    array = get_origin(annotation) is tuple
    inner, optional_inner = _without_none(get_args(annotation)[0]) if array else (annotation, optional)
    return KioType(inner, array, optional or optional_inner, field.metadata.get("kafka_type"))


def _without_none(annotation: Any) -> tuple[Any, bool]:
    alternatives = get_args(annotation)
    if NoneType not in alternatives:
        return annotation, False
    (other,) = (alternative for alternative in alternatives if alternative is not NoneType)
    return other, True


def _field(field: FieldSchema, theirs: dataclasses.Field[Any]) -> Conversion:
    kio_type = kio_type_of(theirs)
    item = field.item
    if kio_type.array != (field.element is not None) or (kio_type.kafka_type is None) != (item.type == "struct"):
        raise Unsupported(f"{field.name} is a {field.type} of {item.type}; in kio it is {theirs.type}")
    if kio_type.kafka_type is None:
        fields = _aligned(item.fields, kio_type.inner)
        conversion = Conversion(_to_kio(fields, kio_type.inner), struct_back(fields))
    else:
        table = OPTIONAL_CONVERSIONS if kio_type.optional else CONVERSIONS
        conversion = table.get(kio_type.kafka_type, SAME)
    return array(conversion, tuple) if kio_type.array else conversion


def _aligned(fields: tuple[FieldSchema, ...], entity: type[Any]) -> list[Aligned]:
    return [Aligned(ours.name, theirs.name, _field(ours, theirs)) for ours, theirs in paired_fields(fields, entity)]


def _to_kio(fields: list[Aligned], entity: type[Any]) -> Convert:
    names = frozenset(field.name for field in fields)

    def check(value: dict[str, Any]) -> None:
        if value.keys() != names:
            _check_names(value, names)

    return struct_to(fields, entity, check)


def _check_names(value: dict[str, Any], names: frozenset[str]) -> None:
    for name in names - value.keys():
        raise Unrepresentable("kio's types have no partial values", name)
    for name in value.keys() - names:
        if name != TAGS:
            raise Unrepresentable("kio's type of this version has no such field", name)
        if value[name]:
            raise Unrepresentable("kio's types have no place for unknown tagged fields", name)


def supported() -> dict[str, frozenset[int]]:
    """Return every message and version in kio's index."""
    return {message: frozenset(versions) for message, versions in _places().items()}


@cache
def entity_of(message: str, version: int) -> type[Any]:
    """Return kio's class for a message at one version, or raise `Unsupported`."""
    place = _places().get(message, {}).get(version)
    if place is None:
        raise Unsupported(f"kio has no {message} of version {version}")
    entity: type[Any] = resolve_name(place)
    return entity


@cache
def _places() -> dict[str, dict[int, str]]:
    # A place is `module:ClassName`, and the class has the name of its message in the definitions.
    places: dict[str, dict[int, str]] = {}
    for versions in schema_name_map.values():
        for version, entities in versions.items():
            for place in entities.values():
                places.setdefault(place.partition(":")[2], {})[version] = place
    return places


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
LATEST = (datetime.max.replace(tzinfo=UTC) - EPOCH) // MILLISECOND
"""The last millisecond of the year 9999."""

NO_TIMESTAMP = -1
"""The number that kio reads as None, and writes for it, in a timestamp that may be missing."""

ERROR_CODES = {int(code): code for code in ErrorCode}


def _error_code_to_kio(value: Any) -> Any:
    if type(value) is not int:
        return value
    code = ERROR_CODES.get(value)
    if code is None:
        raise Unrepresentable(f"{value} is not in kio's ErrorCode")
    return code


def _timestamp_to_kio(value: Any) -> Any:
    if type(value) is not int:
        return value
    if not 0 <= value <= LATEST:
        raise Unrepresentable(f"{value} is not in the years 1970 to 9999, which kio's timestamps cover")
    return EPOCH + timedelta(milliseconds=value)


def _optional_timestamp_to_kio(value: Any) -> Any:
    if value is None:
        raise Unrepresentable(f"None is kio's timestamp {NO_TIMESTAMP}")
    return None if value == NO_TIMESTAMP else _timestamp_to_kio(value)


def _duration_to_kio(kio_type: Any) -> Convert:
    def to_kio(value: Any) -> Any:
        if type(value) is not int:
            return value
        try:
            duration = timedelta(milliseconds=value)
        except OverflowError:
            duration = None
        if duration is None or not isinstance(duration, kio_type) or duration // MILLISECOND != value:
            raise Unrepresentable(f"{value} milliseconds are not a {kio_type.__name__}")
        return duration

    return to_kio


def _uuid_to_kio(value: Any) -> Any:
    if value is None:
        raise Unrepresentable("None is kio's zero UUID")
    return None if value == uuid_zero else value


def _duration_from_kio(duration: timedelta) -> int | str:
    # A fraction of a millisecond makes it a text, so that the difference shows.
    milliseconds, rest = divmod(duration, MILLISECOND)
    return str(duration) if rest else milliseconds


def _timestamp_from_kio(moment: datetime | None) -> int | str:
    if moment is None:
        return NO_TIMESTAMP
    # As in `_duration_from_kio`.
    milliseconds, rest = divmod(moment - EPOCH, MILLISECOND)
    return moment.isoformat() if rest else milliseconds


def _uuid_from_kio(value: UUID | None) -> UUID:
    return uuid_zero if value is None else value


CONVERSIONS = {
    "error_code": Conversion(_error_code_to_kio, int),
    "timedelta_i32": Conversion(_duration_to_kio(i32Timedelta), _duration_from_kio),
    "timedelta_i64": Conversion(_duration_to_kio(i64Timedelta), _duration_from_kio),
    "datetime_i64": Conversion(_timestamp_to_kio, _timestamp_from_kio),
    "uuid": Conversion(_uuid_to_kio, _uuid_from_kio),
}
"""By the `kafka_type` in a field's metadata; values of other types are the same on both sides."""

OPTIONAL_CONVERSIONS = {
    **CONVERSIONS,
    "datetime_i64": Conversion(_optional_timestamp_to_kio, _timestamp_from_kio),
}
"""The same for fields that may be None."""
