"""Numbers in bytes: varints of records, and the numbers of fixed width in headers and messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.mutants.single_faults.records.switch import Refused, Switch

CONTINUES = 0x80
NARROW = {"as-int16": 16, "as-int32": 32}
CUTS = {f"cut-at-{bits}": bits for bits in (7, 14, 21, 28, 32, 35, 42, 49, 56, 63)}
"""The bits of a varint that are kept, as they stand in the bytes."""


def wrapped(number: int, bits: int) -> int:
    """Return the lowest bits, with their sign."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


def _refusing(refused: Callable[[int, int], bool]) -> Callable[[int, int], int]:
    def number_unless(number: int, bits: int) -> int:
        if refused(number, bits):
            raise Refused
        return number

    return number_unless


CHANGES: dict[str, Callable[[int, int], int]] = {
    "lower-half": lambda number, bits: wrapped(number, bits // 2),
    "lowest-byte": lambda number, bits: wrapped(number, 8),
    "minus-one-as-zero": lambda number, bits: 0 if number == -1 else number,
    "zero-as-minus-one": lambda number, bits: number or -1,
    "sign-dropped": lambda number, bits: abs(number),
    "minus-one-refused": _refusing(lambda number, bits: number == -1),
    "zero-refused": _refusing(lambda number, bits: number == 0),
    "highest-refused": _refusing(lambda number, bits: number == (1 << bits - 1) - 1),
    "upper-half-refused": _refusing(lambda number, bits: number >> (bits // 2) not in (0, -1)),
    "below-minus-one-refused": _refusing(lambda number, bits: number < -1),
}
"""What becomes of a number of fixed width."""


class Cursor:
    """Bytes, and how far they have been read."""

    def __init__(self, data: bytes, switch: Switch) -> None:
        self.data = data
        self.switch = switch
        self.at = 0

    @property
    def left(self) -> int:
        """Return how many bytes have not been read."""
        return len(self.data) - self.at

    def take(self, count: int) -> bytes:
        """Read so many bytes."""
        if not 0 <= count <= self.left:
            raise Refused
        self.at += count
        return self.data[self.at - count : self.at]

    def fixed(self, place: str, width: int, *, signed: bool = True) -> int:
        """Read a number of so many bytes."""
        wrong, raw = self.switch.at(place), self.take(width)
        order: Any = "little" if wrong == "little-endian" else "big"
        number = int.from_bytes(raw, order, signed=signed and wrong != "unsigned")
        return CHANGES[wrong](number, 8 * width) if wrong in CHANGES else number

    def varint(self, place: str, bits: int = 32) -> int:
        """Read a zig-zag varint."""
        wrong = self.switch.at(place)
        most = -(-bits // 7) + {"one-byte-more": 1, "one-byte-less": -1}.get(wrong, 0)
        most = {"ten-bytes": 10, "one-byte": 1, "any-width": 20}.get(wrong, most)
        raw, last = self._groups(most, is_cut=wrong == "one-byte")
        if wrong == "overlong-refused" and not last:
            raise Refused
        return _number(raw & (1 << bits) - 1, bits, wrong)

    def _groups(self, most: int, *, is_cut: bool) -> tuple[int, int]:
        raw = 0
        for index in range(most):
            byte = self.take(1)[0]
            raw |= (byte & 0x7F) << 7 * index
            if byte < CONTINUES or is_cut:
                return raw, byte if index else 1
        raise Refused


def _number(raw: int, bits: int, wrong: str) -> int:
    if wrong == "unsigned":
        return raw
    if wrong == "not-zig-zag":
        return wrapped(raw, bits)
    raw &= (1 << CUTS.get(wrong, bits)) - 1
    number = raw >> 1 ^ -(raw & 1)
    if wrong == "negative-off-by-one" and number < 0:
        return number + 1
    if wrong in NARROW:
        return wrapped(number, NARROW[wrong])
    return CHANGES[wrong](number, bits) if wrong in CHANGES else number


def written_fixed(switch: Switch, place: str, number: Any, width: int) -> bytes:
    """Write a number of so many bytes; without a check it is wrapped."""
    wrong, bits = switch.at(place), 8 * width
    if wrong.startswith("="):
        number = int(wrong[1:])
    if wrong == "null-as-minus-one" and number is None:
        number = -1
    if not isinstance(number, int) or isinstance(number, bool):
        raise Refused
    if wrong in CHANGES:
        number = CHANGES[wrong](number, bits)
    if wrong == "saturated":
        number = _saturated(number, bits)
    if number != wrapped(number, bits) and wrong != "range-left-out":
        raise Refused
    order: Any = "little" if wrong == "little-endian" else "big"
    return wrapped(number, bits).to_bytes(width, order, signed=True)


def written_varint(switch: Switch, place: str, number: Any, bits: int = 32) -> bytes:
    """Write a zig-zag varint."""
    wrong = switch.at(place)
    if wrong.startswith("="):
        number = int(wrong[1:])
    if wrong.startswith("+"):
        number += int(wrong)
    if not isinstance(number, int) or isinstance(number, bool):
        raise Refused
    if number != wrapped(number, bits):
        if wrong not in {"range-left-out", "saturated"}:
            raise Refused
        number = wrapped(number, bits) if wrong == "range-left-out" else _saturated(number, bits)
    return _bytes(_raw(number, bits, wrong), bits, wrong)


def _saturated(number: int, bits: int) -> int:
    highest = (1 << bits - 1) - 1
    return max(-highest - 1, min(number, highest))


def _raw(number: int, bits: int, wrong: str) -> int:
    if wrong == "sign-dropped":
        number = abs(number)
    if wrong in NARROW:
        number = wrapped(number, NARROW[wrong])
    if wrong in {"not-zig-zag", "unsigned"}:
        return number & (1 << bits) - 1
    if wrong == "negative-off-by-one" and number < 0:
        number -= 1
    return (number << 1 ^ number >> 63) & (1 << CUTS.get(wrong, bits)) - 1


def _bytes(raw: int, bits: int, wrong: str) -> bytes:
    if wrong == "one-byte":
        return bytes([raw & 0xFF])
    groups = [raw >> shift & 0x7F for shift in range(0, max(raw.bit_length(), 1), 7)]
    most = -(-bits // 7)
    wanted = {
        "overlong": len(groups) + 1,
        "longest": most,
        "one-byte-more": most + 1,
        "ten-bytes": 10,
        "eleven-bytes": 11,
    }.get(wrong, len(groups))
    groups += [0] * (wanted - len(groups))
    return bytes([group | CONTINUES for group in groups[:-1]] + groups[-1:])
