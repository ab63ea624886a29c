"""Copies of values for adapters and from them, and printable texts of foreign objects.

An adapter may return or raise anything: objects whose `__repr__` or `__eq__` raises, subclasses of `dict` with other
behaviour, exceptions without a text, texts with terminal control sequences. Each result is inspected once, here. The
rest of the suite works with plain values only and never runs foreign code again. An adapter also gets a copy of each
value, and may change it freely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from conformance.system.printable import printable
from reference import TAGS
from reference.paths import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAXIMUM_TEXT = 300
MAXIMUM_BYTES = 4096
"""The maximum number of bytes in a hex text."""

MAXIMUM_BITS = 1024
"""The maximum size of a number. No number of the protocol has more than 64 bits, and Python refuses to print those of
many thousands.
"""

PLAIN = "a value is made of dict, list, int, float, bool, str, bytes, uuid.UUID and None"

_CONTAINERS = (dict, list)


class UnsupportedType(Exception):
    """An object has no copy in plain Python types.

    The exception does not leave the room of targets and the codec, which make an outcome of it.

    Attributes:
        what: the type, or a description of the object.
        path: the field, as `Topics[0].Name`; empty for the whole value.
    """

    def __init__(self, what: str, path: str = "") -> None:
        super().__init__(what, path)
        self.what = what
        self.path = path

    def under(self, step: str) -> UnsupportedType:
        """Return the same error with `step` before its path.

        A step is a key, or `[0]`.
        """
        return UnsupportedType(self.what, joined(step, self.path))

    def __str__(self) -> str:
        return printable(f"{self.what} at {self.path}" if self.path else self.what)


def plain(value: Any) -> Any:
    """Return a deep copy of `value` in built-in types and `uuid.UUID` only.

    An instance of a subclass becomes its base type, as an IntEnum an int. Tuples stay tuples.

    Raises:
        UnsupportedType: `value` contains an object of another type, or one that raises when it is copied.
    """
    try:
        return _plain(value)
    except RecursionError:
        raise UnsupportedType(f"a {type(value).__name__} that is nested without end") from None


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in _COPIES:
        return _COPIES[kind](value)
    try:
        return _of_subclass(value)
    except (UnsupportedType, RecursionError):
        raise
    except (Exception, SystemExit) as error:
        raise UnsupportedType(f"a {kind.__name__} that cannot be read: {describe(error)}") from error


def _of_subclass(value: Any) -> Any:
    for base, convert in _CONVERSIONS.items():
        if isinstance(value, base):
            return _plain(convert(value))
    raise UnsupportedType(type(value).__name__)


def _integer(value: int) -> int:
    if value.bit_length() > MAXIMUM_BITS:
        raise UnsupportedType(f"an int of {value.bit_length()} bits")
    return value


def _dict(value: dict[Any, Any]) -> dict[str, Any]:
    copy = {}
    for key, item in value.items():
        name = key if type(key) is str else _key(key)
        try:
            copy[name] = _plain(item)
        except UnsupportedType as error:
            raise error.under(name) from error
    return copy


def _key(key: Any) -> str:
    if isinstance(key, str):
        return str.__str__(key)
    raise UnsupportedType(f"a dict with {short_repr(key)} as a key")


def _items(values: Iterable[Any]) -> list[Any]:
    copy = []
    for index, item in enumerate(values):
        try:
            copy.append(_plain(item))
        except UnsupportedType as error:
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
    bytearray: bytes,
    memoryview: bytes,
    UUID: lambda value: UUID(int=value.int),
    dict: lambda value: dict(list(value.items())),
    list: lambda value: list(iter(value)),
    tuple: lambda value: tuple(iter(value)),
}


def describe(error: BaseException) -> str:
    """Return the type and text of an exception in one printable line, even if its `__str__` raises."""
    try:
        text = " ".join(str(error).split())
    except KeyboardInterrupt:
        raise
    except BaseException as broken:  # noqa: BLE001  # whatever a foreign __str__ raises
        text = f"(its text raises {type(broken).__name__})"
    kind = type(error)
    name = kind.__name__ if kind.__name__ != "error" else f"{kind.__module__}.{kind.__name__}"
    return printable(f"{name}: {text}" if text else name)[:MAXIMUM_TEXT]


def short_hex(data: bytes) -> str:
    """Return bytes in hex.

    Of more than `MAXIMUM_BYTES` only the first are shown, with the number of all.
    """
    text = data[:MAXIMUM_BYTES].hex()
    return text if len(data) <= MAXIMUM_BYTES else f"{text}... ({len(data):,} bytes)"


def short_repr(value: Any) -> str:
    """Return the `repr` of a foreign object, printable and cut to `MAXIMUM_TEXT`, even if its `__repr__` raises."""
    try:
        text = printable(repr(value))
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a foreign __repr__ raises
        return f"a {type(value).__name__} (its repr raises {type(error).__name__})"
    return text if len(text) <= MAXIMUM_TEXT else f"{text[:MAXIMUM_TEXT]}..."


def copy_of(value: Any) -> Any:
    """Return a copy of a value with dicts and lists anew, so that an adapter may change it."""
    if isinstance(value, dict):
        return {key: copy_of(item) if isinstance(item, _CONTAINERS) else item for key, item in value.items()}
    if isinstance(value, list):
        return [copy_of(item) if isinstance(item, _CONTAINERS) else item for item in value]
    return value


def without_tags(value: Any) -> Any:
    """Return the value without unknown tagged fields at every level, the same object if there are none."""
    return _without_tags(value) if has_tags(value) else value


def has_tags(value: Any) -> bool:
    """Return whether a value has unknown tagged fields at any level."""
    if isinstance(value, dict) and TAGS in value:
        return True
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in items:  # noqa: SIM110  # `any` would make a generator at every level of every value
        if isinstance(item, _CONTAINERS) and has_tags(item):
            return True
    return False


def _without_tags(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_tags(item) for key, item in value.items() if key != TAGS}
    return [_without_tags(item) for item in value] if isinstance(value, list) else value
