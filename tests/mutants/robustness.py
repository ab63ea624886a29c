"""Broken input that is taken for sound, and lengths that are believed."""

from collections.abc import Callable
from typing import Any

from reference import FieldSchema, MessageSchema
from reference.errors import Malformed
from reference.paths import Path
from reference.wire.arrays import Array
from reference.wire.base import WireType
from reference.wire.blobs import Blob
from reference.wire.lengths import CompactLength
from reference.wire.message import Protocol
from reference.wire.stream import Reader
from reference.wire.text import String
from reference.wire.varints import CONTINUES
from tests.mutants.mutant import Lie, Lying, Mutant


class _Padded(Lie):
    """What is missing at the end of the input is read as zeros."""

    def read(self, stream: Reader, path: Path = "") -> Any:
        width = self.inner.width or 0
        return self.inner.parse(stream.read(width).ljust(width, b"\0"))


class LastSectionMissing(Protocol):
    """A message may end before its tag section."""

    def message(self, schema: MessageSchema) -> WireType:
        body = super().message(schema)
        return _MaybeWithoutSection(body) if schema.flexible else body


class _MaybeWithoutSection(Lie):
    def read(self, stream: Reader, path: Path = "") -> Any:
        start = stream.tell()
        try:
            return super().read(stream, path)
        except Malformed as error:
            if error.rule != "input.truncated":
                raise
        stream.seek(start)
        padded = type(stream)(stream.read() + b"\0")
        value = super().read(padded, path)
        stream.read()
        return value


class _AsFarAsItGoes(Lie):
    """A string that is longer than the input is read as far as it goes."""

    def read(self, stream: Reader, path: Path = "") -> Any:
        assert isinstance(self.inner, String)
        length = self.inner.length.read(stream, path)
        return None if length is None else stream.read(length).decode(errors="replace")


class _AsManyAsThereAre(Lie):
    """An array whose count is larger than the input is read as far as it goes."""

    def read(self, stream: Reader, path: Path = "") -> Any:
        assert isinstance(self.inner, Array)
        count = self.inner.count.read(stream, path)
        if count is None:
            return None
        items: list[Any] = []
        while len(items) < count and stream.tell() < stream.size:
            items.append(self.inner.element.read(stream, (path, len(items))))
        return items


class _Allocated(Lie):
    """The memory for bytes is taken before their length is held against the input; there are 256 MiB."""

    def read(self, stream: Reader, path: Path = "") -> Any:
        assert isinstance(self.inner, Blob | String)
        start = stream.tell()
        length = self.inner.length.read(stream, path)
        if length is not None and length > 2**28:
            raise MemoryError(length)
        stream.seek(start)
        return super().read(stream, path)


class _NegativeIsEmpty(Lie):
    """A negative count is none, where null is not allowed; null itself is refused."""

    def read(self, stream: Reader, path: Path = "") -> Any:
        try:
            return super().read(stream, path)
        except Malformed as error:
            if error.rule != "length.negative":
                raise
            return []


class _NegativeIsNoText(Lie):
    """A negative length is no text, where null is not allowed; null itself is refused."""

    def read(self, stream: Reader, path: Path = "") -> Any:
        return "" if (text := _NegativeIsEmpty(self.inner).read(stream, path)) == [] else text


class _LongLength(Lie):
    """The length of a compact string may take more than five bytes."""

    def read(self, stream: Reader, path: Path = "") -> Any:
        start, number, shift = stream.tell(), 0, 0
        while data := stream.read(1):
            number |= (data[0] & 0x7F) << shift
            shift += 7
            if data[0] < CONTINUES:
                break
        assert isinstance(self.inner, String)
        if shift <= 35:
            stream.seek(start)
            return super().read(stream, path)
        length = CompactLength("length", "string.compact-length", nullable=self.inner.nullable)
        shorter = type(stream)(length.write((number & 0x7FFF_FFFF) - 1) + stream.read())
        text = super().read(shorter, path)
        stream.seek(stream.size - (shorter.size - shorter.tell()))
        return text


class _WithoutLimit(Lie):
    """A compact string is read whatever its length."""

    def read(self, stream: Reader, path: Path = "") -> Any:
        assert isinstance(self.inner, String)
        data = Blob("string", self.inner.length).read(stream, path)
        return None if data is None else data.decode(errors="replace")


def _unless_nullable(lie: type[Lie]) -> Callable[[FieldSchema, WireType], WireType]:
    return lambda field, sound: sound if field.nullable else lie(sound)


def _if_compact(lie: type[Lie]) -> Callable[[FieldSchema, WireType], WireType]:
    return lambda field, sound: lie(sound) if field.compact else sound


MUTANTS = (
    Mutant(
        "truncated-numbers-are-zero",
        "input.truncated",
        "MetadataRequest-v8,HeartbeatRequest-v3",
        reads=Lying(number=_Padded.of),
    ),
    Mutant(
        "message-may-end-before-its-section",
        "input.truncated",
        "HeartbeatRequest-v4,MetadataRequest-v9",
        reads=LastSectionMissing(),
    ),
    Mutant(
        "strings-as-far-as-they-go",
        "length.within-input",
        "FindCoordinatorRequest-v0,DeleteGroupsRequest-v0..2",
        reads=Lying(string=_AsFarAsItGoes.of),
    ),
    Mutant(
        "arrays-as-far-as-they-go",
        "count.within-input",
        "DeleteGroupsRequest-v1,ConsumerProtocolSubscription-v0,ListGroupsResponse-v2",
        reads=Lying(array=_AsManyAsThereAre.of),
    ),
    Mutant(
        "memory-before-the-length-is-checked",
        "length.within-input",
        "SaslAuthenticateRequest-v1..2,FindCoordinatorRequest-v3",
        reads=Lying(blob=_Allocated.of, string=_Allocated.of),
    ),
    Mutant(
        "negative-count-is-empty",
        "length.negative",
        "DeleteGroupsRequest-v1..2,ApiVersionsResponse-v2..3",
        reads=Lying(array=_unless_nullable(_NegativeIsEmpty)),
    ),
    Mutant(
        "negative-length-is-no-text",
        "length.negative",
        "FindCoordinatorRequest-v2..3",
        reads=Lying(string=_unless_nullable(_NegativeIsNoText)),
    ),
    Mutant(
        "length-of-six-bytes",
        "varint.too-long",
        "FindCoordinatorRequest-v3",
        reads=Lying(string=_if_compact(_LongLength)),
    ),
    Mutant(
        "long-strings-read",
        "string.too-long",
        "FindCoordinatorRequest-v3",
        reads=Lying(string=_if_compact(_WithoutLimit)),
    ),
)
