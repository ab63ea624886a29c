"""Which messages kafka-python has, and how each kind of its classes writes and reads.

Its classes for requests and responses (ApiMessage), for what the group protocol embeds (ApiData) and for headers
(ApiHeader) differ in the arguments of `encode` and `decode`; a `Codec` hides that.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from functools import cache
from inspect import isclass
from typing import TYPE_CHECKING, Any

from conformance.adapter import Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

with warnings.catch_warnings():
    # One warning for each of its hundred definitions, about how it opens them; pytest would show them all.
    warnings.simplefilter("ignore", DeprecationWarning)
    from kafka.protocol import admin, consumer, metadata, producer, sasl
    from kafka.protocol.api_data import ApiData
    from kafka.protocol.api_header import RequestHeader, ResponseHeader
    from kafka.protocol.api_message import ApiMessage

MODULES = (admin, consumer, metadata, producer, sasl)

HEADERS = {"RequestHeader": (RequestHeader, 1), "ResponseHeader": (ResponseHeader, 0)}
"""The classes of headers, and the version without tagged fields; the next one has them, and there are no others."""


@dataclass(frozen=True)
class Codec:
    """One of kafka-python's classes at one version."""

    entity: Any
    write: Callable[[Any], bytes]
    read: Callable[[bytes], tuple[Any, int | None]]
    """The object, and the number of bytes that it took, if that can be told."""


def supported() -> dict[str, frozenset[int]]:
    """Every message and version that kafka-python takes: always from 0 on, whatever its definitions say."""
    messages = {
        name: frozenset(range(entity.min_version, entity.max_version + 1)) for name, entity in _classes().items()
    }
    return messages | {name: frozenset((first, first + 1)) for name, (_, first) in HEADERS.items()}


def codec_of(message: str, version: int) -> Codec:
    """The class that kafka-python has for a message, and its ways at one version.

    Raises:
        Unsupported: kafka-python does not have it.
    """
    if version not in supported().get(message, ()):
        raise Unsupported(f"kafka-python has no {message} of version {version}")
    if message in HEADERS:
        entity, first = HEADERS[message]
        return _streamed(entity, flexible=version != first)
    entity = _classes()[message]
    return (
        _streamed(entity, version=version, header=False) if issubclass(entity, ApiData) else _message(entity, version)
    )


@cache
def _classes() -> dict[str, Any]:
    """The classes of messages by name: those that the modules of the protocol make public."""
    public: list[Any] = [getattr(module, name) for module in MODULES for name in module.__all__]
    return {entity.name: entity for entity in public if _is_message(entity)}


def _is_message(public: Any) -> bool:
    return isclass(public) and issubclass(public, ApiMessage | ApiData)


def _message(entity: Any, version: int) -> Codec:
    return Codec(
        entity,
        write=lambda message: bytes(message.encode(version=version)),
        read=lambda data: (entity.decode(data, version=version), None),
    )


def _streamed(entity: Any, **options: Any) -> Codec:
    def read(data: bytes) -> tuple[Any, int]:
        stream = io.BytesIO(data)
        return entity.decode(stream, **options), stream.tell()

    return Codec(entity, write=lambda message: bytes(message.encode(**options)), read=read)
