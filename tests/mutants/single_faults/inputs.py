"""Values and damaged bytes for the search for faults, drawn from the format alone."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from reference import CodecError
from tests.mutants.ways.basics import constant
from tests.second_codec.forms import shortest
from tests.second_codec.steps import Input
from tests.second_codec.ways import ContentWay, FixedWay, LeftOpen, LengthWay, Misstep, NotTaken, VarintWay

Given = TypeVar("Given")
UNCHECKED = "section-order-not-checked"
"""The misstep of a writer of any tags."""
REFUSED = object()


class Made(NamedTuple):
    """The result of a codec for bytes or a value."""

    found: Any
    """A value or bytes, or `REFUSED`."""
    is_open: bool


DAMAGED = 24
"""The number of values with damaged bytes at a place, the first ones."""
SMALL = 300
"""The most bytes of a damaged input."""

LENGTHS = (0, 1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 257, 8_192, 16_384, 32_767, 32_768, 65_537)
PATTERN = 0x0102030405060708
PIECES = (
    b"", b"a", b"Bc", b" a", b"a ", b" ", b"a\t\n", b"\r\n", b"a\rb", b"a\nb", b"a\0b", b"a\0", b"\0", b"\x1a", b"\x7f",
    b'"', "\N{LATIN SMALL LETTER E WITH ACUTE}".encode(), "e\N{COMBINING ACUTE ACCENT}".encode(), b"\xef\xbb\xbfa",
    "\N{GRINNING FACE}".encode(), "\uffff\ufffe".encode(), "\N{NO-BREAK SPACE}a".encode(),
    "a\N{LINE SEPARATOR}b".encode(),
)  # fmt: skip
"""Contents that each show one change of text."""
NUMBERS = (0, 1, 2, -1, -2, 3, 127, 128, 255, 256, 0x8000, 0x7FFF, 2**31 - 1, 2**31, 2**24, 2**16)
ENTRIES: tuple[list[tuple[int, bytes]], ...] = (
    [], [(0, b"")], [(5, b"\xca\xfe")], [(5, b""), (7, b"\1")], [(2, b"\1\2"), (10, b"\3")], [(9999, b"\xff")],
    [(2**14, b"a")], [(2**21, b"a")], [(2**28, b"a")], [(2**31 - 2, b"a")], [(tag, b"\1") for tag in range(130)],
    *([(5, bytes(length))] for length in (63, 64, 127, 128, 256, 257, 8_193, 16_385)),
    [(tag, b"") for tag in range(2**14)],
)  # fmt: skip
BAD_ENTRIES: tuple[list[tuple[int, bytes]], ...] = ([(7, b""), (5, b"")], [(5, b""), (5, b"")], [(2**31 - 1, b"")])


def numbers(lowest: int, highest: int) -> list[int]:
    """Return numbers beside each power of two, both ends, those beyond, and one with different bytes."""
    powers = [sign * 2**power + step for power in range(64) for sign in (1, -1) for step in (-1, 0, 1)]
    inside = {number for number in powers if lowest <= number <= highest}
    first = (0, lowest, highest, PATTERN % (highest + 1))
    return [*first, *sorted(inside.difference(first)), lowest - 1, highest + 1]


def texts() -> Iterator[Any]:
    yield from (piece.decode() for piece in PIECES)
    yield from ("a" * length for length in LENGTHS)
    yield "\N{LATIN SMALL LETTER E WITH ACUTE}" * 64
    yield None


def blobs() -> Iterator[Any]:
    yield from (*PIECES, b"\xca\xfe", bytes(range(1, 8)))
    yield from (bytes([1, 2]) * length for length in LENGTHS)
    yield None


def damages(place: str) -> Iterator[Misstep]:
    """Yield writers with one wrong place, each with one odd number or length in its bytes."""
    for number in NUMBERS:
        yield Misstep(place, FixedWay(piece=_constant(number)))
        yield Misstep(place, VarintWay(form=_form(number)))
    for shift in (-4, -1, 1, 4, *(2**bit for bit in (7, 8, 14, 15, 16, 21, 24, 28, 31))):
        yield Misstep(place, FixedWay(piece=_shifted(shift)))
    yield from (Misstep(place, VarintWay(form=_raised(2**bit))) for bit in (7, 14, 16, 21, 24, 28, 31, 32, 33, 34))
    for groups in (2, 3, 5, 6, 7, 10, 11, 12, 16):
        yield Misstep(place, VarintWay(form=_padded(groups)))
    yield Misstep(place, VarintWay(form=lambda form: form[:-1]))
    yield from (Misstep(place, VarintWay(form=constant(form))) for form in (b"\xff\xff\xff\xff\x7f", b"\x80" * 5))
    yield from (Misstep(place, LengthWay(of=constant(to))) for to in (-1, -2, -3, -(2**15), -(2**31), 1, 5, 127))
    yield Misstep(place, ContentWay(raw=lambda _: b"\xc3\x28"))


def _constant(number: int) -> Callable[[bytes], bytes]:
    return lambda piece: (number % 2 ** (8 * len(piece))).to_bytes(len(piece))


def _shifted(shift: int) -> Callable[[bytes], bytes]:
    return lambda piece: ((int.from_bytes(piece) + shift) % 2 ** (8 * len(piece))).to_bytes(len(piece))


def _form(number: int) -> Callable[[bytes], bytes]:
    return lambda _form: shortest(number % 2**32)


def _raised(by: int) -> Callable[[bytes], bytes]:
    """Return a form with its number raised by so much, so that only its low bits are right."""
    return lambda form: shortest(sum((group & 0x7F) << 7 * index for index, group in enumerate(form)) + by)


def _padded(groups: int) -> Callable[[bytes], bytes]:
    def padded(form: bytes) -> bytes:
        missing = groups - len(form)
        return form if missing <= 0 else form[:-1] + bytes([form[-1] | 0x80, *[0x80] * (missing - 1), 0])

    return padded


def damaged(write: Callable[[Misstep, Any], bytes], values: Iterable[Any], *places: str) -> Iterator[bytes]:
    """Yield the bytes of values, sound ones, those wrong at one of the places, cut ones, and those before more."""
    seen: set[bytes] = set()
    for index, value in enumerate(values):
        for wire in _forms(write, value, places, is_damaged=index < DAMAGED):
            if wire not in seen:
                seen.add(wire)
                yield wire


def _forms(
    write: Callable[[Misstep, Any], bytes], value: Any, places: tuple[str, ...], *, is_damaged: bool
) -> Iterator[bytes]:
    always = (Misstep(), Misstep(UNCHECKED), *(Misstep(place, LengthWay(limit=2**31 - 1)) for place in places))
    for misstep in (*always, *(each for place in places if is_damaged for each in damages(place))):
        try:
            wire = write(misstep, value)
        except (NotTaken, CodecError):
            continue
        yield wire
        if len(wire) > SMALL:
            return
        yield from (wire[:end] for end in range(len(wire)) if misstep == Misstep())
        yield from (wire + more for more in (b"\0", b"\1", wire))


def outcome(make: Callable[[], Any], source: Input | None = None) -> Made:
    """Return the result of a codec for an input, read from `source`."""
    found: Any = REFUSED
    is_open = False
    try:
        found = make()
    except (NotTaken, CodecError) as error:
        is_open = isinstance(error, LeftOpen)
    return Made(found, is_open=is_open or (source is not None and source.is_open))


def first_difference(
    sound: Iterable[tuple[Given, Made]], faulty: Callable[[Given], Made], *, legal: bool
) -> Given | None:
    """Return the first input with different results of a codec and a sound one.

    Bytes left open by the protocol count for a legal variant alone.
    """
    for given, expected in sound:
        if (legal or not expected.is_open) and faulty(given).found != expected.found:
            return given
    return None
