from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from conformance.adapters import reference as reference_adapter
from conformance.bridge.loading import load_adapter
from conformance.catalogue.rules import catalogue, rules_of
from conformance.checks.hostile_bytes import HostileBytesCase, check_hostile_cases
from conformance.checks.records.hostile_bytes import check_hostile_records
from conformance.checks.stored import check_stored
from conformance.checks.unspecified_values import check_unspecified_values
from conformance.generate.records.edges import GROUPS
from conformance.implementation.driver import Implementation
from conformance.implementation.loaded_adapter import LoadedAdapter
from reference import load_release, newest_release
from reference.definitions.rules import RULES
from reference.evolution import EFFECTS
from tests.fakes.lenient_codecs import ACCEPTING, REFUSING
from tests.helpers.limits import MANY_ELEMENTS, MANY_FIELDS, too_many_elements, too_many_fields
from tests.helpers.sessions import session_of

RELEASE = load_release(newest_release())
UNSPECIFIED = {rule.id for rule in rules_of().values() if rule.side != "definition" and rule.level == "unspecified"}
"""Of what adapters read: messages, what stands around them, and record batches."""
EVOLUTION_RULES = {rule for rule in rules_of() if rule.startswith("evolution.")}
DEFINITION_RULES = {rule.id for rule in rules_of().values() if rule.side == "definition"} - EVOLUTION_RULES


@cache
def reference() -> LoadedAdapter:
    """The adapter of the reference, which takes a second to list the definitions of every release."""
    return load_adapter(reference_adapter.__name__)


def unspecified_values() -> Iterator[str]:
    session = session_of(Implementation(reference()))
    for message, version in (("MetadataRequest", 12), ("HeartbeatRequest", 4)):
        assert not list(check_unspecified_values(session, RELEASE.schema(message, version)))
    yield from (rule for rule, _ in session.tally.profiles)


def unspecified_storage() -> Iterator[str]:
    """Yield the rules that a codec of stored messages breaks if it crashes on all of them."""

    def crash(*_: Any, **__: Any) -> Any:
        raise MemoryError

    session = session_of(Implementation(replace(reference(), decode_prefixed=crash, decode_record=crash)))
    for message in ("ConsumerGroupMetadataKey", "ConsumerGroupMetadataValue", "TopicRecord"):
        yield from (violation.rule for violation in check_stored(session, RELEASE.schema(message, 0)))


def empty_elements() -> Iterator[str]:
    example = catalogue()["count.empty-elements"].example
    schema, wires = example.schema(), {"empty": example.right, "one-element": example.wrong}
    cases = [HostileBytesCase(schema, name, "", wire or b"", base="empty") for name, wire in wires.items()]
    supported = {schema.message: frozenset({schema.version})}
    session = session_of(Implementation(replace(reference(), supported={"encode": supported, "decode": supported})))
    assert not list(check_hostile_cases(session, schema, cases))
    yield from (rule for rule, _ in session.tally.profiles)


def beyond_limits() -> Iterator[str]:
    session = session_of(Implementation(reference()))
    for schema, wire in ((MANY_FIELDS, too_many_fields()), (MANY_ELEMENTS, too_many_elements())):
        assert not list(check_hostile_cases(session, schema, [HostileBytesCase(schema, "many", "", wire, base="many")]))
    yield from (rule for rule, _ in session.tally.profiles)


def record_batches() -> Iterator[str]:
    session = session_of(Implementation(reference()))
    for group in GROUPS:
        assert not list(check_hostile_records(session, group))
    yield from (rule for rule, _ in session.tally.profiles)


def test_every_unspecified_wire_rule_is_named_by_a_check() -> None:
    """In the profile, or after a crash; the other rules have mutants (tests/mutants/test_evidence.py)."""
    freedoms = {mutant.rule for mutant in (*REFUSING, *ACCEPTING)}
    checked = {*unspecified_values(), *unspecified_storage(), *empty_elements(), *beyond_limits(), *record_batches()}
    assert UNSPECIFIED - freedoms - checked == set()


def test_every_rule_about_changes_has_an_effect() -> None:
    assert set(EFFECTS) == EVOLUTION_RULES


def test_every_check_of_definitions_has_a_rule() -> None:
    assert {rule for rule in RULES if rule.startswith("definition.")} <= DEFINITION_RULES
