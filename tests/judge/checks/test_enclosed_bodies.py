from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from conformance.adapter import FrameContent
from conformance.codec.bridge.loading import load_codec
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.judge.case import Violation
from conformance.judge.checks.frame_cases import frame_checks
from conformance.judge.checks.stored_cases import stored_checks
from conformance.judge.engine import violations
from conformance.judge.kinds import CodecCase
from reference import Malformed, MessageSchema, decode, encode_frame, load_release
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of

RELEASE = load_release(BASE)
REQUEST = RELEASE.schema("FindCoordinatorRequest", 3)
RECORD = RELEASE.schema("PartitionChangeRecord", 1)


@cache
def sound() -> LoadedAdapter:
    claims = load_codec("conformance.adapters.reference", RELEASE).claims
    assert isinstance(claims, LoadedAdapter)
    return claims


def found(check: Callable[..., Any], schema: MessageSchema, **functions: Any) -> list[Violation]:
    session = session_of(PythonCodec(replace(sound(), **functions)), RELEASE)
    return list(violations(session, check(session, schema)))


def without_blanks(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_blanks(item) for name, item in value.items()}
    return value.strip() if isinstance(value, str) else value


def decode_stripped(schema: MessageSchema, wire: bytes) -> Any:
    return without_blanks(decode(schema, wire).value)


def decode_frame_stripped(*arguments: Any) -> FrameContent:
    content: FrameContent = sound().decode_frame(*arguments)  # type: ignore[misc]  # the reference has it
    return replace(content, value=without_blanks(content.value))


def test_a_body_misread_in_frames_alone_is_found() -> None:
    cases = {each.case.name for each in found(frame_checks, REQUEST, decode_frame=decode_frame_stripped)}
    assert cases
    assert all(name.startswith("body-texts-from-") for name in cases)


def test_a_body_that_is_misread_alone_is_left_to_its_own_cases() -> None:
    assert not found(frame_checks, REQUEST, decode_frame=decode_frame_stripped, decode=decode_stripped)


def any_null(*arguments: Any, **tags: Any) -> bytes:
    """Write null as an empty text."""
    *head, value = arguments
    plain = {name: "" if item is None else item for name, item in value.items()}
    return encode_frame(*head, plain, **tags)  # type: ignore[call-arg,arg-type]  # those of the contract


def test_a_null_written_in_frames_alone_is_found() -> None:
    first = found(frame_checks, REQUEST, encode_frame=any_null)[0]
    assert (first.case.name, first.rule) == ("refused-body-Key=null", "null.not-written")


def nulls_accepted(*arguments: Any) -> FrameContent:
    try:
        content: FrameContent = sound().decode_frame(*arguments)  # type: ignore[misc]  # as above
    except Malformed as error:
        if error.rule != "null.not-allowed":
            raise
        return FrameContent(7, "kafka", {})
    return content


def test_a_broken_body_accepted_in_frames_alone_is_found() -> None:
    broken = found(frame_checks, REQUEST, decode_frame=nulls_accepted)
    assert {each.rule for each in broken} == {"null.not-allowed"}
    assert all(each.case.name.startswith("body-") for each in broken)


def _all_cases() -> Iterator[CodecCase]:
    session = session_of(PythonCodec(sound()), RELEASE)
    for check, schema in ((frame_checks, REQUEST), (stored_checks, RECORD)):
        yield from (each for each in check(session, schema) if isinstance(each, CodecCase))


def test_each_way_to_change_a_body_is_tried_once() -> None:
    ways = [(each.target, each.origin.tampering) for each in _all_cases() if each.inner is not None]
    named = [way for way in ways if way[1]]
    assert len(named) > 50
    assert len(named) == len(set(named))


@pytest.mark.parametrize(("check", "schema"), [(frame_checks, REQUEST), (stored_checks, RECORD)])
def test_a_sound_codec_breaks_no_rule(check: Callable[..., Any], schema: MessageSchema) -> None:
    assert not found(check, schema)
