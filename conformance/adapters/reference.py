"""The project's own reference as an implementation: the suite must find nothing wrong with it.

`--impl=conformance.adapters.reference`
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import reference
from conformance import __version__
from conformance.adapter import Decoded, StoredMessage, Value
from reference.release import further_releases

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference import FrameDirection, MessageSchema, Release

name = "reference"
version = __version__
rejections = (reference.Malformed, reference.Unencodable, reference.UnsupportedApi)
capabilities = frozenset({"unknown-tags", "absent-fields", "partial-values"})

encode_prefixed = reference.encode_prefixed
encode_record = reference.encode_record
encode_frame = reference.encode_frame
encode_records = reference.encode_records


def supported() -> Mapping[str, frozenset[int]]:
    """Every message and version of every release and proposal that is known here."""
    versions: dict[str, set[int]] = defaultdict(set)
    known = (*reference.releases(), *reference.proposals(), *further_releases())
    for release in map(reference.load_release, known):
        for message in release.messages:
            versions[message].update(release.definition(message).valid_versions)
    return {message: frozenset(numbers) for message, numbers in versions.items() if numbers}


def encode(schema: MessageSchema, value: Value) -> bytes:
    """The canonical bytes; fields that are left out are taken to be at their defaults."""
    return reference.encode(schema, reference.completed(schema, value))


def decode(schema: MessageSchema, data: bytes) -> Decoded:
    """The value, read strictly: what the protocol leaves open is rejected."""
    decoded = reference.decode(schema, data)
    return Decoded(decoded.value, decoded.consumed)


def size(schema: MessageSchema, value: Value) -> int:
    """The number of canonical bytes."""
    return len(reference.encode(schema, value))


def header_version(api_key: int, api_version: int, direction: str) -> int:
    """The header before a message, in the newest release or proposal that has the API in that version."""
    release = _release_of(api_key, api_version)
    of_direction = reference.request_header_version if direction == "request" else reference.response_header_version
    return of_direction(api_key, api_version, release)


def decode_frame(
    release: Release, direction: FrameDirection, api_key: int, api_version: int, data: bytes
) -> reference.Frame:
    """The frame, read strictly; a request is taken for what its own header says."""
    if direction == "request":
        return reference.decode_frame(release, direction, data)
    return reference.decode_frame(release, direction, data, api_key=api_key, api_version=api_version)


def decode_prefixed(release: Release, message: str, data: bytes) -> StoredMessage:
    """The message in the version that its prefix says, read strictly."""
    return _stored(reference.decode_prefixed(release, message, data))


def decode_record(release: Release, source: str, data: bytes) -> StoredMessage:
    """The record of the type and version that its frame says, read strictly."""
    return _stored(reference.decode_record(release, data, source=source))


def _stored(stored: reference.Stored) -> StoredMessage:
    return StoredMessage(stored.schema.message, stored.schema.version, stored.value)


def encode_primitive(name: str, value: Any) -> bytes:
    """The canonical bytes of one wire type."""
    return reference.primitive(name).encode(value)


def decode_primitive(name: str, data: bytes) -> Decoded:
    """One value of a wire type, read strictly."""
    decoded = reference.primitive(name).decode(data)
    return Decoded(decoded.value, decoded.consumed)


def decode_records(data: bytes) -> Value:
    """The batches of a `records` field, read strictly, and the incomplete one at its end."""
    return reference.decode_records(data)


def _release_of(api_key: int, api_version: int) -> Release:
    """The release with that API in that version, a proposal last of all; the newest if there is none."""
    names = (*further_releases(), *reversed(reference.releases()), *reference.proposals())
    for release in map(reference.load_release, names):
        with suppress(reference.UnsupportedApi):
            if api_version in reference.api_definition(release, "request", api_key).valid_versions:
                return release
    return reference.load_release(reference.newest_release())


def classify(exception: Exception) -> str | None:
    """The reason that the reference gives itself; None where the protocol leaves the bytes open."""
    reason = getattr(exception, "reason", None) if isinstance(exception, reference.Malformed) else None
    return None if reason is None else str(reason)
