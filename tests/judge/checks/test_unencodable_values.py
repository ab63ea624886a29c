"""Unencodable values are tried only on implementations that can hold them."""

from collections.abc import Callable
from typing import Any

from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.generate.unusual_values import NOT_FLEXIBLE
from conformance.judge.checks.special_values import unencodable_case, unencodable_cases
from conformance.judge.count_lines import Inconclusive
from conformance.judge.engine import run, violations
from reference import TAGS, CodecError, MessageSchema, encode, load_release, minimal
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of

HEARTBEAT = load_release(BASE).schema("HeartbeatRequest", 3)


def drop_tags(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    return encode(schema, {name: item for name, item in value.items() if name != TAGS})


def writing(write: Callable[[MessageSchema, dict[str, Any]], bytes], *capabilities: str) -> Session:
    """Return the session of an adapter with a writer of one message."""
    supported = {HEARTBEAT.message: frozenset({HEARTBEAT.version})}
    adapter = LoadedAdapter(
        spec="",
        name="sample",
        version="0",
        supported={"encode": supported, "decode": {}},
        encode=write,
        rejections=(CodecError,),
        capabilities=frozenset(capabilities),
    )
    return session_of(PythonCodec(adapter))


def findings_on_tags(*capabilities: str) -> list[str]:
    """Run the cases one by one, as a campaign and a replay do, and return the broken rules."""
    session = writing(drop_tags, *capabilities)
    cases = [case for case in unencodable_cases(session, HEARTBEAT) if case.rule == NOT_FLEXIBLE]
    assert cases
    return [violation.rule for case in cases for violation in violations(session, case.again(session))]


def test_codec_with_unknown_tags_must_refuse_them_without_a_tag_section() -> None:
    """The codec drops the tags."""
    assert findings_on_tags("unknown-tags") == [NOT_FLEXIBLE]


def test_codec_without_unknown_tags_may_drop_them() -> None:
    """The value never reaches its library."""
    assert findings_on_tags() == []


def refuse_strings(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    if value["MemberId"]:
        raise CodecError("no member")
    return encode(schema, value)


def test_a_refusal_is_judged_by_the_valid_form_of_its_own_value() -> None:
    """Two values with an error in the same field differ elsewhere, and the codec refuses a text of one of them."""
    session, value = writing(refuse_strings), {**minimal(HEARTBEAT), "GenerationId": None}
    cases = [
        unencodable_case(HEARTBEAT, name, "GenerationId", {**value, "MemberId": name}, "null.not-written")
        for name in ("", "a")
    ]
    skipped = [event for event in run(session, cases) if isinstance(event, Inconclusive)]
    assert len(skipped) == 1
