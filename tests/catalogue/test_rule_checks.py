"""Every rule is named by a check of the suite, by the reader of definitions, or by the comparison of definitions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.adapters import reference as reference_adapter
from conformance.catalogue.rules import catalogue, rules_of
from conformance.checks.deterministic import check_refusals
from conformance.checks.hostile import check_hostile_cases
from conformance.checks.stored import check_stored
from conformance.findings.tally import Tally
from conformance.generate.hostile import HostileCase
from conformance.implementation.driver import Implementation
from conformance.implementation.loading import load_adapter
from reference import load_release, newest_release
from reference.definitions.field_rules import FIELD_RULES
from reference.definitions.message_rules import MESSAGE_RULES, STRUCT_RULES
from reference.evolution import EFFECTS
from tests.fakes.lenient_codecs import ACCEPTING, REFUSING

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASE = load_release(newest_release())
REFERENCE = load_adapter(reference_adapter.__name__)
UNSPECIFIED = {rule.id for rule in rules_of().values() if rule.side != "definition" and rule.level == "unspecified"}
EVOLUTION_RULES = {rule for rule in rules_of() if rule.startswith("evolution.")}
DEFINITION_RULES = {rule.id for rule in rules_of().values() if rule.side == "definition"} - EVOLUTION_RULES


def unspecified_values() -> Iterator[str]:
    """Yield the rules of values that the reference refuses and other codecs may write."""
    tally = Tally()
    for message, version in (("MetadataRequest", 12), ("HeartbeatRequest", 4)):
        assert not list(check_refusals(Implementation(REFERENCE), RELEASE.schema(message, version), tally))
    yield from (rule for rule, _ in tally.profiles)


def unspecified_storage() -> Iterator[str]:
    """Yield the rules that a codec of stored messages breaks if it crashes on all of them."""

    def crash(*_: Any, **__: Any) -> Any:
        raise MemoryError

    implementation = Implementation(replace(REFERENCE, decode_prefixed=crash, decode_record=crash))
    for message in ("ConsumerGroupMetadataKey", "ConsumerGroupMetadataValue", "TopicRecord"):
        violations = check_stored(implementation, None, RELEASE, RELEASE.schema(message, 0), Tally())
        yield from (violation.rule for violation in violations)


def empty_elements() -> Iterator[str]:
    """Yield the rule of elements without bytes, which no released message has."""
    example, tally = catalogue()["count.empty-elements"].example, Tally()
    schema, cases = example.schema(), [("empty", example.right), ("empty/one-element", example.wrong)]
    hostile = [HostileCase(name, "", wire or b"") for name, wire in cases]
    supported = {schema.message: frozenset({schema.version})}
    implementation = Implementation(replace(REFERENCE, supported={"encode": supported, "decode": supported}))
    assert not list(check_hostile_cases(implementation, None, schema, hostile, tally))
    yield from (rule for rule, _ in tally.profiles)


def test_every_unspecified_wire_rule_is_named_by_a_check() -> None:
    """In the profile, or after a crash; the other rules have mutants (tests/mutants/test_evidence.py)."""
    freedoms = {mutant.rule for mutant in (*REFUSING, *ACCEPTING)}
    assert UNSPECIFIED - freedoms - {*unspecified_values(), *unspecified_storage(), *empty_elements()} == set()


def test_every_rule_about_changes_has_an_effect() -> None:
    """Whatever differs between two definitions is judged."""
    assert set(EFFECTS) == EVOLUTION_RULES


def test_every_check_of_definitions_has_a_rule() -> None:
    """The ids in the tables of the reader are those of the catalogue."""
    for ids in (
        {rule.id for rule in MESSAGE_RULES},
        {rule.id for rule in STRUCT_RULES},
        {rule.id for rule in FIELD_RULES},
    ):
        assert ids <= DEFINITION_RULES
