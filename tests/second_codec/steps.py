"""Numbers, lengths and contents by chapter 1 of the book, with a switch at each step.

A lenient reader notes in `is_open` whether the protocol leaves open the bytes read.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast
from uuid import UUID

from tests.second_codec.forms import (
    KINDS,
    WIDTHS,
    Tags,
    are_sound,
    check_tags,
    double,
    piece_of,
    shortest,
    signed,
    unzigzag,
    zigzag,
)
from tests.second_codec.ways import (
    CONTENT,
    FIXED,
    LENGTH,
    SOUND,
    VARINT,
    Counting,
    Misstep,
    NotTaken,
    Stepwise,
    VarintWay,
)

__all__ = ["WIDTHS", "Input", "NotTaken", "Output"]
MISSING = 2**16
"""The zeros in place of missing bytes."""
MOST_PADDED = 1_000
"""The limit of padded reads, so that a count of missing elements ends."""


@dataclass
class Input(Stepwise):
    """Bytes read by a misstep."""

    data: bytes
    misstep: Misstep = SOUND
    at: int = 0
    is_open: bool = False
    """Whether the protocol leaves open the bytes read."""
    is_lost: bool = False
    """Whether readers may go on from different places."""
    padded: int = 0
    """The number of padded reads."""
    here: str = ""

    @property
    def left(self) -> int:
        return max(len(self.data) - self.at, 0)

    def take(self, count: int, *, pads: bool = False) -> bytes:
        if count > self.left:
            self.padded += 1
            if not pads or count > self.left + MISSING or self.padded > MOST_PADDED:
                raise NotTaken("truncated", len(self.data))
        piece = self.data[self.at : self.at + count]
        self.at += len(piece)
        return piece.ljust(count, b"\0")

    def inside(self, data: bytes) -> "Input":
        """Return an input of other bytes, with the same misstep in the same contexts."""
        return Input(data, self.misstep, here=self.here)

    def piece(self, place: str, width: int) -> bytes:
        way = self.way(place, FIXED)
        return way.piece(self.take(width + way.more, pads=way.pads))

    def fixed(self, place: str, width: int, *, is_signed: bool = True) -> int:
        way = self.way(place, FIXED)
        number = int.from_bytes(self.piece(place, width), signed=is_signed)
        if way.refuses(number):
            raise NotTaken
        return way.number(number)

    def number(self, place: str, name: str) -> Any:
        """Read a value of a fixed width, that is an integer, a bool, a float64 or a uuid."""
        if name not in KINDS:
            return self.fixed(place, WIDTHS[name], is_signed=not name.startswith("u"))
        piece = self.piece(place, WIDTHS[name])
        self.is_open |= name == "bool" and piece > b"\1"
        if name == "bool":
            return piece != b"\0"
        return double(piece) if name == "float64" else UUID(bytes=piece)

    def varint(self, place: str, bits: int = 32, sound: VarintWay = VARINT) -> int:
        start = self.at
        if not self.misstep.touches(place) and self.at < len(self.data) and self.data[self.at] < 0x80:
            self.at += 1
            return self.data[self.at - 1]
        way = self.way(place, sound)
        groups = self._groups(way, way.most or -(-bits // 7))[:: way.order]
        number = sum((group & 0x7F) << 7 * index for index, group in enumerate(groups))
        is_odd = number >> bits > 0 or len(shortest(number)) < len(groups)
        self.is_open |= is_odd and len(groups) <= -(-bits // 7)  # beyond that it is wrong, whatever the misstep takes
        if way.refuses(number, len(groups)):
            raise NotTaken("varint-overflow", start)
        self.is_lost |= number >> bits > 0
        return way.number(number % 2**bits)

    def _groups(self, way: VarintWay, most: int) -> bytes:
        groups = self.take(1, pads=way.pads)
        while groups[-1] >= 0x80 and not (way.stops and len(groups) == most):
            if len(groups) == most:
                raise NotTaken("varint-overflow", self.at - most)
            groups += self.take(1, pads=way.pads)
        return groups

    def length(self, place: str, form: Counting) -> int | None:
        """Read a length or count, None for null."""
        way = self.way(place, LENGTH)
        form, start = way.form(form), self.at
        number = self._counted(place, form)
        length = way.of(number)
        if length is None or (length < 0 and form.nullable):
            self.is_open |= number < -1
            return None
        if length < 0:
            raise NotTaken("null-not-allowed" if number == -1 else "negative-length", start)
        if length > (way.limit or form.limit):
            raise NotTaken("string-too-long", start)
        if way.is_bound and not way.pads and length > self.left:
            raise NotTaken("length-exceeds-input", start)
        return length

    def _counted(self, place: str, form: Counting) -> int:
        if form.zigzag:
            return self.zigzag(place)
        return signed(self.varint(place) - 1) if form.compact else self.fixed(place, form.width)

    def zigzag(self, place: str, bits: int = 32) -> int:
        """Read a signed varint of a record batch."""
        if self.misstep.has("zigzag-fixed"):
            return self.fixed(place, bits // 8)
        return unzigzag(self.varint(place, bits))

    def payload(self, place: str, form: Counting) -> bytes | None:
        way, length = self.way(place, LENGTH), self.length(place, form)
        if length is None:
            return None
        if length > self.left and not way.is_bound:
            return way.beyond(self.take(self.left))
        return self.way(place, CONTENT).raw(self.take(length, pads=way.pads))

    def blob(self, place: str, form: Counting) -> bytes | None:
        read: bytes | None = self.changed(place, self.payload(place, form))
        return read

    def text(self, place: str, form: Counting) -> str | None:
        raw = self.payload(place, form)
        text = None if raw is None else raw.decode(errors="replace")
        self.is_open |= text is not None and text.encode() != raw
        read: str | None = self.changed(place, text)
        return read

    def array(self, place: str, form: Counting, element: Callable[[], Any]) -> list[Any] | None:
        way, count = self.way(place, LENGTH), self.length(place, form)
        items: list[Any] | None = None if count is None else []
        while items is not None and len(items) < (count or 0) and (way.is_bound or self.left):
            items.append(element())
        read: list[Any] | None = self.changed(place, items)
        return read

    def section(self, place: str = "section") -> Tags:
        """Read a tag section without known tags."""
        count = self.varint(f"{place}-count")
        if count >> 31:
            self.is_open = True
            return []
        entries = Tags()
        while len(entries) < count and (self.left or not self.misstep.has(f"{place}-count-not-checked")):
            entries.append((self.varint(f"{place}-tag"), self.tagged(place)))
        self.is_open |= not are_sound([tag for tag, _ in entries])
        read: Tags = self.changed(place, entries)
        return read

    def tagged(self, place: str) -> bytes:
        """Read the size and the content of an unknown tagged field."""
        size = self.varint(f"{place}-size")
        is_bound = self.way(f"{place}-size", LENGTH).is_bound
        return self.way(f"{place}-size", CONTENT).raw(self.take(size if is_bound else min(size, self.left)))


@dataclass
class Output(Stepwise):
    """Bytes written by a misstep."""

    misstep: Misstep = SOUND
    data: bytearray = field(default_factory=bytearray)
    here: str = ""

    def piece(self, place: str, piece: bytes) -> None:
        self.data += self.way(place, FIXED).piece(piece)

    def fixed(self, place: str, number: Any, width: int, *, is_signed: bool = True) -> None:
        way = self.way(place, FIXED)
        if type(number) is not int or way.refuses(number):
            raise NotTaken
        try:
            self.piece(place, way.number(number).to_bytes(width, signed=is_signed))
        except OverflowError as error:
            raise NotTaken from error

    def number(self, place: str, name: str, value: Any) -> None:
        """Write a value of a fixed width."""
        if name not in KINDS:
            self.fixed(place, value, WIDTHS[name], is_signed=not name.startswith("u"))
        elif type(value) is KINDS[name]:
            self.piece(place, piece_of(value))
        else:
            raise NotTaken

    def varint(self, place: str, number: Any, bits: int = 32) -> None:
        if not self.misstep.touches(place) and type(number) is int and 0 <= number < 0x80:
            self.data.append(number)
            return
        way = self.way(place, VARINT)
        if type(number) is not int or way.refuses(number, 0):
            raise NotTaken
        number = way.number(number)
        if not 0 <= number < 2**bits:
            raise NotTaken
        self.data += way.form(shortest(number))

    def zigzag(self, place: str, number: Any, bits: int = 32) -> None:
        """Write a signed varint of a record batch."""
        if type(number) is not int:
            raise NotTaken
        if self.misstep.has("zigzag-fixed"):
            self.fixed(place, number, bits // 8)
        else:
            self.varint(place, zigzag(number), bits)

    def inside(self) -> "Output":
        """Return an empty output with the same misstep in the same contexts."""
        return Output(self.misstep, here=self.here)

    def length(self, place: str, form: Counting, length: int) -> None:
        """Write a length or count, -1 for null."""
        way = self.way(place, LENGTH)
        form = way.form(form)
        if length > (way.limit or form.limit) or (length < 0 and not form.nullable):
            raise NotTaken
        number = cast("int", way.of(length))
        if form.zigzag:
            self.zigzag(place, number)
        elif form.compact:
            self.varint(place, (number + 1) % 2**32)
        else:
            self.fixed(place, number, form.width)

    def payload(self, place: str, form: Counting, given: bytes | None) -> None:
        piece = None if given is None else self.way(place, CONTENT).raw(given)
        self.length(place, form, -1 if piece is None else self.way(place, LENGTH).counts(piece))
        self.data += piece or b""

    def blob(self, place: str, form: Counting, value: Any) -> None:
        given = self.changed(place, value)
        if not isinstance(given, bytes | None):
            raise NotTaken
        self.payload(place, form, given)

    def text(self, place: str, form: Counting, value: Any) -> None:
        given = self.changed(place, value)
        if not isinstance(given, str | None):
            raise NotTaken
        try:
            self.payload(place, form, None if given is None else given.encode())
        except UnicodeEncodeError as error:
            raise NotTaken from error

    def array(self, place: str, form: Counting, items: Any, element: Callable[[Any], None]) -> None:
        given = self.changed(place, items)
        if not isinstance(given, list | None):
            raise NotTaken
        self.length(place, form, -1 if given is None else len(given))
        for item in given or ():
            element(item)

    def section(self, entries: Any, place: str = "section") -> None:
        """Write a tag section without known tags."""
        if not isinstance(entries, list | tuple):
            raise NotTaken
        given: Tags = self.changed(place, list(entries))
        if not self.misstep.has(f"{place}-order-not-checked"):
            check_tags(given)
        self.varint(f"{place}-count", len(given))
        for tag, body in given:
            self.varint(f"{place}-tag", tag)
            self.varint(f"{place}-size", len(body))
            self.data += body
