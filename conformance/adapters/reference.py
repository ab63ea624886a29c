"""The project's own reference as an implementation, in which the suite must find nothing wrong."""

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
    """Return every message and version of every known release and proposal."""
    versions: dict[str, set[int]] = defaultdict(set)
    known = (*reference.releases(), *reference.proposals(), *further_releases())
    for release in map(reference.load_release, known):
        for message in release.messages:
            versions[message].update(release.definition(message).valid_versions)
    return {message: frozenset(numbers) for message, numbers in versions.items() if numbers}


def encode(schema: MessageSchema, value: Value) -> bytes:
    """Return the canonical bytes, with missing fields at their defaults."""
    return reference.encode(schema, reference.completed(schema, value))


def decode(schema: MessageSchema, data: bytes) -> Decoded:
    """Return the value, read strictly. Bytes left unspecified by the protocol are rejected."""
    decoded = reference.decode(schema, data)
    return Decoded(decoded.value, decoded.consumed)


def size(schema: MessageSchema, value: Value) -> int:
    """Return the number of canonical bytes."""
    return len(reference.encode(schema, value))


def header_version(api_key: int, api_version: int, direction: str) -> int:
    """Return the version of the header of a message in the newest release or proposal with the API in that version."""
    release = _release_of(api_key, api_version)
    of_direction = reference.request_header_version if direction == "request" else reference.response_header_version
    return of_direction(api_key, api_version, release)


def decode_frame(
    release: Release, direction: FrameDirection, api_key: int, api_version: int, data: bytes
) -> reference.Frame:
    """Return the frame, read strictly. The message of a request is the one in its header, not in the arguments."""
    if direction == "request":
        return reference.decode_frame(release, direction, data)
    return reference.decode_frame(release, direction, data, api_key=api_key, api_version=api_version)


def decode_prefixed(release: Release, message: str, data: bytes) -> StoredMessage:
    """Return the message in the version of its prefix, read strictly."""
    return _stored(reference.decode_prefixed(release, message, data))


def decode_record(release: Release, source: str, data: bytes) -> StoredMessage:
    """Return the record of the type and version in its frame, read strictly."""
    return _stored(reference.decode_record(release, data, source=source))


def _stored(stored: reference.Stored) -> StoredMessage:
    return StoredMessage(stored.schema.message, stored.schema.version, stored.value)


def encode_primitive(name: str, value: Any) -> bytes:
    """Return the canonical bytes of one wire type."""
    return reference.primitive(name).encode(value)


def decode_primitive(name: str, data: bytes) -> Decoded:
    """Return one value of a wire type, read strictly."""
    decoded = reference.primitive(name).decode(data)
    return Decoded(decoded.value, decoded.consumed)


def decode_records(data: bytes) -> Value:
    """Return the batches of a `records` field and the incomplete one at its end, read strictly."""
    return reference.decode_records(data)


def _release_of(api_key: int, api_version: int) -> Release:
    """Return the release with that API in that version, or the newest without one. Proposals are tried last."""
    names = (*further_releases(), *reversed(reference.releases()), *reference.proposals())
    for release in map(reference.load_release, names):
        with suppress(reference.UnsupportedApi):
            if api_version in reference.api_definition(release, "request", api_key).valid_versions:
                return release
    return reference.load_release(reference.newest_release())


def classify(exception: Exception) -> str | None:
    """Return the reason of the reference itself, or None for unspecified bytes."""
    reason = getattr(exception, "reason", None) if isinstance(exception, reference.Malformed) else None
    return None if reason is None else str(reason)
