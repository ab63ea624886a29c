import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.campaign.proof.evolution_witness import WITHOUT, Witness, witness_of, witnesses
from reference.evolution import Change, Effect
from reference.evolution import changes as compare
from reference.resolution import resolve
from reference.schema import MessageSchema
from tests.helpers.definitions import Properties, field, message, tagged
from tests.reference.evolution.definitions import in_dialect, parsed
from tests.reference.evolution.evolutions import EVOLUTIONS, Evolved

BREAKING = [case for case in EVOLUTIONS for found in case.changes()[:1] if found.effect is Effect.INCOMPATIBLE]
HARMLESS = [case for case in EVOLUTIONS if {found.effect for found in case.changes()} <= {Effect.COMPATIBLE}]


def pairs(case: Evolved) -> list[tuple[MessageSchema, MessageSchema]]:
    """The message at each version that both definitions have."""
    old, new = (in_dialect(case.dialect, each or message()) for each in (case.old, case.new))
    versions = old.valid_versions.intersect(new.valid_versions)
    return [(resolve(old, version), resolve(new, version)) for version in versions]


def only_change(old: Properties, new: Properties) -> tuple[Change, Witness | None]:
    before, after = parsed(old), parsed(new)
    (change,) = compare(before, after)
    return change, witness_of(change, [(resolve(before, version), resolve(after, version)) for version in (0, 1, 2)])


@pytest.mark.parametrize("case", BREAKING, ids=lambda case: f"{case.rule}-{case.versions}")
def test_incompatible_change_has_a_witness_or_its_rule_says_why_not(case: Evolved) -> None:
    for change in case.changes():
        if change.effect is Effect.INCOMPATIBLE:
            assert witness_of(change, pairs(case)) or change.rule in WITHOUT


@pytest.mark.parametrize("case", HARMLESS, ids=lambda case: f"{case.rule}-{case.versions}")
def test_compatible_change_has_no_witness(case: Evolved) -> None:
    assert [each for pair in pairs(case) for each in witnesses(*pair)] == []


def test_witness_of_a_default_is_the_field_that_nobody_set(snapshot: SnapshotAssertion) -> None:
    _, witness = only_change(message(tagged(default="5")), message(tagged(default="6")))
    assert witness is not None
    assert (witness.wire, witness.written, witness.read) == (b"\0", {"Some": 5}, {"Some": 6})
    assert (witness.writer.name, witness.writer.schema.version, witness.path) == ("old", 1, "Some")
    assert witness.problem == snapshot


def test_witness_of_a_default_in_versions_without_the_field_has_the_default_of_no_bytes(
    snapshot: SnapshotAssertion,
) -> None:
    _, witness = only_change(message(field(versions="3+")), message(field(versions="3+", default="5")))
    assert witness is not None
    assert witness.problem == snapshot


def test_default_of_a_field_that_is_always_written_has_no_witness() -> None:
    change, witness = only_change(message(field()), message(field(default="5")))
    assert (change.rule, witness) == ("evolution.default", None)


def test_bytes_of_another_field_are_no_witness_of_a_default() -> None:
    old, new = message(field(), field(name="A")), message(field(default="5"), field(name="A", type="int64"))
    before, after = parsed(old), parsed(new)
    schemas = [(resolve(before, version), resolve(after, version)) for version in (0, 1, 2)]
    found = {change.rule: witness_of(change, schemas) for change in compare(before, after)}
    assert found["evolution.default"] is None
    assert found["evolution.type"] is not None


def test_witness_of_nullability_is_null() -> None:
    text = field(type="string")
    _, witness = only_change(message(text | {"nullableVersions": "0+"}), message(text))
    assert witness is not None
    assert (witness.written, witness.read) == ({"Some": None}, None)
    assert witness.problem.startswith("refuses it: ")


def test_bytes_that_the_new_definition_writes_are_a_witness_as_well() -> None:
    text = field(type="string")
    _, witness = only_change(message(text), message(text | {"nullableVersions": "0+"}))
    assert witness is not None
    assert (witness.writer.name, witness.reader.name) == ("new", "old")


def test_witness_of_exchanged_tags_shows_other_values() -> None:
    one, two = tagged(name="One", type="int8"), tagged(name="Two", type="int8", tag=1)
    before, after = parsed(message(one, two)), parsed(message(one | {"tag": 1}, two | {"tag": 0}))
    for change in compare(before, after):
        witness = witness_of(change, [(resolve(before, version), resolve(after, version)) for version in (1, 2)])
        assert witness is not None
        assert witness.written != witness.read


@pytest.mark.parametrize(("old", "new"), [("int8", "bool"), ("int64", "float64"), ("string", "bytes")])
def test_byte_that_apache_kafka_takes_is_misread(old: str, new: str, snapshot: SnapshotAssertion) -> None:
    """It takes any byte but 0 as true, though the protocol leaves that open."""
    _, witness = only_change(message(field(type=old)), message(field(type=new)))
    assert witness is not None
    assert witness.read is not None
    assert witness.problem == snapshot


def test_equal_values_on_both_sides_are_no_witness() -> None:
    low, high = field(name="Low", type="int8"), field(name="High", type="int8")
    _, witness = only_change(message(low, high), message(high, low))
    assert witness is not None
    assert witness.written != witness.read


def test_witness_of_a_default_without_bytes_has_both_defaults() -> None:
    _, witness = only_change(message(field(versions="3+")), message(field(versions="3+", default="5")))
    assert witness is not None
    assert (witness.written, witness.read) == ({"Some": 0}, {"Some": 5})
