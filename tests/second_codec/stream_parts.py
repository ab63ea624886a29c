"""Parts of compressed streams, read and written with a fault by its name."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tests.second_codec.ways import STREAM, NotTaken, Stepwise

SKIPPABLE = b"\x50\x2a\x4d\x18\x02\0\0\0ab"
"""A skippable frame of lz4 and of Zstandard."""
LAST = {1: "second-ignored", 2: "third-ignored"}


def wrong_in(steps: Stepwise, place: str) -> str:
    """Return the name of the fault in a stream, or an empty text."""
    return steps.way(place, STREAM).name


def is_skippable(data: bytes, at: int = 0) -> bool:
    return data[at + 1 : at + 4] == SKIPPABLE[1:4] and data[at] >> 4 == SKIPPABLE[0] >> 4


@dataclass
class Stream:
    """A stream while it is read."""

    data: bytes
    steps: Stepwise
    at: int = 0

    @property
    def left(self) -> int:
        return len(self.data) - self.at

    def starts(self, magic: bytes) -> bool:
        return self.data.startswith(magic, self.at)

    def wrong(self, place: str) -> str:
        return wrong_in(self.steps, place)

    def take(self, count: int) -> bytes:
        if self.left < count:
            raise NotTaken
        self.at += count
        return self.data[self.at - count : self.at]

    def refuse(self, place: str, present: Mapping[str, object]) -> None:
        """Refuse present properties by their names."""
        if any(is_there and self.wrong(place) == f"{name}-refused" for name, is_there in present.items()):
            raise NotTaken

    def parts(self, place: str, has_more: Callable[[int], bool], part: Callable[[], bytes]) -> list[bytes]:
        """Return the contents of parts, as long as there are more by their number."""
        wrong, pieces = self.wrong(place), list[bytes]()
        while has_more(len(pieces)):
            if pieces and wrong == "second-refused":
                raise NotTaken
            if wrong == LAST.get(len(pieces)) or (b"" in pieces and wrong == "empty-as-the-end"):
                break
            pieces.append(part())
            if not pieces[-1] and wrong == "empty-refused":
                raise NotTaken
        if self.left > 0 and wrong == "rest-refused":
            raise NotTaken
        return pieces


def pieces_of(data: bytes, form: str) -> list[bytes] | None:
    """Return the pieces for the members, chunks or frames of a stream; None for another form."""
    half = len(data) // 2
    forms = {
        "two": [data[:half], data[half:]],
        "three": [data[:1], data[1:half], data[half:]],
        "empty-first": [b"", data],
        "empty-between": [data[:half], b"", data[half:]],
        "empty-last": [data, b""],
    }
    return forms.get(form)


def sized(data: bytes, size: int) -> list[bytes]:
    """Return pieces of one size, but for the last."""
    return [data[at : at + size] for at in range(0, len(data), size)]


def bits_of(names: Iterable[str], bits: Mapping[str, int]) -> int:
    """Return the bits of these names."""
    return sum(bit for name, bit in bits.items() if name in names)


def present_in(flags: int, bits: Mapping[str, int]) -> dict[str, int]:
    """Return the bits of flags by name."""
    return {name: flags & bit for name, bit in bits.items()}
