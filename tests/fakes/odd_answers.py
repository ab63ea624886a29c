"""Adapters whose answers cannot be looked at: each in one way, which its docstring says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import reference
from conformance.adapter import Decoded
from tests.fakes.faulty_codecs import Honest, Triggered

if TYPE_CHECKING:
    from conformance.adapter import Value
    from reference import MessageSchema


class Trap:
    """An object of which nothing can be asked."""

    def fail(self, *_: object) -> NoReturn:
        """In place of every answer."""
        raise RuntimeError("nobody may look")

    __repr__ = __str__ = __eq__ = __len__ = __iter__ = __bool__ = fail
    __hash__ = None  # type: ignore[assignment]


class TrapDict(dict[str, Any]):
    """A dict without working look-ups."""

    def __getitem__(self, *key: object) -> NoReturn:
        raise RuntimeError("nobody may look inside")

    get = items = keys = values = __iter__ = __contains__ = __len__ = __getitem__


class TrapList(list[Any]):
    """A list that cannot be gone through."""

    def __iter__(self) -> NoReturn:
        raise RuntimeError("nobody may count")

    __len__ = __iter__


class TrapText(str):
    """A text that compares with nothing, and is sound otherwise."""

    __slots__ = ()

    def __eq__(self, other: object) -> NoReturn:
        raise RuntimeError("nobody may compare")

    __hash__ = str.__hash__


class TrapError(Exception):
    """An exception without a text."""

    def __str__(self) -> str:
        raise RuntimeError("nobody may read")

    __repr__ = __str__


class GivesObject(Honest):
    """Puts an object in place of a number."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """In place of the error code, if there is one."""
        value = super().decode(schema, data)
        return {**value, "ErrorCode": Trap()} if "ErrorCode" in value else value


class IsObject(Honest):
    """Returns an object in place of bytes and of a value."""

    def encode(self, schema: MessageSchema, value: Value) -> Any:  # that is the lie
        """No bytes."""
        return Trap()

    def decode(self, schema: MessageSchema, data: bytes) -> Any:  # that is the lie
        """No value."""
        return Trap()


class GivesTrapDict(Honest):
    """Hands out a dict that fails when it is looked at."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """A value in disguise."""
        return TrapDict(super().decode(schema, data))


class GivesTrapList(Honest):
    """Hands out a list that fails when it is gone through."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """One more field."""
        return {**super().decode(schema, data), "More": TrapList([1])}


class GivesTrapText(Honest):
    """Hands out texts of a class of its own."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """The right characters."""
        value = super().decode(schema, data)
        return {name: TrapText(item) if isinstance(item, str) else item for name, item in value.items()}


class GivesOtherKeys(Honest):
    """Keys its fields by numbers."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """As if by tag."""
        return dict(enumerate(super().decode(schema, data).values()))


class NestsForever(Honest):
    """Hands out a value that holds itself."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """In one more field."""
        value: dict[str, Any] = super().decode(schema, data)
        value["Itself"] = value
        return value


class GivesHugeNumber(Honest):
    """Hands out a number that Python does not write down."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """Of sixteen thousand bits."""
        return {**super().decode(schema, data), "ErrorCode": 2**16_000}


class CountsOddly(Honest):
    """Says how many bytes it consumed, in no number."""

    consumed: Any = None

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """The right value."""
        return Decoded(super().decode(schema, data), self.consumed)


class CountsTrue(CountsOddly):
    """By a truth value."""

    consumed = True


class CountsText(CountsOddly):
    """In digits."""

    consumed = "2"


class CountsNegative(CountsOddly):
    """Below nothing."""

    consumed = -1


class CountsFloat(CountsOddly):
    """In halves, maybe."""

    consumed = 2.0


class CountsTrap(CountsOddly):
    """By something of which nothing can be asked."""

    consumed = Trap()


class RefusesWithoutWords(Honest):
    """Refuses by an exception that has no text."""

    rejections = (TrapError,)

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """As the reference."""
        try:
            return super().encode(schema, value)
        except reference.Unencodable as error:
            raise TrapError from error

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """As the reference."""
        try:
            return super().decode(schema, data)
        except reference.Malformed as error:
            raise TrapError from error


class RaisesWithoutWords(Honest):
    """Cannot do anything, and cannot say why."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """Always in vain."""
        raise TrapError(schema, data)


class TrapOnSomeBytes(Triggered):
    """Some bytes that are not valid give a dict that cannot be read."""

    def lie(self) -> Any:
        """A value in disguise."""
        return TrapDict(ErrorCode=0)


class ChangesWhatItIsHanded(Honest):
    """Takes the value apart that it is to write."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """As the reference, and nothing is left."""
        wire = super().encode(schema, value)
        value.clear()
        return wire
