from typing import Any

import pytest

from reference import FieldSchema, MessageSchema, load_release

OLD, NEW = load_release("3.9.1"), load_release("4.3.0")

CHANGED_LAYOUT = {"ReadShareGroupStateSummaryResponse-v0", "ShareGroupMetadataValue-v0"}
"""Unstable versions: they may change until they are released for good."""

GAINED_TAGGED_FIELDS = {
    "ConsumerGroupCurrentMemberAssignmentValue-v0",
    "ConsumerGroupMetadataValue-v0",
    "ConsumerGroupTargetAssignmentMetadataValue-v0",
    "OffsetCommitValue-v4",
    "RemoteLogSegmentMetadataRecord-v0",
    "RemoteLogSegmentMetadataSnapshotRecord-v0",
    "TransactionLogValue-v1",
}
"""Tagged fields may be added to a version that exists (README, Tagged Fields)."""

CHANGED_NAMES_OR_DEFAULTS = {"VoteRequest-v0", "VoteRequest-v1"}


def pairs(schemas: Any) -> dict[str, MessageSchema]:
    return {str(schema): schema for schema in schemas}


OLD_PAIRS, NEW_PAIRS = pairs(OLD.schemas()), pairs(NEW.schemas())
COMMON = sorted(OLD_PAIRS.keys() & NEW_PAIRS.keys())


def layout(field: FieldSchema) -> tuple[Any, ...]:
    """What decides about bytes, and nothing else: neither names nor defaults of positional fields."""
    return (
        field.type,
        field.nullable,
        field.compact,
        field.tag,
        field.flexible,
        None if field.tag is None else repr(field.default),
        None if field.element is None else layout(field.element),
        tuple(layout(each) for each in field.fields if each.tag is None),
    )


def tags(field: FieldSchema) -> tuple[Any, ...]:
    inner = field.item
    return (field.tag, layout(field) if field.tag is not None else None, tuple(tags(each) for each in inner.fields))


def named(field: FieldSchema) -> tuple[Any, ...]:
    return (
        field.name,
        repr(field.default),
        None if field.element is None else named(field.element),
        tuple(named(each) for each in field.fields),
    )


def differing(aspect: Any) -> set[str]:
    return {pair for pair in COMMON if aspect(OLD_PAIRS[pair].body) != aspect(NEW_PAIRS[pair].body)}


def test_pairs_that_both_releases_have() -> None:
    assert (len(OLD_PAIRS), len(NEW_PAIRS), len(COMMON)) == (751, 739, 618)


def test_layouts_agree_but_for_an_unstable_version() -> None:
    assert differing(layout) == CHANGED_LAYOUT


def test_names_and_defaults_agree_but_where_they_were_changed() -> None:
    assert differing(named) - CHANGED_LAYOUT - GAINED_TAGGED_FIELDS == CHANGED_NAMES_OR_DEFAULTS


def test_tagged_fields_were_added_to_versions_that_existed() -> None:
    assert differing(tags) - CHANGED_LAYOUT == GAINED_TAGGED_FIELDS


@pytest.mark.parametrize("pair", ["ControlledShutdownRequest-v0", "LeaderAndIsrRequest-v7", "FetchRequest-v0"])
def test_pairs_that_went(pair: str) -> None:
    """What 4.x dropped is there in 3.9.1 only."""
    assert pair in OLD_PAIRS
    assert pair not in NEW_PAIRS
