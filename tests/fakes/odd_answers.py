"""Adapters with results that cannot be copied into plain values.

The docstring of each names its oddity.
"""

from typing import Any, NoReturn

import reference
from conformance.adapter import Decoded, Value
from reference import MessageSchema
from tests.fakes.faulty_codecs import Honest, Triggered


class Trap:
    """An object that raises in every method."""

    def fail(self, *_: object) -> NoReturn:
        raise RuntimeError("nobody may look")

    __repr__ = __str__ = __eq__ = __len__ = __iter__ = __bool__ = fail
    __hash__ = None  # type: ignore[assignment]


class TrapDict(dict[str, Any]):
    """A dict that raises when it is read."""

    def __getitem__(self, *key: object) -> NoReturn:
        raise RuntimeError("nobody may look inside")

    get = items = keys = values = __iter__ = __contains__ = __len__ = __getitem__


class TrapList(list[Any]):
    """A list that raises when it is iterated."""

    def __iter__(self) -> NoReturn:
        raise RuntimeError("nobody may count")

    __len__ = __iter__


class TrapText(str):
    """A text that raises when it is compared, and is correct otherwise."""

    __slots__ = ()

    def __eq__(self, other: object) -> NoReturn:
        raise RuntimeError("nobody may compare")

    __hash__ = str.__hash__


class TrapError(Exception):
    """An exception with a `__str__` that raises."""

    def __str__(self) -> str:
        raise RuntimeError("nobody may read")

    __repr__ = __str__


class GivesObject(Honest):
    """Returns an object in place of a number."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        value = super().decode(schema, data)
        return {**value, "ErrorCode": Trap()} if "ErrorCode" in value else value


class IsObject(Honest):
    """Returns an object in place of bytes and of a value."""

    def encode(self, schema: MessageSchema, value: Value) -> Any:  # that is the lie
        return Trap()

    def decode(self, schema: MessageSchema, data: bytes) -> Any:  # that is the lie
        return Trap()


class GivesTrapDict(Honest):
    """Returns a dict that raises when it is read."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return TrapDict(super().decode(schema, data))


class GivesTrapList(Honest):
    """Returns a list that raises when it is iterated."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return {**super().decode(schema, data), "More": TrapList([1])}


class GivesTrapText(Honest):
    """Returns texts of a subclass of `str`."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        value = super().decode(schema, data)
        return {name: TrapText(item) if isinstance(item, str) else item for name, item in value.items()}


class GivesOtherKeys(Honest):
    """Returns a dict with numbers as keys."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return dict(enumerate(super().decode(schema, data).values()))


class NestsForever(Honest):
    """Returns a value that contains itself."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        value: dict[str, Any] = super().decode(schema, data)
        value["Itself"] = value
        return value


class GivesHugeNumber(Honest):
    """Returns a number too long for Python's decimal text."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """Return a number of 16,001 bits."""
        return {**super().decode(schema, data), "ErrorCode": 2**16_000}


class CountsOddly(Honest):
    """Returns a count of consumed bytes that is no number of bytes."""

    consumed: Any = None

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return Decoded(super().decode(schema, data), self.consumed)


class CountsTrue(CountsOddly):
    """Returns a bool as the count."""

    consumed = True


class CountsText(CountsOddly):
    """Returns a text as the count."""

    consumed = "2"


class CountsNegative(CountsOddly):
    """Returns a negative count."""

    consumed = -1


class CountsTrap(CountsOddly):
    """Returns an object that raises in every method as the count."""

    consumed = Trap()


class RefusesWithoutWords(Honest):
    """Refuses with an exception without a text, as its `__str__` raises."""

    rejections = (TrapError,)

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        try:
            return super().encode(schema, value)
        except reference.Unencodable as error:
            raise TrapError from error

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        try:
            return super().decode(schema, data)
        except reference.Malformed as error:
            raise TrapError from error


class RaisesWithoutWords(Honest):
    """Raises in every function, with an exception without a text."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        raise TrapError(schema, data)


class TrapOnSomeBytes(Triggered):
    """Decodes some invalid bytes to a dict that raises when it is read."""

    def lie(self) -> Any:
        return TrapDict(ErrorCode=0)


class ChangesWhatItIsHanded(Honest):
    """Empties the value given for encoding."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        wire = super().encode(schema, value)
        value.clear()
        return wire
