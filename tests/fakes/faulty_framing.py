"""Adapters with one fault each around a message, named in its docstring."""

import os
from collections.abc import Iterable, Mapping
from typing import Any

import reference
from conformance.adapter import FrameContent
from reference import Release
from tests.fakes.faulty_codecs import Honest


class Framing(Honest):
    """Offers frames and stored messages, and has no fault."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        return {**super().supported(), "OffsetCommitValue": [3], "TopicRecord": [0]}

    def decode_frame(self, release: Release, direction: Any, api_key: int, api_version: int, data: bytes) -> Any:
        api = {} if direction == "request" else {"api_key": api_key, "api_version": api_version}
        return reference.decode_frame(release, direction, data, **api)

    def decode_record(self, release: Release, source: str, data: bytes) -> Any:
        stored = reference.decode_record(release, data, source=source)
        return StoredAs(stored.schema.message, stored.schema.version, stored.value)


class KnowsNoVersions(Framing):
    """Reads a record of an unknown version as Apache Kafka does, which is no fault."""

    def decode_record(self, release: Release, source: str, data: bytes) -> Any:
        stored = reference.decode_record_leniently(release, data, source=source)
        return StoredAs(stored.schema.message, data[2], stored.value)


class StoredAs:
    """An object with the attributes required by the contract."""

    def __init__(self, message: Any, version: Any, value: Any) -> None:
        self.message, self.version, self.value = message, version, value


class FramesAbort(Framing):
    """Aborts its process at an invalid frame."""

    def decode_frame(self, release: Release, direction: Any, api_key: int, api_version: int, data: bytes) -> Any:
        try:
            return super().decode_frame(release, direction, api_key, api_version, data)
        except reference.Malformed:
            os.abort()


class RecordsAbort(Framing):
    """Aborts its process at an invalid record."""

    def decode_record(self, release: Release, source: str, data: bytes) -> Any:
        try:
            return super().decode_record(release, source, data)
        except reference.Malformed:
            os.abort()


class FrameWithoutParts(Framing):
    """Returns an object without the parts of a frame."""

    def decode_frame(self, *_arguments: Any) -> Any:
        return {"ErrorCode": 7}


class OddFrame(Framing):
    """Returns a frame with parts of wrong types."""

    def decode_frame(self, release: Release, direction: Any, api_key: int, api_version: int, data: bytes) -> Any:
        frame = super().decode_frame(release, direction, api_key, api_version, data)
        return OddContent(str(frame.correlation_id), frame.client_id, frame.value)


class OddContent:
    """An object with the attributes required by the contract, but with wrong tags."""

    header_tags = 7

    def __init__(self, correlation_id: Any, client_id: Any, value: Any) -> None:
        self.correlation_id, self.client_id, self.value = correlation_id, client_id, value


class LosesHeaderTags(Framing):
    """Loses the tagged fields of a header when it reads one."""

    def decode_frame(self, release: Release, direction: Any, api_key: int, api_version: int, data: bytes) -> Any:
        frame = super().decode_frame(release, direction, api_key, api_version, data)
        return FrameContent(frame.correlation_id, frame.client_id, frame.value, ())
