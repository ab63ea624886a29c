"""Which messages aiokafka has: one class for each version of a request or response, by API key.

aiokafka's names are its own (OffsetRequest is ListOffsetsRequest), so a class is found by the API key and version that
it says it has. ListGroupsRequest_v2 says that it is version 1, so there is no version 2 of that request. The
client does not use all classes, ListOffsets 4 and 5 and DescribeAcls 2 for instance: they are public, so are offered.

Headers are classes without either. Those of requests take the request that they are for, and cannot be read: their
`decode` does not give them one. So they are offered for writing only.
"""

from __future__ import annotations

from functools import cache
from inspect import isclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from aiokafka.protocol import admin, api, commit, coordination, fetch, group, metadata, offset, produce, transaction

from conformance.adapter import Unsupported
from reference import load_release, releases

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

MODULES = (admin, commit, coordination, fetch, group, metadata, offset, produce, transaction)


REQUEST_HEADERS = {("RequestHeader", 1): api.RequestHeader_v1, ("RequestHeader", 2): api.RequestHeader_v2}
RESPONSE_HEADERS = {("ResponseHeader", 0): api.ResponseHeader_v0, ("ResponseHeader", 1): api.ResponseHeader_v1}


def supported() -> dict[str, dict[str, frozenset[int]]]:
    """Every message and version that there is a class for; headers of requests are only written."""
    return {
        "encode": _versions(*_entities()),
        "decode": _versions(*(_entities().keys() - REQUEST_HEADERS.keys())),
    }


def write(struct: Any, values: tuple[Any, ...]) -> bytes:
    """Return the bytes of an object of the class, with the values of its fields in their order."""
    if issubclass(struct, api.RequestHeader_v1 | api.RequestHeader_v2):
        request = SimpleNamespace(API_KEY=values[0], API_VERSION=values[1])
        values = (request, *values[2:])
    encoded: bytes = struct(*values).encode()
    return encoded


def read(struct: Any, stream: io.BytesIO) -> tuple[Any, ...]:
    """Return the values of the fields in their order, from bytes."""
    message = struct.decode(stream)
    return tuple(message.get_item(name) for name in struct.SCHEMA.names)


def struct_of(message: str, version: int) -> Any:
    """Return the class that aiokafka has for a message at one version.

    Raises:
        Unsupported: aiokafka does not have it.
    """
    struct = _entities().get((message, version))
    if struct is None:
        raise Unsupported(f"aiokafka has no {message} of version {version}")
    return struct


def _versions(*pairs: tuple[str, int]) -> dict[str, frozenset[int]]:
    names = {message for message, _ in pairs}
    return {name: frozenset(version for message, version in pairs if message == name) for name in names}


@cache
def _entities() -> dict[tuple[str, int], Any]:
    """The classes by the names that messages have in Kafka's definitions."""
    names = _message_names()
    structs = {(names[kind, struct.API_KEY], struct.API_VERSION): struct for kind, struct in _classes()}
    return structs | REQUEST_HEADERS | RESPONSE_HEADERS


def _classes() -> Iterator[tuple[str, Any]]:
    for module in MODULES:
        for member in vars(module).values():
            is_struct = isclass(member) and issubclass(member, api.RequestStruct | api.Response)
            if is_struct and isinstance(getattr(member, "API_VERSION", None), int):
                yield "request" if issubclass(member, api.RequestStruct) else "response", member


def _message_names() -> dict[tuple[str, int | None], str]:
    """Names by kind and API key, of every committed release."""
    definitions = (release.definition(name) for release in map(load_release, releases()) for name in release.messages)
    return {(definition.kind, definition.api_key): definition.name for definition in definitions}
