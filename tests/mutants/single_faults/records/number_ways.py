"""Ways of reading and writing numbers of fixed width and signed varints of records, by name."""

from collections.abc import Callable
from typing import Any

from tests.mutants.ways.basics import constant, refuse_if
from tests.second_codec.steps import (
    ContentWay,
    FixedWay,
    Misstep,
    VarintWay,
    never,
    shortest,
    signed,
    swap,
    unzigzag,
    zigzag,
)

Ways = dict[str, Any]
"""The ways of one step by name, each a misstep if the step has another place or is two."""
Change = Callable[[int], int]


def saturated(number: int, bits: int) -> int:
    highest = (1 << bits - 1) - 1
    return max(-highest - 1, min(number, highest))


CHANGES: dict[str, Callable[[int], Change]] = {
    "lower-half": lambda bits: lambda number: signed(number, bits // 2),
    "lowest-byte": lambda _bits: lambda number: signed(number, 8),
    "as-int16": lambda _bits: lambda number: signed(number, 16),
    "as-int32": lambda _bits: lambda number: signed(number, 32),
    "range-left-out": lambda bits: lambda number: signed(number, bits),
    "saturated": lambda bits: lambda number: saturated(number, bits),
    "unsigned": lambda bits: lambda number: number % 2**bits,
    "minus-one-as-zero": lambda _bits: swap(-1, 0),
    "zero-as-minus-one": lambda _bits: swap(0, -1),
    "sign-dropped": lambda _bits: abs,
    "minus-one-refused": lambda _bits: refuse_if(lambda number: number == -1),
    "zero-refused": lambda _bits: refuse_if(lambda number: number == 0),
    "highest-refused": lambda bits: refuse_if(lambda number: number == (1 << bits - 1) - 1),
    "upper-half-refused": lambda bits: refuse_if(lambda number: number >> (bits // 2) not in (0, -1)),
    "below-minus-one-refused": lambda _bits: refuse_if(lambda number: number < -1),
}
"""Changes of a number, by its bits."""


def fixed(bits: int, *names: str) -> Ways:
    """Return ways of a number of so many bits, of readers and of writers."""
    return {name: fixed_way(name, bits) for name in names}


def fixed_way(name: str, bits: int) -> Any:
    """Return a way of a number of fixed width, to write it for `=3`, or add it for `+3`."""
    if name == "little-endian":
        return FixedWay(piece=lambda piece: piece[::-1])
    if name == "null-as-minus-one":
        return ContentWay(value=swap(None, -1))
    return FixedWay(number=_written_number(name) or CHANGES[name](bits))


def _written_number(name: str) -> Change | None:
    if name.startswith("="):
        return constant(int(name[1:]))
    return (lambda number: number + int(name[1:])) if name.startswith("+") else None


def _on_raw(change: Change) -> Change:
    return lambda raw: zigzag(change(unzigzag(raw)))


GROUPS = {"one-byte-more": 1, "one-byte-less": -1}
WIDTHS = {"any-width": 20, "ten-bytes": 10}


def read_varints(bits: int, *names: str) -> Ways:
    """Return ways of reading a signed varint of so many bits."""
    return {name: _read_varint(name, bits) for name in names}


def _read_varint(name: str, bits: int) -> VarintWay:
    most = -(-bits // 7)
    if name in GROUPS or name in WIDTHS:
        return VarintWay(most=WIDTHS.get(name, most + GROUPS.get(name, 0)))
    if name == "one-byte":
        return VarintWay(most=1, stops=True)
    if name == "overlong-refused":
        return VarintWay(refuses=lambda number, groups: len(shortest(number)) < groups)
    changes: dict[str, Change] = {
        "unsigned": zigzag,
        "not-zig-zag": lambda raw: zigzag(signed(raw, bits)),
        "negative-off-by-one": _on_raw(lambda number: number + (number < 0)),
    }
    return VarintWay(number=changes.get(name) or _cut(name) or _on_raw(CHANGES[name](bits)))


def _cut(name: str) -> Change | None:
    before, _, bits = name.rpartition("-at-")
    return (lambda raw: raw % 2 ** int(bits)) if before == "cut" else None


def written_varints(bits: int, *names: str) -> Ways:
    """Return ways of writing a signed varint of so many bits."""
    return {name: _written_varint(name, bits) for name in names}


def _written_varint(name: str, bits: int) -> VarintWay:
    most = -(-bits // 7)
    lengths: dict[str, Callable[[int], int]] = {
        "overlong": lambda groups: groups + 1,
        "longest": constant(most),
        "one-byte-more": constant(most + 1),
        "ten-bytes": constant(10),
        "eleven-bytes": constant(11),
    }
    if name in lengths:
        return VarintWay(form=lambda groups: _padded(groups, lengths[name](len(groups))))
    if name == "one-byte":
        return VarintWay(form=lambda groups: bytes([groups[0] & 0x7F | (groups[1] << 7 & 0x80 if groups[1:] else 0)]))
    changes: dict[str, Change] = {
        "unsigned": lambda raw: unzigzag(raw) % 2**bits,
        "not-zig-zag": lambda raw: unzigzag(raw) % 2**bits,
        "negative-off-by-one": _on_raw(lambda number: number - (number < 0)),
    }
    written = _written_number(name)
    change = changes.get(name) or _cut(name) or _on_raw(written if written is not None else CHANGES[name](bits))
    takes_all = name in {"range-left-out", "saturated"} or written is not None
    return VarintWay(
        number=lambda raw: change(raw) % 2**bits, refuses=never if takes_all else lambda raw, _: raw >> bits > 0
    )


def _padded(groups: bytes, length: int) -> bytes:
    longer = groups + bytes(max(length - len(groups), 0))
    return bytes([group | 0x80 for group in longer[:-1]] + [longer[-1]])


def alone(place: str, ways: Ways) -> Ways:
    """Return ways of writing a negative length without the content after it, and any other unchanged."""
    dropped = Misstep(place, ContentWay(raw=constant(b"")))
    return {name: Misstep(place, way, also=dropped) if name.startswith("=-") else way for name, way in ways.items()}


def behind(piece: bytes) -> ContentWay:
    """Return the way of writing bytes after a content."""
    return ContentWay(raw=lambda data: data + piece)
