"""Adapters with results that cannot be copied into plain values, named by the name."""

from typing import Any, NoReturn

import reference
from conformance.adapter import Decoded
from tests.fakes.lies import lie, triggered


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


def _raise(*given: Any) -> NoReturn:
    raise TrapError(*given)


def _counting(consumed: Any) -> type[Any]:
    return lie(got=lambda schema, value: Decoded(value, consumed))


def _nested(_schema: Any, value: dict[str, Any]) -> dict[str, Any]:
    value["Itself"] = value
    return value


def _emptied(schema: Any, value: dict[str, Any]) -> bytes:
    wire = reference.encode(schema, value)
    value.clear()
    return wire


GivesObject = lie(got=lambda schema, value: {**value, "ErrorCode": Trap()} if "ErrorCode" in value else value)
IsObject = lie(encode=lambda schema, value: Trap(), decode=lambda schema, data: Trap())
GivesTrapDict = lie(got=lambda schema, value: TrapDict(value))
GivesTrapList = lie(got=lambda schema, value: {**value, "More": TrapList([1])})
GivesTrapText = lie(
    got=lambda schema, value: {name: TrapText(item) if isinstance(item, str) else item for name, item in value.items()}
)
GivesOtherKeys = lie(got=lambda schema, value: dict(enumerate(value.values())))
NestsForever = lie(got=_nested)
GivesHugeNumber = lie(got=lambda schema, value: {**value, "ErrorCode": 2**16_000})
"""Returns a number of 16,001 bits, too long for Python's decimal text."""
CountsTrue = _counting(consumed=True)
CountsText = _counting("2")
CountsNegative = _counting(-1)
CountsTrap = _counting(Trap())
RefusesWithoutWords = lie(rejections=(TrapError,), unwritten=_raise, unread=_raise)
RaisesWithoutWords = lie(decode=_raise)
TrapOnSomeBytes = triggered(lambda: TrapDict(ErrorCode=0))
ChangesWhatItIsHanded = lie(encode=_emptied)
