import pytest
from hypothesis import HealthCheck, Phase, given, settings

from conformance.generate.hostile_bodies import FEWEST, hostile_cases, many_hostile_bytes
from reference import MessageSchema, Result, encode, judge, minimal, newest_release
from tests.helpers.probes import field, message, tagged
from tests.helpers.sweeps import swept

FLEXIBLE = message(
    field("Flag", "bool"),
    field("Text", "string"),
    field("Maybe", "string", nullableVersions="0+"),
    field("Blob", "bytes"),
    field("Numbers", "[]int32"),
    field("Child", "Child", field("Inner", "string"), nullableVersions="0+", default="null"),
    tagged("Number", "int32", 0, default="7"),
    tagged("Names", "[]string", 1),
    field("Old", "int8", versions="1+", tag=2, taggedVersions="1+"),
)
LEGACY = message(
    field("Flag", "bool"),
    field("Text", "string"),
    field("Maybe", "string", nullableVersions="0+"),
    field("Numbers", "[]int32"),
    flexible="none",
)
ALWAYS = {
    "bool.other-than-0-1",
    "input.trailing-bytes",
    "input.truncated",
    "length.negative",
    "length.within-input",
    "count.within-input",
    "null.not-allowed",
    "string.malformed-utf8",
}
"""What can be wrong with bytes in any version."""

IN_FLEXIBLE_ONES = {
    "string.too-long",
    "struct.other-marker",
    "tag.beyond-31-bits",
    "tag.count-negative",
    "tag.duplicate",
    "tag.explicit-default",
    "tag.not-in-this-version",
    "tag.order-on-read",
    "tag.size-mismatch",
    "tag.size-within-input",
    "varint.excess-bits",
    "varint.overlong",
    "varint.too-long",
}
KINDS = [
    pytest.param(LEGACY, ALWAYS | {"null.other-negative"}, id="legacy"),
    pytest.param(FLEXIBLE, (ALWAYS - {"length.negative"}) | IN_FLEXIBLE_ONES, id="flexible"),
]
DRAWS = 1_000
"""Ten times as many as it has taken so far."""


def rules_of(schema: MessageSchema, wires: list[bytes]) -> set[str]:
    return {rule for wire in wires for rule in judge(schema, wire).rules}


def drawn(schema: MessageSchema) -> list[bytes]:
    found: list[bytes] = []

    @settings(
        max_examples=DRAWS,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(wires=many_hostile_bytes(schema, 1))
    def draw(wires: list[bytes]) -> None:
        found.extend(wires)

    draw()
    return found


@pytest.mark.parametrize(("schema", "rules"), KINDS)
def test_the_fixed_set_departs_from_every_rule(schema: MessageSchema, rules: set[str]) -> None:
    wires = [case.wire for case in hostile_cases(schema)]
    assert rules_of(schema, wires) >= rules


@pytest.mark.parametrize(("schema", "rules"), KINDS)
def test_chance_departs_from_every_rule(schema: MessageSchema, rules: set[str]) -> None:
    assert rules_of(schema, drawn(schema)) >= rules


@pytest.mark.parametrize("schema", [LEGACY, FLEXIBLE], ids=["legacy", "flexible"])
def test_some_hostile_bytes_are_valid(schema: MessageSchema) -> None:
    results = {judge(schema, case.wire).result for case in hostile_cases(schema)}
    assert results == set(Result)


@pytest.mark.parametrize("schema", [LEGACY, FLEXIBLE], ids=["legacy", "flexible"])
def test_cases_differ(schema: MessageSchema) -> None:
    """A base may have the bytes of an earlier change, whose name does not make it a base."""
    cases = list(hostile_cases(schema))
    assert len({case.name for case in cases}) == len(cases)
    changed = [case.wire for case in cases if case.origin.way]
    assert len(set(changed)) == len(changed)


def test_the_fixed_set_is_always_the_same() -> None:
    assert list(hostile_cases(FLEXIBLE)) == list(hostile_cases(FLEXIBLE))


def test_there_are_enough_cases_of_the_smallest_message() -> None:
    empty = message(flexible="none")
    assert len(list(hostile_cases(empty))) == FEWEST


def test_every_pair_has_enough_cases() -> None:
    counts = {str(schema): sum(1 for _ in hostile_cases(schema)) for schema in swept(newest_release())}
    assert {name: count for name, count in counts.items() if count < FEWEST} == {}


def test_the_marker_of_a_struct_is_any_byte() -> None:
    first = len(encode(FLEXIBLE, minimal(FLEXIBLE))) - len(b"\xff\0")
    markers = {case.wire[first] for case in hostile_cases(FLEXIBLE) if case.name.startswith("minimal/")}
    assert markers >= {0x00, 0x01, 0x02, 0x7F, 0x80, 0xFE, 0xFF}
