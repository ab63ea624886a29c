from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.adapters import reference as reference_adapter
from conformance.codec.python_codec import PythonCodec
from conformance.definitions.catalogue import catalogue, rules_of
from conformance.judge.checks.body_bytes import hostile_case
from conformance.judge.checks.hostile_record_cases import hostile_records
from conformance.judge.checks.special_values import unspecified_value_cases
from conformance.judge.checks.stored_cases import stored_checks
from conformance.judge.count_lines import UnspecifiedProfile
from conformance.judge.engine import violations
from conformance.targets import RECORD_GROUPS
from reference import load_release, newest_release
from reference.definitions.rules import RULES
from reference.evolution import EFFECTS
from tests.helpers.adapters import load_adapter
from tests.helpers.limits import MANY_ELEMENTS, MANY_FIELDS, too_many_elements, too_many_fields
from tests.helpers.sessions import session_of, tried
from tests.judge.checks.test_unspecified_values import OUTSIDE, values_written, with_all_fields
from tests.mutants.catalogue import LEGAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.codec.loaded_adapter import LoadedAdapter
    from conformance.codec.session import Session
    from conformance.judge.case import Event
from conformance.judge.kinds import CodecCase

RELEASE = load_release(newest_release())
UNSPECIFIED = {rule.id for rule in rules_of().values() if rule.side != "definition" and rule.level == "unspecified"}
"""Of what adapters read: messages, what stands around them, and record batches."""
EVOLUTION_RULES = {rule for rule in rules_of() if rule.startswith("evolution.")}
DEFINITION_RULES = {rule.id for rule in rules_of().values() if rule.side == "definition"} - EVOLUTION_RULES


@cache
def reference() -> LoadedAdapter:
    """The adapter of the reference, made once, as listing the definitions of every release takes a second."""
    return load_adapter(reference_adapter.__name__)


def left_open(session: Session, cases: Iterable[CodecCase | Event]) -> Iterator[str]:
    """Yield the rules of the profile. None of them is broken."""
    found, tally = tried(session, cases)
    assert not found
    yield from (rule for rule, _ in tally.of(UnspecifiedProfile))


def unspecified_values() -> Iterator[str]:
    session = session_of(PythonCodec(reference()))
    for message, version in (("MetadataRequest", 12), ("HeartbeatRequest", 4)):
        yield from left_open(session, unspecified_value_cases(session, RELEASE.schema(message, version)))


def unspecified_storage() -> Iterator[str]:
    """Yield the rules broken by a codec of stored messages if it crashes on all of them."""

    def crash(*_: Any, **__: Any) -> Any:
        raise MemoryError

    session = session_of(PythonCodec(replace(reference(), decode_prefixed=crash, decode_record=crash)))
    for message in ("ConsumerGroupMetadataKey", "ConsumerGroupMetadataValue", "TopicRecord"):
        cases = stored_checks(session, RELEASE.schema(message, 0))
        yield from (violation.rule for violation in violations(session, cases))


def empty_elements() -> Iterator[str]:
    example = catalogue()["count.empty-elements"].example
    schema, wires = example.schema(), {"empty": example.right, "one-element": example.wrong}
    cases = [hostile_case(schema, name, wire or b"", base="empty") for name, wire in wires.items()]
    supported = {schema.message: frozenset({schema.version})}
    session = session_of(PythonCodec(replace(reference(), supported={"encode": supported, "decode": supported})))
    yield from left_open(session, cases)


def beyond_limits() -> Iterator[str]:
    session = session_of(PythonCodec(reference()))
    for schema, wire in ((MANY_FIELDS, too_many_fields()), (MANY_ELEMENTS, too_many_elements())):
        yield from left_open(session, [hostile_case(schema, "many", wire, base="many")])


def record_batches() -> Iterator[str]:
    session = session_of(PythonCodec(reference()))
    for group in RECORD_GROUPS:
        yield from left_open(session, hostile_records(session, group))


def defaults_of_nan() -> Iterator[str]:
    found, tally = values_written(OUTSIDE, with_all_fields)
    assert not found
    yield from (rule for rule, _ in tally.of(UnspecifiedProfile))


def test_every_unspecified_wire_rule_is_named_by_a_check() -> None:
    """It is named in the profile, or after a crash. The other rules have mutants (tests/mutants/test_evidence.py)."""
    freedoms = {mutant.rule for mutant in LEGAL}
    checked = {*unspecified_values(), *unspecified_storage(), *empty_elements(), *beyond_limits(), *record_batches()}
    assert UNSPECIFIED - freedoms - checked - {*defaults_of_nan()} == set()


def test_every_rule_about_changes_has_an_effect() -> None:
    assert set(EFFECTS) == EVOLUTION_RULES


def test_every_check_of_definitions_has_a_rule() -> None:
    assert {rule for rule in RULES if rule.startswith("definition.")} <= DEFINITION_RULES
