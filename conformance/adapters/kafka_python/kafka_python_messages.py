"""The messages of kafka-python, with the reader and writer of each kind of class.

Its classes for requests and responses (ApiMessage), for messages inside the group protocol (ApiData) and for headers
(ApiHeader) differ in the arguments of `encode` and `decode`. A `MessageClass` hides that.
"""

from __future__ import annotations

import io
import logging
import warnings
from dataclasses import dataclass
from functools import cache
from inspect import isclass
from typing import TYPE_CHECKING, Any

from conformance.adapter import Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

with warnings.catch_warnings():
    # One warning for each of its hundred definitions, about how it opens them; pytest would show them all.
    warnings.simplefilter("ignore", DeprecationWarning)
    from kafka.errors import KafkaProtocolError
    from kafka.protocol import admin, consumer, metadata, producer, sasl
    from kafka.protocol.api_data import ApiData
    from kafka.protocol.api_header import RequestHeader, ResponseHeader
    from kafka.protocol.api_message import ApiMessage
    from kafka.protocol.parser import KafkaProtocol

MODULES = (admin, consumer, metadata, producer, sasl)

HEADERS = {"RequestHeader": (RequestHeader, 1), "ResponseHeader": (ResponseHeader, 0)}
"""The classes of headers, with the version without tagged fields. The next one has them, and there are no others."""


INTEGERS = {"bitfield": "int32"}
"""Its own names of types, with those of the definitions."""


class IncompleteFrameError(Exception):
    """A connection waits for the rest of a frame."""


FRAME_ERRORS = (KafkaProtocolError, IncompleteFrameError)

logging.getLogger(KafkaProtocol.__module__).disabled = True


@dataclass(frozen=True)
class MessageClass:
    """One of kafka-python's classes at one version."""

    entity: Any
    write: Callable[[Any], bytes]
    read: Callable[[bytes], tuple[Any, int | None]]
    """The object, and the number of bytes read or None if it is unknown."""


def supported() -> dict[str, frozenset[int]]:
    """Return every message and version that kafka-python accepts, from 0 on even where definitions begin later."""
    messages = {
        name: frozenset(range(entity.min_version, entity.max_version + 1)) for name, entity in _classes().items()
    }
    return messages | {name: frozenset((first, first + 1)) for name, (_, first) in HEADERS.items()}


def describe() -> dict[str, Any]:
    """Return its own definitions, with the versions accepted by its classes."""
    return {name: _described(entity) for name, entity in _classes().items()}


def _described(entity: Any) -> dict[str, Any]:
    structs = {struct["name"]: struct for struct in entity.json.get("commonStructs", ())}
    return {
        "versions": f"{entity.min_version}-{entity.max_version}",
        "flexibleVersions": entity.json.get("flexibleVersions", "none"),
        "fields": _fields(entity.json["fields"], structs),
    }


def _fields(fields: Sequence[Mapping[str, Any]], structs: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [_field(field, structs) for field in fields]


def _field(field: Mapping[str, Any], structs: Mapping[str, Any]) -> dict[str, Any]:
    facts = {key: field[key] for key in ("name", "tag") if key in field}
    facts["type"] = INTEGERS.get(field["type"], field["type"])
    ranges = {key: field.get(key, "none") for key in ("versions", "nullableVersions", "taggedVersions")}
    inner = field.get("fields") or structs.get(field["type"].removeprefix("[]"), {}).get("fields", ())
    return {**facts, **ranges, "own": field["name"], **({"fields": _fields(inner, structs)} if inner else {})}


def codec_of(message: str, version: int) -> MessageClass:
    """Return kafka-python's class for a message at one version, or raise `Unsupported`."""
    if version not in supported().get(message, ()):
        raise Unsupported(f"kafka-python has no {message} of version {version}")
    if message in HEADERS:
        entity, first = HEADERS[message]
        return _streamed(entity, flexible=version != first)
    entity = _classes()[message]
    return (
        _streamed(entity, version=version, header=False) if issubclass(entity, ApiData) else _message(entity, version)
    )


def receive(api_key: int, api_version: int, data: bytes) -> tuple[int, Any]:
    """Read a response as a connection that waits for it, or raise `IncompleteFrameError` if more is missing."""
    correlation_id = int.from_bytes(data[4:8], "big", signed=True)
    connection = KafkaProtocol(client_id="")
    request = RequestHeader(request_api_key=api_key, request_api_version=api_version, correlation_id=correlation_id)
    # With two requests, a second response may follow the first.
    connection.in_flight_requests.extend((request, request))
    for response in connection.receive_bytes(data):
        return response  # type: ignore[no-any-return]  # a correlation id and a message
    raise IncompleteFrameError("waits for more bytes")


@cache
def _classes() -> dict[str, Any]:
    public: list[Any] = [getattr(module, name) for module in MODULES for name in module.__all__]
    return {entity.name: entity for entity in public if _is_message(entity)}


def _is_message(public: Any) -> bool:
    return isclass(public) and issubclass(public, ApiMessage | ApiData)


def _message(entity: Any, version: int) -> MessageClass:
    return MessageClass(
        entity,
        write=lambda message: bytes(message.encode(version=version)),
        read=lambda data: (entity.decode(data, version=version), None),
    )


def _streamed(entity: Any, **options: Any) -> MessageClass:
    def read(data: bytes) -> tuple[Any, int]:
        stream = io.BytesIO(data)
        return entity.decode(stream, **options), stream.tell()

    return MessageClass(entity, write=lambda message: bytes(message.encode(**options)), read=read)
