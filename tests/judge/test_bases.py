"""Inputs are made from accepted values, so a codec that refuses every error code but 0 hides nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from conformance.codec.python_codec import PythonCodec
from conformance.generate.edge_values import Bases, populated
from conformance.judge.bases import bases_of
from conformance.judge.case import Violation
from conformance.judge.checks.body_bytes import hostile_case
from conformance.judge.checks.changed_bodies import invalid_cases
from conformance.judge.checks.check_list import BODIES, run_message
from conformance.judge.checks.special_values import unencodable_cases
from conformance.judge.count_lines import Inconclusive
from conformance.targets import Body
from reference import TAGS, Malformed, encode, load_release
from tests.helpers.adapters import adapter_of
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of, tried
from tests.mutants.catalogue import MUTANTS
from tests.mutants.mutant import Mutant

if TYPE_CHECKING:
    from conformance.codec.session import Session
    from reference import MessageSchema

GROUPS = load_release(BASE).schema("DescribeGroupsResponse", 5)
HIDDEN = (
    "truncated-numbers-are-zero",
    "negative-count-is-empty",
    "null-read-where-not-allowed",
    "long-strings-read",
    "unknown-tags-as-far-as-they-go",
)
Refuses = Callable[[str, Any], bool]


def has(value: Any, refused: Refuses, name: str = "") -> bool:
    """Return whether a value has a refused part, at any depth."""
    if isinstance(value, dict):
        return any(has(item, refused, key) for key, item in value.items())
    if isinstance(value, list) and name != TAGS:
        return any(has(item, refused, name) for item in value)
    return refused(name, value)


def masked(mutant: Mutant, refused: Refuses) -> Session:
    """Return a session with a mutant that also refuses some values of fields."""
    adapter = replace(mutant, pairs="DescribeGroupsResponse-v4..5").adapter()
    read = adapter.decode
    assert read is not None

    def decode(schema: MessageSchema, data: bytes) -> Any:
        result: Any = read(schema, data)
        if has(result.value, refused):
            raise Malformed("message.accepted", None, 0, "")
        return result

    return session_of(PythonCodec(replace(adapter, decode=decode)))


def non_zero_error_code(name: str, value: Any) -> bool:
    """Refuse every error code but 0."""
    return name == "ErrorCode" and value != 0


def honest(refused: Refuses) -> Session:
    """Return a session with a codec without any other mistake."""
    return masked(Mutant("honest", "message.accepted", ""), refused)


@pytest.mark.parametrize("mutant", [mutant for mutant in MUTANTS if mutant.name in HIDDEN], ids=lambda each: each.name)
def test_a_mistake_after_a_refused_error_code_is_found(mutant: Mutant) -> None:
    """The populated base is refused, so only the adapted one shows the mistake."""
    session = masked(mutant, non_zero_error_code)
    schemas = [GROUPS, session.release.schema("DescribeGroupsResponse", 4)]
    events = (event for schema in schemas for event in run_message(session, schema, frozenset({BODIES})))
    assert mutant.rule in {event.rule for event in events if isinstance(event, Violation)}


def test_only_refused_fields_are_adapted() -> None:
    taken = bases_of(honest(non_zero_error_code), Body(GROUPS))
    expected = populated(GROUPS)
    expected["Groups"][0]["ErrorCode"] = 0
    assert taken.bases.populated == expected
    assert taken.changed == ("Groups.ErrorCode",)
    assert taken.refused == frozenset()


def test_a_base_of_two_refused_fields_is_adapted_in_both() -> None:
    """Each adaptation alone leaves a refused value."""
    taken = bases_of(honest(lambda name, value: name in {"ErrorCode", "ThrottleTimeMs"} and value > 100), Body(GROUPS))
    assert taken.changed == ("ThrottleTimeMs", "Groups.ErrorCode")


def test_refused_unknown_tags_are_left_out_of_the_base() -> None:
    """The tagged base then equals the populated one."""
    bases = bases_of(honest(lambda name, _: name == TAGS), Body(GROUPS)).bases
    assert bases.tagged == bases.populated


def test_input_with_a_base_refused_in_every_form_is_not_tested() -> None:
    """A codec that reads nothing is tested by nothing."""
    session = honest(lambda *_: True)
    violations, tally = tried(session, invalid_cases(session, GROUPS))
    assert violations == []
    assert tally.cases["invalid inputs"] == 0
    assert tally.of(Inconclusive)["invalid inputs", str(GROUPS)] > 0


def test_tampering_with_a_misread_base_is_not_counted_as_tested() -> None:
    """The base itself is judged, while inputs made from it are not."""
    session = honest(lambda *_: True)
    inputs = (("populated", encode(GROUPS, populated(GROUPS))), ("populated/none", b""))
    cases = [hostile_case(GROUPS, name, data, base="populated") for name, data in inputs]
    _, tally = tried(session, cases)
    assert tally.cases["hostile inputs"] == 1
    assert tally.of(Inconclusive)["hostile inputs", str(GROUPS)] == 1


def test_a_mistake_of_the_writer_does_not_switch_off_tests_of_the_reader() -> None:
    """Bytes read right are a base, no matter how the codec writes."""
    session = honest(non_zero_error_code)
    adapter = replace(adapter_of(session), encode=lambda *_: b"")
    session = replace(session, codec=PythonCodec(adapter))
    cases = [
        hostile_case(GROUPS, name, encode(GROUPS, Bases.usual(GROUPS).minimal) + after, base="minimal")
        for name, after in (("minimal", b""), ("minimal/behind", b"\0"))
    ]
    _, tally = tried(session, cases)
    assert tally.of(Inconclusive) == {}


def test_base_is_searched_for_once_in_a_run() -> None:
    session = honest(non_zero_error_code)
    first = bases_of(session, Body(GROUPS))
    adapter = replace(adapter_of(session), decode=None)
    assert bases_of(replace(session, codec=PythonCodec(adapter)), Body(GROUPS)) is first


def test_a_drawn_value_is_masked_in_the_adapted_fields_of_the_base() -> None:
    """Random inputs are made from accepted values, too."""
    taken = bases_of(honest(lambda name, value: name == TAGS or non_zero_error_code(name, value)), Body(GROUPS))
    value = {**populated(GROUPS), TAGS: [(9, b"")]}
    assert taken.mask(value) == taken.bases.populated


def test_a_refused_value_is_not_counted_where_a_valid_one_is_refused_as_well() -> None:
    """A writer that refuses everything says nothing about a single value."""
    session = honest(non_zero_error_code)

    def encode_nothing(*_: Any) -> bytes:
        raise Malformed("message.writable", None, 0, "")

    adapter = replace(adapter_of(session), encode=encode_nothing)
    session = replace(session, codec=PythonCodec(adapter))
    violations, tally = tried(session, unencodable_cases(session, GROUPS))
    assert violations == []
    assert tally.cases["unencodable values"] == 0


def test_a_base_never_has_the_error_code_of_an_answer_in_version_0() -> None:
    """Inputs made from ApiVersionsResponse with error 35 are not judged, so they would test nothing."""
    session = masked(Mutant("honest", "message.accepted", ""), lambda name, value: name == "ErrorCode" and value > 133)
    assert bases_of(session, Body(GROUPS)).bases.populated["Groups"][0]["ErrorCode"] == 1
