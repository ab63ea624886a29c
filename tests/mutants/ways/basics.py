"""Functions in the parts of ways."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tests.second_codec.records import Skipped
from tests.second_codec.ways import NotTaken

Found = TypeVar("Found")


def constant(value: Found) -> Callable[..., Found]:
    return lambda *_given: value


def refuse_if(found: Callable[[Any], Any], error: type[Exception] = NotTaken) -> Callable[[Any], Any]:
    """Return a function to refuse some values."""

    def refusing(given: Any) -> Any:
        if found(given):
            raise error
        return given

    return refusing


def refuse(value: Any) -> Callable[[Any], Any]:
    """Return a function to refuse one value."""
    return refuse_if(lambda given: given == value and type(given) is type(value))


def above(highest: int) -> Callable[..., bool]:
    return lambda number, *_: number > highest


def more_than(most: int) -> Callable[[Any], bool]:
    return lambda items: len(items) > most


def allocated(most: int) -> Callable[[int], int]:
    """Return a function to take memory before a length is held against the input."""

    def taken(length: int) -> int:
        if length > most:
            raise MemoryError(length)
        return length

    return taken


def skip(*_given: Any) -> Any:
    raise Skipped


def low(bits: int) -> Callable[[int], int]:
    return lambda number: number % 2**bits


def reversed_bytes(piece: bytes) -> bytes:
    return piece[::-1]


def without(found: Mapping[str, Found], *parts: str) -> dict[str, Found]:
    """Return the ways without such parts in their names, which differ where numbers are small."""
    return {name: way for name, way in found.items() if not any(part in name for part in parts)}
