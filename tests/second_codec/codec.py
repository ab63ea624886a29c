"""The common part of the codecs of frames, stored messages, wire types and control records."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from conformance.codec.loaded_adapter import LoadedAdapter
from reference import Release
from tests.second_codec.steps import Input
from tests.second_codec.ways import SOUND, LeftOpen, Misstep, NotTaken

Found = TypeVar("Found")


@dataclass(frozen=True)
class Codec(ABC):
    """A reader and a writer, one of them with a wrong step at most."""

    release: Release
    reads: Misstep = SOUND
    writes: Misstep = SOUND
    is_strict: bool = False
    """Whether it refuses bytes left open by the protocol."""

    @abstractmethod
    def write(self, subject: Any, content: Any) -> bytes:
        """Return the bytes of a content of a message, or of a wire type."""

    @abstractmethod
    def read(self, subject: Any, source: Input) -> Any:
        """Return the content in the bytes of an input."""

    @abstractmethod
    def functions(self) -> dict[str, Any]:
        """Return the functions of an adapter, by their names."""

    def taken(self, read: Callable[[Input], Found], wire: bytes) -> Found:
        """Return the content of bytes."""
        source = Input(wire, self.reads)
        content = read(source)
        if self.is_strict and source.is_open:
            raise LeftOpen
        return content

    def adapter(self, name: str) -> LoadedAdapter:
        """Return the codec as an adapter."""
        return LoadedAdapter(
            spec="",
            name=name,
            version="0",
            **{"supported": {"encode": {}, "decode": {}}} | self.functions(),
            rejections=(NotTaken,),
            capabilities=frozenset({"unknown-tags"}),
        )
