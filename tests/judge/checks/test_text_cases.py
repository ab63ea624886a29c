"""Values with another text in each text field, tried one by one after a failure."""

from collections.abc import Callable
from typing import Any

from conformance.adapter import Decoded
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.generate import edges
from conformance.judge.checks.check_list import BODIES, cases_named
from conformance.judge.checks.value_cases import texts_of
from conformance.judge.kinds import CodecCase
from reference import CodecError, MessageSchema, decode, encode, load_release
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of, tried

HEARTBEAT = load_release(BASE).schema("HeartbeatRequest", 4)
FIELDS = {"GroupId", "MemberId", "GroupInstanceId"}
COUNT = len(edges.CHANGED_TEXTS)

Value = dict[str, Any]


def session_with(change: Callable[[Value], Value]) -> Session:
    """Return the session of a codec that changes its read values."""
    supported = {HEARTBEAT.message: frozenset({HEARTBEAT.version})}

    def read(schema: MessageSchema, data: bytes) -> Decoded:
        result = decode(schema, data)
        return Decoded(change(result.value), result.consumed)

    return session_of(
        PythonCodec(
            LoadedAdapter(
                spec="",
                name="sample",
                version="0",
                supported={"encode": supported, "decode": supported},
                encode=encode,
                decode=read,
                rejections=(CodecError,),
            )
        )
    )


def in_field(name: str, change: Callable[[str], Any]) -> Callable[[Value], Value]:
    return lambda value: {**value, name: change(value[name]) if isinstance(value[name], str) else value[name]}


def test_a_sound_codec_is_asked_once_for_each_text() -> None:
    found, tally = tried(session_with(dict), texts_of(HEARTBEAT))
    assert found == []
    assert tally.cases["edge values"] == COUNT


def test_failing_field_and_text_are_named() -> None:
    found, _ = tried(session_with(in_field("MemberId", str.strip)), texts_of(HEARTBEAT))
    assert {(each.rule, each.path, each.case.name) for each in found} == {
        ("string.utf8", "MemberId", "MemberId=text-white-space"),
        ("string.utf8", "MemberId", "MemberId=text-marks"),
    }


def test_every_failing_field_of_a_value_is_named() -> None:
    def lower(value: Value) -> Value:
        return {name: item.lower() if isinstance(item, str) else item for name, item in value.items()}

    found, _ = tried(session_with(lower), texts_of(HEARTBEAT))
    assert {each.path for each in found} == FIELDS


def test_value_failing_only_as_a_whole_is_a_finding() -> None:
    def lossy(value: Value) -> Value:
        return {**value, "MemberId": "lost"} if value["GroupId"] and value["MemberId"] else value

    found, _ = tried(session_with(lossy), texts_of(HEARTBEAT))
    assert len(found) == COUNT
    assert all(isinstance(each.case, CodecCase) and each.case.parts for each in found)


def test_the_value_and_each_text_alone_are_found_by_their_names() -> None:
    names = ("texts-from-null-word", "GroupInstanceId=text-null-word")
    assert [case.name for name in names for case in cases_named(session_with(dict), BODIES, HEARTBEAT, name)] == [
        *names
    ]
