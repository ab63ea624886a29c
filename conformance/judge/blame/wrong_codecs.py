"""What a codec with one mistake writes and reads, compared with what an implementation did, and with what is right.

One such reader takes zeros for what is missing behind the end of its input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.clean_faults import NULL_RULE
from reference import TAGS, Malformed, MessageSchema, Unencodable, difference
from reference.protocols import message_type
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.judge.blame.fault_models import FaultModel
    from reference.errors import Reason
    from reference.paths import Path


class ReadValue(NamedTuple):
    """What an implementation read of canonical bytes: a value, of so many bytes if it says so."""

    wire: bytes
    value: Any
    consumed: int | None = None


def writes(mistake: FaultModel, value: dict[str, Any], actual: bytes) -> bool:
    """Return whether just these bytes are written by a mistake; one that this value does not reach writes none."""
    *structs, _ = mistake.path.split(".")
    if not _has(value, structs):
        return False
    try:
        return mistake.wire_type.write(converted(mistake.schema, value)) == actual
    except Unencodable:
        return False


def _has(value: dict[str, Any], steps: Sequence[str]) -> bool:
    """Whether there is any struct at the end of some steps, as `Topics[]` and `Partitions[]`."""
    if not steps:
        return True
    step, *rest = steps
    inner = value.get(step.removesuffix("[]"))
    return any(_has(each, rest) for each in (inner if step.endswith("[]") else [inner]) or () if each is not None)


def converted(schema: MessageSchema, value: dict[str, Any]) -> dict[str, Any]:
    """The value with just the fields of a schema; those that it lacks are at their defaults."""
    converted: dict[str, Any] = _adapt(schema.body, value)
    return converted


def _adapt(field: Any, value: Any) -> Any:
    if field.element is not None and isinstance(value, list):
        return [_adapt(field.element, item) for item in value] if field.element.fields else value
    if field.type != "struct" or not isinstance(value, dict):
        return value
    converted = {each.name: _adapt(each, value.get(each.name, each.default)) for each in field.fields}
    if field.flexible and value.get(TAGS):
        converted[TAGS] = value[TAGS]
    return converted


def reads(mistake: FaultModel, schema: MessageSchema, read: ReadValue) -> bool:
    """Return whether bytes are read by a mistake as just what was read, and as many of them."""
    reader = LenientReader(read.wire)
    try:
        value = mistake.wire_type.read(reader)
    except (Malformed, NotImplementedError):  # some forms are only written
        return False
    if read.consumed not in {None, reader.tell()}:
        return False
    if mistake.has_other_type:
        return bool(value == converted(mistake.schema, read.value))
    return difference(schema, converted(schema, value), read.value) is None


def explains_reading(mistake: FaultModel, schema: MessageSchema, wire: bytes) -> bool:
    """Return whether a reader with a mistake refuses or misreads sound bytes."""
    reader = LenientReader(wire)
    try:
        value = mistake.wire_type.read(reader)
    except Malformed:
        return True
    except NotImplementedError:  # some forms are only written
        return False
    if reader.tell() != reader.size:
        return True
    sound = message_type(schema).read(LenientReader(wire))
    return difference(schema, sound, converted(schema, value)) is not None


def explains_writing(mistake: FaultModel, schema: MessageSchema, value: dict[str, Any]) -> bool:
    """Return whether a writer with a mistake refuses a sound value, or writes other bytes."""
    try:
        return mistake.wire_type.write(converted(mistake.schema, value)) != message_type(schema).write(value)
    except Unencodable:
        return True


MOST = 2**17
"""The most zeros that are read."""
OF_LEAF = 16
"""No number has more bytes."""


def read_padded(schema: MessageSchema, wire: bytes, read: Any) -> dict[str, Any] | None:
    """Return the value that such a reader makes of bytes that end too early; None if it needs none of the zeros.

    Args:
        schema: the message.
        wire: the bytes.
        read: what was read of them: if that is the value, there is not more in it.
    """
    reader = _PaddingReader(wire + bytes(min(MOST, OF_LEAF * (1 + _leaves(read)))))
    try:
        value: dict[str, Any] = message_type(schema).read(reader)
    except Malformed:
        return None
    return value if reader.tell() > len(wire) else None


def _leaves(item: Any) -> int:
    """Return how many numbers, texts and empty arrays are in a value, each byte of a text for one."""
    if isinstance(item, dict):
        return 1 + sum(map(_leaves, item.values()))
    if isinstance(item, list):
        return 1 + sum(map(_leaves, item))
    return 1 + len(item) if isinstance(item, str | bytes) else 1


def are_same_but_nothing(schema: MessageSchema, one: Any, other: Any) -> bool:
    """Return whether two values of a message are the same if null and empty are: readers mix them up in zeros."""
    try:
        return bool(_emptied(converted(schema, one)) == _emptied(converted(schema, other)))
    except (AttributeError, TypeError, KeyError):  # of whatever an implementation returns
        return False


def _emptied(item: Any) -> Any:
    """Return a value with null for all that is empty."""
    if isinstance(item, dict):
        return {name: _emptied(each) for name, each in item.items()}
    if isinstance(item, list):
        return [_emptied(each) for each in item] or None
    return None if isinstance(item, str | bytes) and not item else item


class _PaddingReader(LenientReader):
    """A reader that takes a length of 0 for null everywhere, as readers do that have one function for both."""

    def malformed(  # type: ignore[override]  # it goes on where the strict one does not return
        self, rule: str, reason: Reason, offset: int, path: Path, detail: str = ""
    ) -> None:
        """Go on where null is not allowed."""
        if rule != NULL_RULE:
            super().malformed(rule, reason, offset, path, detail)
