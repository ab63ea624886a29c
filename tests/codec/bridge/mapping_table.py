"""A table of mappings with a wrong type or a wrong name in every value, and of sound mappings of odd libraries."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from collections import deque
from enum import IntEnum
from typing import TYPE_CHECKING, Any
from uuid import UUID

from reference.definitions.model import INTEGER_RANGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.fakes.mistaken_adapters import Map

INTEGERS = tuple(INTEGER_RANGES)


def of(*types: str, gives: Callable[[Any], Any]) -> Map:
    """Return the mapping of every non-null item of some types."""
    return lambda field, item: gives(item) if field.type in types and item is not None else item


def of_null(*, given: Any) -> Map:
    """Return the mapping of every null."""
    return lambda _, item: given if item is None else item


def of_inner_structs(gives: Callable[[Any], Any]) -> Map:
    """Return the mapping of every struct inside of a message."""
    return lambda field, item: gives(item) if field.fields and field.name and item is not None else item


class Thing:
    """An object of a library."""

    def __init__(self, content: Any) -> None:
        self.content = content


def renamed(names: Callable[[str], str]) -> Map:
    return of("struct", gives=lambda members: {names(name): item for name, item in members.items()})


def snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


TYPES: dict[str, tuple[Map, str]] = {
    "bytes for text": (
        of("string", gives=str.encode),
        "decode returns bytes at ErrorMessage, where the definition has a string",
    ),
    "utf-16 for text": (of("string", gives=lambda text: text.encode("utf-16-be")), "decode returns bytes at"),
    "characters for text": (of("string", gives=list), "decode returns list at"),
    "a bytearray for text": (of("string", gives=lambda text: bytearray(text.encode())), "decode returns bytes at"),
    "null for an empty text": (of("string", gives=lambda text: text or None), "decode returns None at"),
    "a number for text": (of("string", gives=len), "decode returns int at"),
    "hex for bytes": (of("bytes", gives=bytes.hex), "decode returns str at AuthBytes, where the definition has bytes"),
    "base64 for bytes": (of("bytes", gives=lambda data: b64encode(data).decode()), "decode returns str at"),
    "latin text for bytes": (of("bytes", gives=lambda data: data.decode("latin-1")), "decode returns str at"),
    "repr for bytes": (of("bytes", gives=repr), "decode returns str at"),
    "a list for bytes": (of("bytes", gives=list), "decode returns list at"),
    "a tuple for bytes": (of("bytes", gives=tuple), "decode returns tuple at"),
    "a number for bytes": (of("bytes", gives=int.from_bytes), "decode returns int at"),
    "null for empty bytes": (of("bytes", gives=lambda data: data or None), "decode returns None at"),
    "bool for 1": (of(*INTEGERS, gives=lambda number: number == 1 or number), "decode returns bool at"),
    "bool for 0 and 1": (
        of(*INTEGERS, gives=lambda number: bool(number) if number in {0, 1} else number),
        "returns bool at",
    ),
    "bool for int": (of(*INTEGERS, gives=bool), "decode returns bool at TimeoutMs, where the definition has an int32"),
    "text for int": (of(*INTEGERS, gives=str), "decode returns str at"),
    "hex for int": (of(*INTEGERS, gives=hex), "decode returns str at"),
    "float for int": (of(*INTEGERS, gives=float), "decode returns float at"),
    "bytes for int": (of(*INTEGERS, gives=lambda number: number.to_bytes(8, signed=True)), "decode returns bytes at"),
    "null for 0": (of(*INTEGERS, gives=lambda number: number or None), "decode returns None at"),
    "a tuple for int": (of(*INTEGERS, gives=lambda number: (number,)), "decode returns tuple at"),
    "int for bool": (
        of("bool", gives=int),
        "decode returns int at AllowAutoTopicCreation, where the definition has a bool",
    ),
    "text for bool": (of("bool", gives=lambda truth: str(truth).lower()), "decode returns str at"),
    "float for bool": (of("bool", gives=float), "decode returns float at"),
    "bytes for bool": (of("bool", gives=lambda truth: bytes([truth])), "decode returns bytes at"),
    "null for false": (of("bool", gives=lambda truth: truth or None), "decode returns None at"),
    "text for uuid": (of("uuid", gives=str), "decode returns str at Topics[].TopicId, where the definition has a uuid"),
    "hex for uuid": (of("uuid", gives=lambda uuid: uuid.hex), "decode returns str at"),
    "base64 for uuid": (
        of("uuid", gives=lambda uuid: urlsafe_b64encode(uuid.bytes).decode().rstrip("=")),
        "returns str at",
    ),
    "bytes for uuid": (of("uuid", gives=lambda uuid: uuid.bytes), "decode returns bytes at"),
    "int for uuid": (of("uuid", gives=lambda uuid: uuid.int), "decode returns int at"),
    "halves for uuid": (of("uuid", gives=lambda uuid: (uuid.int >> 64, uuid.int % 2**64)), "decode returns tuple at"),
    "null for the zero uuid": (of("uuid", gives=lambda uuid: uuid if uuid.int else None), "decode returns None at"),
    "text for float": (
        of("float64", gives=repr),
        "decode returns str at Entries[].Values[].Value, where the definition has a float64",
    ),
    "bytes for float": (of("float64", gives=lambda number: repr(number).encode()), "decode returns bytes at"),
    "a tuple for an array": (
        of("array", gives=tuple),
        "decode returns tuple at Topics, where the definition has an array",
    ),
    "a dict for an array": (
        of("array", gives=lambda items: dict(enumerate(map(str, items)))),
        "decode returns dict at Topics, where the definition has an array",
    ),
    "keys for an array": (
        of("array", gives=lambda items: {str(at): each for at, each in enumerate(items)}),
        "returns dict at",
    ),
    "null for an empty array": (of("array", gives=lambda items: items or None), "decode returns None at"),
    "a deque for an array": (
        of("array", gives=deque),
        "decode returned deque at Topics, where the definition has an array",
    ),
    "a tuple for a struct": (
        of_inner_structs(lambda members: tuple(members.values())),
        "decode returns tuple at Topics[], where the definition has a struct",
    ),
    "an object for a struct": (
        of_inner_structs(Thing),
        "decode returned Thing at Topics[0], where the definition has a struct",
    ),
    "an object for uuid": (
        of("uuid", gives=Thing),
        "decode returned Thing at Topics[0].TopicId, where the definition has a uuid",
    ),
    "false for null": (of_null(given=False), "decode returns bool at Cursor, where the definition has null"),
    "an empty tuple for null": (of_null(given=()), "decode returns tuple at"),
    "zero for null": (of_null(given=0), "decode returns int at"),
    "snake case": (renamed(snake), "which is no field of it; did you mean"),
    "small first letters": (renamed(lambda name: name[:1].lower() + name[1:]), "which is no field of it; did you mean"),
    "one wrong name": (
        renamed(lambda name: {"GroupId": "GroupID"}.get(name, name)),
        "returns GroupID, which is no field of it",
    ),
    "another word for a name": (
        renamed(lambda name: {"MemberId": "Consumer"}.get(name, name)),
        "returns Consumer, which is no field",
    ),
    "a name too many": (of("struct", gives=lambda each: {**each, "Extra": 1}), "Extra, which is no field of it"),
}
"""The mappings with a wrong type in every value, and the sentence about each."""

LOST = (
    "characters for text",
    "utf-16 for text",
    "a number for text",
    "bool for int",
    "bytes for int",
    "a tuple for int",
    "a deque for an array",
    "an object for a struct",
)
"""The mappings after which the content of a text, of a number or of a whole value is not known."""


class Code(IntEnum):
    """Error codes of a library."""

    NONE = 0


SOUND: dict[str, Map] = {
    "a bytearray for bytes": of("bytes", gives=bytearray),
    "a memoryview for bytes": of("bytes", gives=memoryview),
    "an enum for int": of("int16", gives=lambda number: Code(number) if number == 0 else number),
    "a subclass of str": of("string", gives=type("Text", (str,), {})),
    "a subclass of dict": of("struct", gives=type("Members", (dict,), {})),
    "a subclass of UUID": of("uuid", gives=lambda uuid: type("Id", (UUID,), {})(int=uuid.int)),
}

ODD: dict[str, Map] = {
    "an empty text for null": lambda field, item: "" if item is None and field.type == "string" else item,
    "an empty array for null": lambda field, item: [] if item is None and field.element is not None else item,
    "null for an empty nullable text": lambda field, item: (
        (item or None) if field.nullable and field.type == "string" else item
    ),
    "bytes for an empty text": lambda _, item: b"" if item == "" else item,
    "a default for a raw tag": lambda field, item: field.default if field.tag is not None else item,
}
