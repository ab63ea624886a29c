"""The cost of a wrong value, analysed once for all similar ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import reference
from conformance.adapter import Decoded
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.generate.hostile_bodies import hostile_cases
from conformance.generate.structure import EXPLICIT_DEFAULT
from conformance.judge.blame.searches import SEARCHES, Searches
from conformance.judge.checks.body_bytes import hostile_case
from conformance.judge.checks.value_cases import generated_value
from conformance.judge.engine import violations
from conformance.judge.standing import BLAMED, Standing
from conformance.targets import Blame
from conformance.targets.faults.body_faults import BodyFault, body_faults
from conformance.targets.outcome import Kind, Outcome
from tests.helpers.releases import NEWEST
from tests.helpers.sessions import session_of

if TYPE_CHECKING:
    from conformance.adapter import Value
    from conformance.codec.session import Session
    from reference import MessageSchema

RELEASE = reference.load_release(NEWEST)
HEARTBEAT = RELEASE.schema("HeartbeatResponse", 0)
FETCH = RELEASE.schema("FetchRequest", 17)
PLACE = ("string.utf8", "Name")


def session(written: list[bytes]) -> Session:
    """Return a session with a codec that writes all bytes in reverse order, and lists them."""

    def write(schema: MessageSchema, value: Value) -> bytes:
        written.append(reference.encode(schema, value)[::-1])
        return written[-1]

    versions = {schema.message: frozenset({schema.version}) for schema in (HEARTBEAT, FETCH)}
    return session_of(
        PythonCodec(
            LoadedAdapter(
                spec="",
                name="reverses",
                version="0",
                supported={"encode": versions, "decode": versions},
                encode=write,
                decode=lambda schema, wire: Decoded(reference.decode(schema, wire).value),
                rejections=(reference.CodecError,),
                capabilities=frozenset({"unknown-tags"}),
            )
        )
    )


def test_values_of_one_appearance_are_analysed_a_few_times() -> None:
    """Each is written once, and only the first ones are written again, to find the smallest."""
    written: list[bytes] = []
    values = [{"ThrottleTimeMs": 1, "ErrorCode": number} for number in range(1, 40)]
    found = list(violations(session(written), [generated_value(HEARTBEAT, value) for value in values]))
    assert sum(each.outcome == "bytes" for each in found) == len(values)
    assert len(written) < 2 * len(values)


def test_a_value_of_several_inputs_is_judged_once() -> None:
    names = [f"minimal/{field}/{EXPLICIT_DEFAULT}" for field in ("ClusterId", "ReplicaState")]
    explicit = [case for case in hostile_cases(FETCH) if case.name in names]
    cases = [hostile_case(FETCH, case.name, case.wire) for case in explicit]
    assert len({case.same_value.canonical for case in cases}) == 1 < len(cases)
    wrong = [each for each in violations(session([]), cases) if each.outcome == "bytes"]
    assert [each.case.name for each in wrong] == [cases[0].name]


def test_blame_is_known_after_enough_equal_cases() -> None:
    standing = Standing()
    for number in range(BLAMED):
        assert standing.known_blame("alike") is None
        standing.blame("alike", Blame("a", f"Field{number}"))
    assert standing.known_blame("alike") == Blame("a", "Field0")
    standing.blame("alike", Blame("b", ""))
    assert standing.known_blame("alike") is None


def test_searches_end_where_enough_of_them_have_found_nothing() -> None:
    tried = list[BodyFault]()
    searches = Searches(body_faults(HEARTBEAT))
    for place in (*[PLACE] * (SEARCHES + 1), ("string.utf8", "Other")):
        tried.clear()
        assert searches.first(place, tried.append) is None  # type: ignore[arg-type]  # it returns None
        ends = bool(tried)
    assert ends
    assert searches.first(PLACE, lambda _: True) is None


def test_found_fault_model_is_tried_first_elsewhere() -> None:
    searches = Searches(body_faults(HEARTBEAT))
    found = searches.first(PLACE, lambda each: each.rule == "struct.field-order")
    assert found is not None
    assert searches.first(("string.utf8", "Other"), lambda _: True) is found


def test_answer_is_not_asked_again() -> None:
    standing, asked, answer = Standing(), list[int](), Outcome(Kind.VALUE)

    def ask() -> Outcome:
        asked.append(1)
        return answer

    assert [standing.once("wire", ask), standing.once("wire", ask)] == [answer, answer]
    assert len(asked) == 1
