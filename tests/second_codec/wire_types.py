"""Values of wire types alone, read and written by chapter 1 of the book."""

from dataclasses import replace
from functools import partial
from typing import Any

from conformance.adapter import Decoded
from tests.second_codec.codec import Codec
from tests.second_codec.forms import TEXT, WIDTHS, signed
from tests.second_codec.steps import Input, Output
from tests.second_codec.ways import LENGTH, Counting, NotTaken


def form_of(name: str) -> Counting:
    """Return how a type of variable size is counted, by its name."""
    compact, nullable = name.startswith("compact-"), "nullable-" in name
    if name.endswith("string") and "array" not in name:
        return replace(TEXT, compact=compact, nullable=nullable)
    return Counting(compact=compact, nullable=nullable)


def element_of(name: str) -> Counting:
    """Return how the texts in an array are counted, compact as it is and never null."""
    return replace(TEXT, compact=name.startswith("compact-"))


def is_varint(name: str) -> bool:
    return name.startswith(("unsigned-", "var"))


def bits_of(name: str) -> int:
    """Return the bits of an integer."""
    return 8 * WIDTHS[name] if name in WIDTHS else 64 if name.endswith("long") else 32


def read_numbers(source: Input, place: str, form: Counting, width: int) -> list[int] | None:
    """Read an array of numbers of fixed width all at once, as none of them has a step of its own."""
    way, count = source.way(place, LENGTH), source.length(place, form)
    items: list[int] | None = None
    if count is not None:
        whole = count if way.is_bound else min(count, -(-source.left // width))
        piece = source.take(whole * width)
        items = [int.from_bytes(piece[at : at + width], signed=True) for at in range(0, len(piece), width)]
    read: list[int] | None = source.changed(place, items)
    return read


def write_numbers(target: Output, place: str, form: Counting, items: Any, width: int) -> None:
    """Write an array of numbers of fixed width all at once, as none of them has a step of its own."""
    given = target.changed(place, items)
    if not isinstance(given, list | None) or any(type(item) is not int for item in given or ()):
        raise NotTaken
    target.length(place, form, -1 if given is None else len(given))
    try:
        target.data += b"".join(item.to_bytes(width, signed=True) for item in given or ())
    except OverflowError as error:
        raise NotTaken from error


class WireTypeCodec(Codec):
    """A reader and a writer of wire types by their names."""

    def read(self, subject: str, source: Input) -> Any:
        """Read one value."""
        if subject in WIDTHS:
            return source.number("number", subject)
        if is_varint(subject):
            return self._read_varint(subject, source)
        if subject == "tag-section":
            return source.section()
        if "array-of" not in subject:
            return (source.text if subject.endswith("string") else source.blob)("length", form_of(subject))
        if subject.endswith("int32"):
            return read_numbers(source, "count", form_of(subject), 4)
        return source.array("count", form_of(subject), partial(source.text, "element", element_of(subject)))

    def _read_varint(self, name: str, source: Input) -> int:
        number = source.varint("number", bits_of(name))
        if name.startswith("unsigned-"):
            return number
        return signed(number, bits_of(name)) if source.misstep.has("not-folded") else number >> 1 ^ -(number & 1)

    def write(self, subject: str, content: Any) -> bytes:
        """Write one value."""
        target, form = Output(self.writes), form_of(subject)
        if subject in WIDTHS:
            target.number("number", subject, content)
        elif is_varint(subject):
            self._write_varint(subject, content, target)
        elif subject == "tag-section":
            target.section(content)
        elif "array-of" not in subject:
            (target.text if subject.endswith("string") else target.blob)("length", form, content)
        elif subject.endswith("int32"):
            write_numbers(target, "count", form, content, 4)
        else:
            target.array("count", form, content, partial(target.text, "element", element_of(subject)))
        return bytes(target.data)

    def _write_varint(self, name: str, value: Any, target: Output) -> None:
        bits = bits_of(name)
        if type(value) is not int:
            raise NotTaken
        if not name.startswith("unsigned-"):
            if self.writes.has("range-not-checked"):
                value = signed(value, bits)
            if value != signed(value, bits):
                raise NotTaken
            value = value % 2**bits if self.writes.has("not-folded") else value << 1 ^ value >> bits
        target.varint("number", value, bits)

    def functions(self) -> dict[str, Any]:
        return {"encode_primitive": self.write, "decode_primitive": self._decode}

    def _decode(self, name: str, wire: bytes) -> Decoded:
        source = Input(wire, self.reads)
        return Decoded(self.read(name, source), source.at)
