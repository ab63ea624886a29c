"""Inputs that `prove` leaves out, as in the table of the documentation. A test compares the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.targets import Body
from reference.definitions.model import UNSIGNED
from reference.values.defaults import has_nan_default

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.targets import Target
    from reference import FieldSchema, MessageSchema


class LeftOut(NamedTuple):
    """A kind of input that is not compared with Apache Kafka."""

    what: str
    reason: str
    run: str
    """Whether `run` asks it of an implementation."""


NO_BYTES = LeftOut(
    "message versions with an array whose elements take no bytes",
    "Apache Kafka writes such elements and does not read them (1.3.19)",
    "the array without elements",
)
NAN_DEFAULT = LeftOut(
    "message versions in which a field is absent, not ignorable, and NaN by default",
    "Apache Kafka writes no value of them (4.2.3)",
    "yes; a refusal is shown as the implementation's profile",
)
UNSIGNED_ELEMENT = LeftOut(
    "numbers out of range as elements of []uint16 and []uint32",
    "Apache Kafka cuts them without an error (1.2.5)",
    "yes, as `number.range`",
)
NOT_BODIES = LeftOut(
    "headers, frames and stored messages of folders and proposals",
    "they need classes of whole modules",
    "yes",
)
NO_CLASSES = LeftOut(
    "definitions of a folder without classes",
    "Apache Kafka's generator or the Java compiler refuses them",
    "yes",
)
NOT_SHIPPED = LeftOut("proposals with types that Apache Kafka never had", "there is no generator of them", "yes")
REFUSED_RECORDS = LeftOut(
    "members of a batch that do not fit one another",
    "Apache Kafka makes them from the records, and checks few of them (16.9)",
    "yes",
)
UNWRITTEN_RECORDS = LeftOut(
    "unused bits of attributes, attributes of records, and an incomplete batch, as written by Apache Kafka",
    "its writers have no place for them; its readers are compared",
    "yes",
)
HUGE_RECORDS = LeftOut(
    "fields of records beyond the heap of the JVM or the bound of the reference",
    "one of the two has no answer",
    "yes, as `codec.bomb`",
)
TWO_FAULTS = LeftOut(
    "the exception for a field with a fault of its stream and one of a record",
    "Apache Kafka decompresses while it reads, in pieces of a size unknown to the format",
    "whether it is refused",
)
NOT_IN_JAVA = LeftOut(
    "values that no Java type holds",
    "there is nothing to give to Apache Kafka; they are counted",
    "yes",
)
SMALL_SIZES = LeftOut(
    "the memory and the time that an input takes, and large sizes",
    "the reference is no model of them",
    "yes",
)

LEFT_OUT = (
    NO_BYTES,
    NAN_DEFAULT,
    UNSIGNED_ELEMENT,
    NOT_BODIES,
    NO_CLASSES,
    NOT_SHIPPED,
    REFUSED_RECORDS,
    UNWRITTEN_RECORDS,
    HUGE_RECORDS,
    TWO_FAULTS,
    NOT_IN_JAVA,
    SMALL_SIZES,
)


def left_out(schema: MessageSchema) -> LeftOut | None:
    """Return why a message version is not compared, or None if it is."""
    structs = list(_structs(schema.body))
    if any(field.element and not field.element_with_bytes for each in structs for field in each.fields):
        return NO_BYTES
    if any(has_nan_default(struct) for struct in structs):
        return NAN_DEFAULT
    return None


def has_unsigned_elements(schema: MessageSchema) -> bool:
    """Return whether a message version has an array of unsigned numbers."""
    fields = (field for struct in _structs(schema.body) for field in struct.fields)
    return any(field.element is not None and field.element.type in UNSIGNED for field in fields)


def is_written_wider(target: Target, rule: str, path: str = "") -> bool:
    """Return whether Apache Kafka writes a number refused at a path by this rule, as Java has no unsigned types."""
    is_element = isinstance(target, Body) and path.endswith("]") and has_unsigned_elements(target.schema)
    return rule == "number.range" and (is_element or target.message in UNSIGNED)


def _structs(struct: FieldSchema) -> Iterator[FieldSchema]:
    yield struct
    for each in (*struct.fields, *struct.absent_fields):
        if each.item.type == "struct":
            yield from _structs(each.item)
