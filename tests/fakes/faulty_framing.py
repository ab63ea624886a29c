"""Adapters with one fault each around a message, named by the name."""

import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import reference
from conformance.adapter import FrameContent
from reference import Release
from tests.fakes.lies import OFFERED, lie


def read_frame(release: Release, direction: Any, api_key: int, api_version: int, data: bytes) -> Any:
    api = {} if direction == "request" else {"api_key": api_key, "api_version": api_version}
    return reference.decode_frame(release, direction, data, **api)


def read_record(release: Release, source: str, data: bytes) -> Any:
    stored = reference.decode_record(release, data, source=source)
    return SimpleNamespace(message=stored.schema.message, version=stored.schema.version, value=stored.value)


def _leniently(release: Release, source: str, data: bytes) -> Any:
    stored = reference.decode_record_leniently(release, data, source=source)
    return SimpleNamespace(message=stored.schema.message, version=data[2], value=stored.value)


def _or_abort(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that aborts the process at invalid bytes."""

    def read(*given: Any) -> Any:
        try:
            return function(*given)
        except reference.Malformed:
            os.abort()

    return read


def _odd(*given: Any) -> Any:
    frame = read_frame(*given)
    number = str(frame.correlation_id)
    return SimpleNamespace(correlation_id=number, client_id=frame.client_id, value=frame.value, header_tags=7)


def _without_tags(*given: Any) -> Any:
    frame = read_frame(*given)
    return FrameContent(frame.correlation_id, frame.client_id, frame.value, ())


Framing = lie(
    supported={**OFFERED, "OffsetCommitValue": [3], "TopicRecord": [0]},
    decode_frame=read_frame,
    decode_record=read_record,
)
"""Offers frames and stored messages, and has no fault."""
KnowsNoVersions = lie(Framing, decode_record=_leniently)
"""Reads a record of an unknown version as Apache Kafka does, which is no fault."""
FramesAbort = lie(Framing, decode_frame=_or_abort(read_frame))
RecordsAbort = lie(Framing, decode_record=_or_abort(read_record))
FrameWithoutParts = lie(Framing, decode_frame=lambda *_: {"ErrorCode": 7})
OddFrame = lie(Framing, decode_frame=_odd)
"""Returns a frame with parts of wrong types."""
LosesHeaderTags = lie(Framing, decode_frame=_without_tags)
