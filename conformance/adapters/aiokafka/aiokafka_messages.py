"""The messages of aiokafka, with one class for each version of a request or response, by API key.

aiokafka's names are its own (OffsetRequest is ListOffsetsRequest), so a class is found by the API key and version that
it declares. A class with the declaration of an earlier class cannot be found; `notes` lists it. The client does not use
all classes, for instance not ListOffsets 4 and 5 and DescribeAcls 2. They are public, so they are offered.

Headers are classes without API key and version. Those of requests take the request as an argument, and cannot be read,
since their `decode` passes none. So they are offered for writing only.

Two classes have the messages between members of a group. Their first field is the version, which is not in the body: it
is set to 0, and taken away or put before the bytes. They write and read any other number there with the fields of
version 0, so that is their only version.
"""

from __future__ import annotations

import io
from functools import cache
from inspect import isclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from aiokafka.coordinator.protocol import ConsumerProtocolMemberAssignment, ConsumerProtocolMemberMetadata
from aiokafka.protocol import admin, api, commit, coordination, fetch, group, metadata, offset, produce, transaction
from aiokafka.protocol.types import Schema

from conformance.adapter import Unsupported
from reference import load_release, releases

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = (admin, commit, coordination, fetch, group, metadata, offset, produce, transaction)


REQUEST_HEADERS = {("RequestHeader", 1): api.RequestHeader_v1, ("RequestHeader", 2): api.RequestHeader_v2}
RESPONSE_HEADERS = {("ResponseHeader", 0): api.ResponseHeader_v0, ("ResponseHeader", 1): api.ResponseHeader_v1}
STORED = {
    ("ConsumerProtocolSubscription", 0): ConsumerProtocolMemberMetadata,
    ("ConsumerProtocolAssignment", 0): ConsumerProtocolMemberAssignment,
}
VERSION_PREFIX = bytes(2)
"""Version 0, in its form before a stored message."""


def supported() -> dict[str, dict[str, frozenset[int]]]:
    """Return every message and version with a class. Headers of requests are only written."""
    return {
        "encode": _versions(*_entities()),
        "decode": _versions(*(_entities().keys() - REQUEST_HEADERS.keys())),
    }


def write(struct: Any, values: tuple[Any, ...]) -> bytes:
    """Return the bytes of an object of the class, with the values of its fields in their order."""
    if _is_stored(struct):
        stored: bytes = struct(0, *values).encode()
        return stored[len(VERSION_PREFIX) :]
    if issubclass(struct, api.RequestHeader_v1 | api.RequestHeader_v2):
        request = SimpleNamespace(API_KEY=values[0], API_VERSION=values[1])
        values = (request, *values[2:])
    encoded: bytes = struct(*values).encode()
    return encoded


def read(struct: Any, data: bytes) -> tuple[tuple[Any, ...], int]:
    """Return the values of the fields in their order, and the number of bytes read."""
    prefix = VERSION_PREFIX if _is_stored(struct) else b""
    stream = io.BytesIO(prefix + data)
    message = struct.decode(stream)
    return tuple(message.get_item(name) for name in fields_of(struct).names), stream.tell() - len(prefix)


def fields_of(struct: Any) -> Schema:
    """Return the fields of a class in the body, for a stored message all but the version."""
    theirs: Schema = struct.SCHEMA
    if not _is_stored(struct):
        return theirs
    return Schema(*zip(theirs.names[1:], theirs.fields[1:], strict=True))


def _is_stored(struct: Any) -> bool:
    return struct in STORED.values()


def struct_of(message: str, version: int) -> Any:
    """Return aiokafka's class for a message at one version, or raise `Unsupported`."""
    struct = _entities().get((message, version))
    if struct is None:
        raise Unsupported(f"aiokafka has no {message} of version {version}")
    return struct


def _versions(*pairs: tuple[str, int]) -> dict[str, frozenset[int]]:
    names = {message for message, _ in pairs}
    return {name: frozenset(version for message, version in pairs if message == name) for name in names}


@cache
def _entities() -> dict[tuple[str, int], Any]:
    names = _message_names()
    structs = {(names[kind, key], version): classes[0] for (kind, key, version), classes in _classes_by_key().items()}
    return structs | REQUEST_HEADERS | RESPONSE_HEADERS | STORED


def notes() -> tuple[str, ...]:
    """Return a note on each class with the kind, API key and version of another, as it is not tested."""
    return tuple(
        f"{struct.__name__} is not tested: like {first.__name__} it says that it is version {version} of API key {key}"
        for (_, key, version), (first, *others) in _classes_by_key().items()
        for struct in others
    )


def header_version(api_key: int, api_version: int, direction: str) -> int:
    """Return the version of aiokafka's header before a request or its response, or raise `Unsupported`."""
    [request, *_] = _classes_by_key().get(("request", api_key, api_version), (None,))
    if request is None:
        raise Unsupported(f"aiokafka has no request of API key {api_key} and version {api_version}")
    if direction == "request":
        header: Any = request().build_request_header(correlation_id=0, client_id="")
    else:
        header = request().parse_response_header(bytes(5))  # a correlation id, and an empty tag section if it has one
    headers = REQUEST_HEADERS | RESPONSE_HEADERS
    return next(version for (_, version), header_class in headers.items() if type(header) is header_class)


@cache
def _classes_by_key() -> dict[tuple[str, int, int], list[Any]]:
    classes: dict[tuple[str, int, int], list[Any]] = {}
    for kind, struct in dict.fromkeys(_classes()):
        classes.setdefault((kind, struct.API_KEY, struct.API_VERSION), []).append(struct)
    return classes


def _classes() -> Iterator[tuple[str, Any]]:
    for module in MODULES:
        for member in vars(module).values():
            is_struct = isclass(member) and issubclass(member, api.RequestStruct | api.Response)
            if is_struct and isinstance(getattr(member, "API_VERSION", None), int):
                yield "request" if issubclass(member, api.RequestStruct) else "response", member


def _message_names() -> dict[tuple[str, int | None], str]:
    definitions = (release.definition(name) for release in map(load_release, releases()) for name in release.messages)
    return {(definition.kind, definition.api_key): definition.name for definition in definitions}
