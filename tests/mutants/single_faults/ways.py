"""The ways of a faulty step by its kind, the same at every place."""

import unicodedata
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, TypeVar

from tests.second_codec.steps import ContentWay, FixedWay, LengthWay, NotTaken, VarintWay, shortest, signed, swap

Found = TypeVar("Found")
CUTS = (7, 8, 14, 15, 16, 21, 24, 28, 31, 32, 53)
BOUNDS = (7, 15, 31, 53)
GROUPS = (1, 2, 3, 4)
SIZES = (64, 128, 255, 256, 8_192, 16_384, 32_767, 32_768, 65_536)
"""Lengths with a loss or a refusal."""


def constant(value: Found) -> Callable[..., Found]:
    return lambda *_given: value


def low(bits: int) -> Callable[[int], int]:
    return lambda number: number % 2**bits


def middle_swapped(piece: bytes) -> bytes:
    half = len(piece) // 2
    return piece[: half - 1] + piece[half - 1 : half + 1][::-1] + piece[half + 1 :]


def above(highest: int) -> Callable[..., bool]:
    return lambda number, *_: number > highest


def fixed_numbers(width: int, *, is_signed: bool = True) -> dict[str, FixedWay]:
    """Return the faulty ways of a number of fixed width on either side."""
    bits = 8 * width
    ways = {f"cut-at-{cut}-bits": FixedWay(number=low(cut)) for cut in CUTS if cut < bits - is_signed}
    if width > 1:
        ways["little-endian"] = FixedWay(piece=lambda piece: piece[::-1])
        ways |= {f"refused-above-{cut}-bits": FixedWay(refuses=above(2**cut - 1)) for cut in BOUNDS if cut < bits - 1}
    if width > 2:
        ways["middle-bytes-swapped"] = FixedWay(piece=middle_swapped)
        ways["halves-swapped"] = FixedWay(piece=lambda piece: piece[width // 2 :] + piece[: width // 2])
    highest = 2 ** (bits - is_signed) - 1
    ways["zero-refused"] = FixedWay(refuses=lambda number: number == 0)
    ways["highest-refused"] = FixedWay(refuses=lambda number: number == highest)
    if is_signed:
        ways["sign-masked"] = FixedWay(number=lambda number: number & highest)
        ways["negative-refused"] = FixedWay(refuses=lambda number: number < 0)
        ways["lowest-refused"] = FixedWay(refuses=lambda number: number == -highest - 1)
        ways["minus-one-as-zero"] = FixedWay(number=swap(-1, 0))
    return ways


def fixed_readings(width: int, *, is_signed: bool = True) -> dict[str, FixedWay]:
    bits = 8 * width
    other = low(bits) if is_signed else lambda number: signed(number, bits)
    return fixed_numbers(width, is_signed=is_signed) | {
        "unsigned" if is_signed else "signed": FixedWay(number=other),
        "one-byte-more": FixedWay(more=1, piece=lambda piece: piece[:-1]),
        "one-byte-less": FixedWay(more=-1),
        "missing-bytes-as-zeros": FixedWay(pads=True),
    }


def fixed_writings(width: int, *, is_signed: bool = True) -> dict[str, FixedWay]:
    bits = 8 * width
    lowest = -(2 ** (bits - 1)) if is_signed else 0
    highest = 2 ** (bits - is_signed) - 1
    wrap: Callable[[int], int] = (lambda number: signed(number, bits)) if is_signed else low(bits)
    return fixed_numbers(width, is_signed=is_signed) | {
        "wrapped-above": FixedWay(number=lambda number: wrap(number) if number > highest else number),
        "wrapped-below": FixedWay(number=lambda number: wrap(number) if number < lowest else number),
        "clamped": FixedWay(number=lambda number: max(lowest, min(highest, number))),
    }


def varint_numbers(bits: int = 32) -> dict[str, VarintWay]:
    """Return the faulty ways of a number of variable width on either side."""
    cuts = [cut for cut in (7, 14, 21, 28, 31, 32, 42, 56, 63) if cut < bits]
    return {
        **{f"cut-at-{cut}-bits": VarintWay(number=low(cut)) for cut in cuts},
        **{f"refused-above-{cut}-bits": VarintWay(refuses=above(2**cut - 1)) for cut in cuts},
        "zero-refused": VarintWay(refuses=lambda number, _count: number == 0),
    }


def varint_readings(bits: int = 32) -> dict[str, VarintWay]:
    most = -(-bits // 7)
    return varint_numbers(bits) | {
        **{f"ends-after-{count}-bytes": VarintWay(most=count, stops=True) for count in GROUPS},
        **{f"{count}-bytes-at-most": VarintWay(most=count) for count in range(1, most)},
        **{f"{most + more}-bytes-taken": VarintWay(most=most + more) for more in (1, 5, 6)},
        "highest-group-first": VarintWay(order=-1),
        "missing-groups-as-zeros": VarintWay(pads=True),
        "zigzag": VarintWay(number=lambda number: number // 2 if number % 2 == 0 else -number // 2),
    }


def varint_writings(bits: int = 32) -> dict[str, VarintWay]:
    highest = 2**bits - 1
    return varint_numbers(bits) | {
        "highest-group-first": VarintWay(form=reversed_groups),
        "one-group-more": VarintWay(form=longer),
        "one-group-more-from-128": VarintWay(form=lambda form: longer(form) if len(form) > 1 else form),
        "zigzag": VarintWay(number=lambda number: 2 * number),
        "wrapped-above": VarintWay(number=lambda number: number % 2**bits if number > highest else number),
        "wrapped-below": VarintWay(number=lambda number: number % 2**bits if number < 0 else number),
    }


def without(found: Mapping[str, Found], *parts: str) -> dict[str, Found]:
    """Return the ways without such parts in their names, which differ where numbers are small."""
    return {name: way for name, way in found.items() if not any(part in name for part in parts)}


VARINT_LEGAL = {
    "overlong-refused": VarintWay(refuses=lambda number, count: count > len(shortest(number))),
    "six-groups-of-zeros-refused": VarintWay(refuses=lambda number, count: count > 2 and number < 0x80),
}
"""Numbers open to refusal by a reader, though others take them."""


def excess_refused(bits: int) -> VarintWay:
    return VarintWay(refuses=lambda number, _count: number >> bits > 0)


def longer(form: bytes) -> bytes:
    return form[:-1] + bytes([form[-1] | 0x80, 0])


def reversed_groups(form: bytes) -> bytes:
    groups = [byte & 0x7F for byte in form[::-1]]
    return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])


def length_readings(limit: int, *, nullable: bool) -> dict[str, LengthWay]:
    """Return the faulty readings of a length."""
    sizes = {f"refused-from-{size}": LengthWay(limit=size - 1) for size in SIZES if size <= limit}
    ways = {"beyond-the-input-cut": LengthWay(is_bound=False), "beyond-the-input-as-zeros": LengthWay(pads=True)}
    if limit < 2**31 - 1:
        ways["limit-missing"] = LengthWay(limit=2**31 - 1)
    if nullable:
        return sizes | ways | {"null-as-empty": LengthWay(of=swap(-1, 0)), "null-refused": LengthWay(of=refuse(-1))}
    for name, number in (("null", -1), ("minus-two", -2), ("lowest", -(2**31)), ("lowest-16", -(2**15))):
        ways[f"{name}-taken-as-null"] = LengthWay(of=swap(number, None))
        ways[f"{name}-taken-as-empty"] = LengthWay(of=swap(number, 0))
    return sizes | ways


def refuse(value: Any) -> Callable[[Any], Any]:
    """Return a function to refuse one value."""
    return refuse_if(lambda given: given == value and type(given) is type(value))


def length_writings(limit: int, *, nullable: bool) -> dict[str, LengthWay]:
    """Return the faulty writings of a length."""
    ways = {f"refused-from-{size}": LengthWay(limit=size - 1) for size in SIZES if size <= limit}
    ways |= {f"cut-at-{cut}-bits": LengthWay(of=low_length(cut)) for cut in (7, 8, 14, 16, 21)}
    ways |= {"one-short": LengthWay(of=lambda length: length - (length > 0)), "one-too-many": LengthWay(of=one_more)}
    if limit < 2**31 - 1:
        ways["limit-missing"] = LengthWay(limit=2**31 - 1)
        ways["counts-characters"] = LengthWay(counts=lambda raw: len(raw.decode()))
    if nullable:
        ways |= {"null-as-minus-two": LengthWay(of=swap(-1, -2)), "null-as-empty": LengthWay(of=swap(-1, 0))}
        ways |= {"empty-as-null": LengthWay(of=swap(0, -1)), "null-refused": LengthWay(of=refuse(-1))}
    return ways


def low_length(bits: int) -> Callable[[int], int]:
    return lambda length: length if length < 0 else length % 2**bits


def one_more(length: int) -> int:
    return length + (length > 0)


def contents(empty: Any) -> dict[str, ContentWay]:
    """Return the faulty ways of a text or bytes on either side."""
    changes = RAW | (TEXTS if empty == "" else BYTES)
    return nothing(empty) | {name: ContentWay(raw=change) for name, change in changes.items()}


def nothing(empty: Any) -> dict[str, ContentWay]:
    """Return the faulty ways of an empty or a long content."""
    ways = {f"cut-at-{size}": ContentWay(raw=cut(size)) for size in SIZES[1::2]}
    return ways | {
        "empty-as-null": ContentWay(value=swap(empty, None)),
        "empty-refused": ContentWay(value=refuse(empty)),
    }


def cut(size: int) -> Callable[[bytes], bytes]:
    return lambda raw: raw[:size]


RAW: dict[str, Callable[[bytes], bytes]] = {
    "blanks-at-the-start-stripped": lambda raw: raw.lstrip(b" "),
    "blanks-at-the-end-stripped": lambda raw: raw.rstrip(b" "),
    "tabs-and-lines-at-the-end-stripped": lambda raw: raw.rstrip(b"\t\r\n"),
    "cr-lf-as-lf": lambda raw: raw.replace(b"\r\n", b"\n"),
    "lf-as-cr-lf": lambda raw: raw.replace(b"\n", b"\r\n"),
    "cr-as-lf": lambda raw: raw.replace(b"\r", b"\n"),
    "cut-at-nul": lambda raw: raw.split(b"\0")[0],
    "nul-at-the-end-stripped": lambda raw: raw.rstrip(b"\0"),
    "nul-dropped": lambda raw: raw.replace(b"\0", b""),
    "nul-as-two-bytes": lambda raw: raw.replace(b"\0", b"\xc0\x80"),
    "cut-at-sub": lambda raw: raw.split(b"\x1a")[0],
    "del-dropped": lambda raw: raw.replace(b"\x7f", b""),
    "quoted": lambda raw: raw.replace(b'"', b'\\"'),
}


def through(change: Callable[[str], str]) -> Callable[[bytes], bytes]:
    """Return a change of text as one of its bytes."""
    return lambda raw: change(raw.decode(errors="replace")).encode()


TEXTS: dict[str, Callable[[bytes], bytes]] = {
    "mark-at-the-start-dropped": lambda raw: raw.removeprefix(b"\xef\xbb\xbf"),
    "as-latin-1": lambda raw: raw.decode("latin-1").encode(),
    "composed": through(lambda text: unicodedata.normalize("NFC", text)),
    "decomposed": through(lambda text: unicodedata.normalize("NFD", text)),
    "beyond-the-basic-plane-replaced": through(
        lambda text: "".join(one if one < "\U00010000" else "?" for one in text)
    ),
    "noncharacters-replaced": through(lambda text: text.replace("\uffff", "\ufffd").replace("\ufffe", "\ufffd")),
    "all-blanks-stripped": through(str.strip),
    "lines-split": through(lambda text: "\n".join(text.splitlines())),
    "in-small-letters": through(str.lower),
}
BYTES: dict[str, Callable[[bytes], bytes]] = {
    "high-bits-masked": lambda raw: bytes(byte & 0x7F for byte in raw),
    "through-text": lambda raw: raw.decode(errors="replace").encode(),
    "turned": lambda raw: raw[::-1],
}


BEYOND_SECTIONS = (
    "refused-above-21", "refused-above-28", "refused-above-31", "3-bytes-at-most", "4-bytes-at-most", "cut-at-31",
    "wrapped",
)  # fmt: skip
"""Ways with a difference only for sections of megabytes, or for none."""


def entries(side: str) -> dict[str, dict[str, VarintWay | LengthWay | ContentWay]]:
    """Return the faulty ways of a tag section, by the last part of its place."""
    tags = without(varint_readings() if side == "decode" else varint_writings(), *BEYOND_SECTIONS)
    numbers = tags if side == "decode" else without(tags, "cut-at-21", "cut-at-28")
    bodies = {name: ContentWay(raw=change) for name, change in BYTES.items()}
    bodies |= {f"cut-at-{size}": ContentWay(raw=cut(size)) for size in SIZES[:6]}
    unbound = {"beyond-the-input-cut": LengthWay(is_bound=False)}
    of_bodies: dict[str, VarintWay | LengthWay | ContentWay] = {**bodies, **unbound} if side == "decode" else {}
    return {"": dict(SECTION), "-count": dict(numbers), "-tag": dict(tags), "-size": {**numbers, **of_bodies}}


def more_than(most: int) -> Callable[[Any], bool]:
    return lambda items: len(items) > most


def refuse_if(found: Callable[[Any], bool], error: type[Exception] = NotTaken) -> Callable[[Any], Any]:
    """Return a function to refuse some values."""

    def refusing(given: Any) -> Any:
        if found(given):
            raise error
        return given

    return refusing


SECTION = {
    "dropped": ContentWay(value=lambda entries: entries[:0]),
    "refused": ContentWay(value=refuse_if(bool)),
    "first-alone": ContentWay(value=lambda entries: entries[:1]),
    "last-dropped": ContentWay(value=lambda entries: entries[:-1]),
    "empty-dropped": ContentWay(value=lambda entries: [entry for entry in entries if entry[1]]),
    "empty-refused": ContentWay(value=refuse_if(lambda entries: any(not body for _, body in entries))),
    "turned": ContentWay(value=lambda entries: entries[::-1]),
    "by-size": ContentWay(value=lambda entries: sorted(entries, key=lambda entry: len(entry[1]))),
    "as-text-of-tags": ContentWay(value=lambda entries: sorted(entries, key=lambda entry: str(entry[0]))),
    **{f"refused-above-{most}": ContentWay(value=refuse_if(more_than(most))) for most in (1, 2, 9)},
}


def _falls(entries: Any) -> bool:
    return any(one[0] > other[0] for one, other in pairwise(entries))


LEGAL_SECTION: dict[str, Callable[[Any], Any]] = {
    "order-refused": refuse_if(_falls),
    "sorted": lambda entries: sorted(entries, key=lambda entry: entry[0]),
    "last-of-a-tag-kept": lambda entries: list(dict(entries).items()),
    "repeated-refused": refuse_if(lambda entries: len(dict(entries)) < len(entries)),
}
"""Readings of tags that fall or come twice."""
