"""Broken input taken for sound, and counts that are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.wire.base import WireType
from reference.wire.message import Protocol
from reference.wire.numbers import FIXED_WIDTH
from reference.wire.text import String
from tests.mutants.mutant import Converted, Mutant, same, signed

if TYPE_CHECKING:
    from io import BytesIO

    from reference import FieldSchema
    from reference.wire.stream import Path, Reader


class ZeroPadding(Protocol):
    """What is missing at the end of the input is read as zeros."""

    def number(self, field: FieldSchema) -> WireType:
        number = FIXED_WIDTH[field.type]
        return _Padded(number)


class _Padded(WireType):
    def __init__(self, inner: WireType) -> None:
        super().__init__()
        self.inner = inner

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        width = self.inner.sizeof()
        return self.inner.parse(stream.read(width).ljust(width, b"\0"))

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        return self.inner._build(obj, stream, context, path)


class ShortStrings(Protocol):
    """A string that is longer than the input is read as far as it goes."""

    def string(self, field: FieldSchema) -> WireType:
        string = super().string(field)
        assert isinstance(string, String)
        return _AsFarAsItGoes(string)


class _AsFarAsItGoes(WireType):
    def __init__(self, inner: String) -> None:
        super().__init__()
        self.inner = inner

    def _parse(self, stream: Reader, context: Any, path: Path) -> Any:
        length = self.inner.length._parse(stream, context, path)
        return None if length is None else stream.read(length).decode(errors="replace")

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        return self.inner._build(obj, stream, context, path)


class WrappingNumbers(Protocol):
    """Numbers out of range wrap around."""

    def number(self, field: FieldSchema) -> WireType:
        number = super().number(field)
        if not field.type.startswith("int"):
            return number
        bits = int(field.type.removeprefix("int"))
        return Converted(number, lambda value: signed(value, bits) if isinstance(value, int) else value, same)


MUTANTS = (
    Mutant(
        "truncated-numbers-are-zero", "input.truncated", "MetadataRequest-v8,HeartbeatRequest-v3", reads=ZeroPadding()
    ),
    Mutant(
        "strings-as-far-as-they-go",
        "length.within-input",
        "FindCoordinatorRequest-v0,DeleteGroupsRequest-v0..2",
        reads=ShortStrings(),
    ),
    Mutant(
        "consumed-counts-what-follows",
        "codec.consumed",
        "MetadataRequest-v8..9",
        consumed=lambda _own, everything: everything,
    ),
    Mutant("size-one-short", "codec.size", "MetadataRequest-v8..9", size=lambda size: size - 1),
    Mutant("numbers-wrap", "number.range", "HeartbeatRequest-v3", writes=WrappingNumbers()),
)
