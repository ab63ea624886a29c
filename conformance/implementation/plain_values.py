"""What foreign code hands out, made safe to look at.

An adapter may return or raise anything: objects whose `__repr__` or `__eq__` raises, dicts that are none, exceptions
without a text. It is looked at once, here; behind that there are plain values only, and no code but the suite's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from reference.paths import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAXIMUM_TEXT = 300
MAXIMUM_BITS = 1024
"""No number of the protocol has more than 64 bits; Python does not write down those of many thousands."""

PLAIN = "a value is made of dict, list, int, float, bool, str, bytes, uuid.UUID and None"


class NotPlain(Exception):
    """Something that is no plain value.

    Attributes:
        what: what it is instead.
        path: where, as `Topics[0].Name`; empty for the whole.
    """

    def __init__(self, what: str, path: str = "") -> None:
        super().__init__(what, path)
        self.what = what
        self.path = path

    def under(self, step: str) -> NotPlain:
        """The same, seen from what holds it: `step` is a key, or `[0]`."""
        return NotPlain(self.what, joined(step, self.path))

    def __str__(self) -> str:
        return f"{self.what} at {self.path}" if self.path else self.what


def plain(value: Any) -> Any:
    """A copy of `value` in which every type is Python's own: what an adapter returns, as the suite goes on with it.

    Subclasses become what they derive from, as an IntEnum its int. Tuples stay tuples.

    Raises:
        NotPlain: there is something else in it, or something that fails when it is looked at.
    """
    try:
        return _plain(value)
    except RecursionError:
        raise NotPlain(f"a {type(value).__name__} that is nested without end") from None


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in _COPIES:
        return _COPIES[kind](value)
    try:
        return _of_subclass(value)
    except (NotPlain, RecursionError):
        raise
    except (Exception, SystemExit) as error:
        raise NotPlain(f"a {kind.__name__} that cannot be looked at: {describe(error)}") from error


def _of_subclass(value: Any) -> Any:
    for base, convert in _CONVERSIONS.items():
        if isinstance(value, base):
            return _plain(convert(value))
    raise NotPlain(type(value).__name__)


def _integer(value: int) -> int:
    if value.bit_length() > MAXIMUM_BITS:
        raise NotPlain(f"an int of {value.bit_length()} bits")
    return value


def _dict(value: dict[Any, Any]) -> dict[str, Any]:
    copy = {}
    for key, item in value.items():
        name = key if type(key) is str else _key(key)
        try:
            copy[name] = _plain(item)
        except NotPlain as error:
            raise error.under(name) from error
    return copy


def _key(key: Any) -> str:
    if isinstance(key, str):
        return str.__str__(key)
    raise NotPlain(f"a dict with {short_repr(key)} as a key")


def _items(values: Iterable[Any]) -> list[Any]:
    copy = []
    for index, item in enumerate(values):
        try:
            copy.append(_plain(item))
        except NotPlain as error:
            raise error.under(f"[{index}]") from error
    return copy


def _same(value: Any) -> Any:
    return value


_COPIES: dict[type, Callable[[Any], Any]] = {
    type(None): _same,
    bool: _same,
    int: _integer,
    float: _same,
    str: _same,
    bytes: _same,
    UUID: _same,
    dict: _dict,
    list: _items,
    tuple: lambda value: tuple(_items(value)),
}

_CONVERSIONS: dict[type, Callable[[Any], Any]] = {
    int: int.__int__,
    float: float.__float__,
    str: str.__str__,
    bytes: bytes.__bytes__,
    UUID: lambda value: UUID(int=value.int),
    dict: lambda value: dict(list(value.items())),
    list: lambda value: list(iter(value)),
    tuple: lambda value: tuple(iter(value)),
}


def describe(error: BaseException) -> str:
    """An exception in one line, even one that cannot say what it is."""
    try:
        text = " ".join(str(error).split())
    except KeyboardInterrupt:
        raise
    except BaseException as broken:  # noqa: BLE001  # whatever a foreign __str__ raises
        text = f"(its text raises {type(broken).__name__})"
    return f"{type(error).__name__}: {text}"[:MAXIMUM_TEXT] if text else type(error).__name__


def short_repr(value: Any) -> str:
    """A foreign object for an error's text, even one that cannot be shown."""
    try:
        text = repr(value)
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a foreign __repr__ raises
        return f"a {type(value).__name__} (its repr raises {type(error).__name__})"
    return text if len(text) <= MAXIMUM_TEXT else f"{text[:MAXIMUM_TEXT]}..."
