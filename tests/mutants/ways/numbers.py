"""Ways of reading and writing numbers, by name.

Any number is written as 3 by `=3`. By `+3` and `-3` it is raised and lowered.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.mutants.ways.basics import above, constant, low, refuse_if, reversed_bytes
from tests.second_codec.forms import shortest, signed, unzigzag, zigzag
from tests.second_codec.ways import ContentWay, FixedWay, VarintWay, never, swap

Change = Callable[[int], int]
CUTS = (7, 8, 14, 15, 16, 21, 24, 28, 31, 32, 53)
BOUNDS = (7, 15, 31, 53)
VARINT_CUTS = (7, 14, 21, 28, 31, 32, 42, 56, 63)


class Range(NamedTuple):
    """The numbers of a type."""

    bits: int
    is_signed: bool = True

    @property
    def lowest(self) -> int:
        return -(2 ** (self.bits - 1)) if self.is_signed else 0

    @property
    def highest(self) -> int:
        return (1 << self.bits - self.is_signed) - 1

    def wrapped(self, number: int) -> int:
        return signed(number, self.bits) if self.is_signed else number % 2**self.bits

    def clamped(self, number: int) -> int:
        return max(self.lowest, min(number, self.highest))


CHANGES: dict[str, Callable[[Range], Change]] = {
    "lower-half": lambda of: lambda number: signed(number, of.bits // 2),
    "lowest-byte": lambda _of: lambda number: signed(number, 8),
    "as-int16": lambda _of: lambda number: signed(number, 16),
    "as-int32": lambda _of: signed,
    "range-left-out": lambda of: of.wrapped,
    "wrapped-above": lambda of: lambda number: of.wrapped(number) if number > of.highest else number,
    "wrapped-below": lambda of: lambda number: of.wrapped(number) if number < of.lowest else number,
    "clamped": lambda of: of.clamped,
    "signed": lambda of: lambda number: signed(number, of.bits),
    "unsigned": lambda of: low(of.bits),
    "through-double": lambda of: lambda number: signed(int(float(number)), of.bits),
    "minus-one-as-zero": lambda _of: swap(-1, 0),
    "zero-as-minus-one": lambda _of: swap(0, -1),
    "negative-as-zero": lambda _of: lambda number: max(number, 0),
    "sign-masked": lambda of: lambda number: number & of.highest,
    "sign-dropped": lambda _of: abs,
    "zero-refused": lambda _of: refuse_if(lambda number: number == 0),
    "not-zero-refused": lambda _of: refuse_if(bool),
    "minus-one-refused": lambda _of: refuse_if(lambda number: number == -1),
    "negative-refused": lambda _of: refuse_if(lambda number: number < 0),
    "below-minus-one-refused": lambda _of: refuse_if(lambda number: number < -1),
    "lowest-refused": lambda of: refuse_if(lambda number: number == of.lowest),
    "highest-refused": lambda of: refuse_if(lambda number: number == of.highest),
    "upper-half-refused": lambda of: refuse_if(lambda number: number >> (of.bits // 2) not in (0, -1)),
}
"""Changes of a number, by its range."""


def change(name: str, of: Range) -> Change:
    """Return the change of a number by its name."""
    if name.startswith("="):
        return constant(int(name[1:]))
    if name.startswith(("+", "-")):
        return lambda number: number + int(name)
    found = re.fullmatch(r"(cut-at|refused-above)-(\d+)(-bits)?", name)
    if not found:
        return CHANGES[name](of)
    if found[1] == "cut-at":
        return low(int(found[2]))
    return refuse_if(above(2 ** int(found[2]) - 1 if found[3] else int(found[2])))


def _middle_swapped(piece: bytes) -> bytes:
    half = len(piece) // 2
    return piece[: half - 1] + piece[half - 1 : half + 1][::-1] + piece[half + 1 :]


FIXED: dict[str, Any] = {
    "little-endian": FixedWay(piece=reversed_bytes),
    "middle-bytes-swapped": FixedWay(piece=_middle_swapped),
    "halves-swapped": FixedWay(piece=lambda piece: piece[len(piece) // 2 :] + piece[: len(piece) // 2]),
    "one-byte-more": FixedWay(more=1, piece=lambda piece: piece[:-1]),
    "one-byte-less": FixedWay(more=-1),
    "missing-bytes-as-zeros": FixedWay(pads=True),
    "left-out": FixedWay(more=-2, piece=constant(b"")),
    "one-byte": FixedWay(more=-1, piece=lambda piece: piece[-1:]),
    "four-bytes": FixedWay(more=2, piece=lambda piece: piece[-2:] if len(piece) > 2 else b"\0\0" + piece),
    "twice": FixedWay(more=2, piece=lambda piece: piece * 2 if len(piece) == 2 else piece[2:]),
    "zero-for-the-last-byte": FixedWay(more=-1, piece=lambda piece: piece + b"\0"),
    "not-written": FixedWay(piece=constant(b"")),
    "two-zeros": FixedWay(piece=constant(b"\0\0")),
    "two-zeros-more": FixedWay(piece=lambda piece: b"\0\0" + piece),
    "two-bytes-more": FixedWay(more=2),
    "not-read-but-1": FixedWay(more=-2, piece=constant(b"\0\1")),
    "not-read-but-3": FixedWay(more=-2, piece=constant(b"\0\3")),
    "null-as-minus-one": ContentWay(value=swap(None, -1)),
}
"""Ways of a number of fixed width beyond a change."""


def fixed_way(name: str, of: Range) -> Any:
    """Return a way of a number of fixed width."""
    return FIXED.get(name) or FixedWay(number=change(name, of))


def fixed_names(of: Range, side: str) -> Iterator[str]:
    """Yield the names of the faulty ways of a number of fixed width."""
    yield from (f"cut-at-{cut}-bits" for cut in CUTS if cut < of.bits - of.is_signed)
    if of.bits > 8:
        yield "little-endian"
        yield from (f"refused-above-{cut}-bits" for cut in BOUNDS if cut < of.bits - 1)
    if of.bits > 16:
        yield from ("middle-bytes-swapped", "halves-swapped")
    yield from ("zero-refused", "highest-refused")
    if of.is_signed:
        yield from ("sign-masked", "negative-refused", "lowest-refused", "minus-one-as-zero")
    if side == "decode":
        yield from ("unsigned" if of.is_signed else "signed", "one-byte-more", "one-byte-less")
        yield "missing-bytes-as-zeros"
    else:
        yield from ("wrapped-above", "wrapped-below", "clamped")


def longer(form: bytes) -> bytes:
    return form[:-1] + bytes([form[-1] | 0x80, 0])


def _padded(groups: bytes, length: int) -> bytes:
    padded = groups + bytes(max(length - len(groups), 0))
    return bytes([group | 0x80 for group in padded[:-1]] + [padded[-1]])


def _reversed_groups(form: bytes) -> bytes:
    groups = [byte & 0x7F for byte in form[::-1]]
    return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])


def _third_byte_wrong(form: bytes) -> bytes:
    return form if len(form) < 3 else form[:2] + bytes([form[2] << 1 & 0x7F])


def _in_a_byte(groups: bytes) -> bytes:
    return bytes([groups[0] & 0x7F | (groups[1] << 7 & 0x80 if groups[1:] else 0)])


def _folded_in_32_bits(number: int) -> int:
    value = signed(unzigzag(number))
    return value << 1 ^ value >> 32


SHAPES: dict[str, Callable[[int], VarintWay]] = {
    r"cut-at-(\d+)(?:-bits)?": lambda bits: VarintWay(number=low(bits)),
    r"refused-above-(\d+)-bits": lambda bits: VarintWay(refuses=above(2**bits - 1)),
    r"ends-after-(\d+)-bytes": lambda count: VarintWay(most=count, stops=True),
    r"(\d+)-bytes-(?:at-most|taken)": lambda count: VarintWay(most=count),
    r"padded-to-(\d+)-bytes": lambda count: VarintWay(form=lambda form: _padded(form, count)),
    r"([+-]\d+)": lambda more: VarintWay(number=lambda number: number + more),
}
"""Ways of a number of variable width, by a number in their names."""
VARINTS = {
    "zero-refused": VarintWay(refuses=lambda number, _count: number == 0),
    "missing-groups-as-zeros": VarintWay(pads=True),
    "highest-group-read-first": VarintWay(order=-1),
    "highest-group-first": VarintWay(form=_reversed_groups),
    "zigzag-read": VarintWay(number=lambda number: number // 2 if number % 2 == 0 else -number // 2),
    "doubled": VarintWay(number=lambda number: 2 * number),
    "halved": VarintWay(number=lambda number: number // 2),
    "signed": VarintWay(number=signed),
    "left-out": VarintWay(form=constant(b"")),
    "as-zero": VarintWay(form=constant(b"\0")),
    "in-a-byte": VarintWay(form=_in_a_byte),
    "one-group-more": VarintWay(form=longer),
    "one-group-more-from-128": VarintWay(form=lambda form: longer(form) if len(form) > 1 else form),
    "one-group-more-below-128": VarintWay(form=lambda form: longer(form) if len(form) == 1 else form),
    "third-byte-wrong": VarintWay(form=_third_byte_wrong),
    "empty-left-out": VarintWay(form=lambda form: b"" if form == b"\1" else form),
    "sign-first": VarintWay(number=lambda number: max(number - 2, 0) if number & 1 else number),
    "sign-written-first": VarintWay(number=lambda number: number + 2 * (number & 1)),
    "sign-dropped": VarintWay(number=lambda number: number & ~1),
    "folded-in-32-bits": VarintWay(number=_folded_in_32_bits),
    "odd-as-zero": VarintWay(number=lambda number: 0 if number % 2 else number),
    "128-as-127": VarintWay(number=lambda size: size - 1 if size in {2**7, 2**14} else size),
    "one-less": VarintWay(number=lambda size: max(size - 1, 0)),
    "overlong-refused": VarintWay(refuses=lambda number, count: count > len(shortest(number))),
    "six-groups-of-zeros-refused": VarintWay(refuses=lambda number, count: count > 2 and number < 0x80),
    "beyond-31-bits-refused": VarintWay(refuses=above(2**31 - 2)),
    "negative-refused": VarintWay(refuses=above(2**31 - 1)),
    "excess-bits-refused": VarintWay(refuses=above(2**32 - 1)),
    "excess-bits-of-64-refused": VarintWay(refuses=above(2**64 - 1)),
}
"""Ways of a number of variable width, and refusals open to readers at the end."""


def varint_way(name: str, bits: int = 32) -> VarintWay:
    """Return a way of an unsigned number of variable width."""
    for shape, way in SHAPES.items():
        if found := re.fullmatch(shape, name):
            return way(int(found[1]))
    if name.startswith("wrapped"):
        return VarintWay(number=change(name, Range(bits, is_signed=False)))
    return VARINTS[name]


def varint_names(bits: int, side: str) -> Iterator[str]:
    """Yield the names of the faulty ways of a number of variable width, each with its way behind a colon."""
    cuts, most = [cut for cut in VARINT_CUTS if cut < bits], -(-bits // 7)
    yield from (f"{kind}-{cut}-bits" for kind in ("cut-at", "refused-above") for cut in cuts)
    yield "zero-refused"
    if side == "decode":
        yield from (f"ends-after-{count}-bytes" for count in (1, 2, 3, 4))
        yield from (f"{count}-bytes-at-most" for count in range(1, most))
        yield from (f"{most + more}-bytes-taken" for more in (1, 5, 6))
        yield from ("highest-group-first:highest-group-read-first", "missing-groups-as-zeros", "zigzag:zigzag-read")
    else:
        yield from ("highest-group-first", "one-group-more", "one-group-more-from-128", "zigzag:doubled")
        yield from ("wrapped-above", "wrapped-below")


def _on_raw(change_: Change) -> Change:
    return lambda raw: zigzag(change_(unzigzag(raw)))


def zigzag_read(name: str, bits: int) -> VarintWay:
    """Return a way of reading a signed number of variable width."""
    changes: dict[str, Change] = {
        "unsigned": zigzag,
        "not-zig-zag": lambda raw: zigzag(signed(raw, bits)),
        "negative-off-by-one": _on_raw(lambda number: number + (number < 0)),
    }
    if name in changes:
        return VarintWay(number=changes[name])
    if name in CHANGES:
        return VarintWay(number=_on_raw(change(name, Range(bits))))
    return varint_way(name, bits)


def zigzag_written(name: str, bits: int) -> VarintWay:
    """Return a way of writing a signed number of variable width."""
    changes: dict[str, Change] = {
        "unsigned": lambda raw: unzigzag(raw) % 2**bits,
        "negative-off-by-one": _on_raw(lambda number: number - (number < 0)),
    }
    is_any = name.startswith(("=", "+", "-"))
    if name in changes or name in CHANGES or is_any:
        changed = changes.get(name) or _on_raw(change(name, Range(bits)))
    elif name.startswith("cut-at"):
        changed = change(name, Range(bits))
    else:
        return varint_way(name, bits)
    takes_all = is_any or name in {"range-left-out", "clamped"}
    return VarintWay(
        number=lambda raw: changed(raw) % 2**bits, refuses=never if takes_all else lambda raw, _: raw >> bits > 0
    )
