"""The adapter for the project's own reference."""

from __future__ import annotations

import pytest

from conformance.adapter_loading import load_adapter
from conformance.adapters import reference as adapter
from reference import load_release, minimal, releases

METADATA = load_release("4.3.0").schema("MetadataRequest", 12)
NO_TOPICS = {"Topics": [], "AllowAutoTopicCreation": True, "IncludeTopicAuthorizedOperations": False}
NO_TOPICS_WIRE = bytes.fromhex("01010000")


def test_it_loads_with_all_that_the_suite_can_use() -> None:
    """Both directions, sizes, reasons, and the two capabilities."""
    loaded = load_adapter("conformance.adapters.reference")
    assert None not in (loaded.encode, loaded.decode, loaded.size, loaded.classify)
    assert loaded.capabilities == {"unknown-tags", "absent-fields"}


def test_it_offers_every_version_of_every_committed_release() -> None:
    """The union over releases, in both directions."""
    pairs = {(each.message, each.version) for name in releases() for each in load_release(name).schemas()}
    assert load_adapter("conformance.adapters.reference").pairs() == pairs


def test_a_message_goes_both_ways() -> None:
    """Bytes by hand, their value, their size and how many were consumed."""
    assert adapter.encode(METADATA, NO_TOPICS) == NO_TOPICS_WIRE
    assert adapter.size(METADATA, NO_TOPICS) == len(NO_TOPICS_WIRE)
    decoded = adapter.decode(METADATA, NO_TOPICS_WIRE)
    assert (decoded.value, decoded.consumed) == (NO_TOPICS, len(NO_TOPICS_WIRE))


def test_a_rejection_is_declared_and_has_its_reason() -> None:
    """Malformed bytes are refused by a declared exception, with a reason from the closed list."""
    with pytest.raises(adapter.rejections) as caught:
        adapter.decode(METADATA, b"")
    assert adapter.classify(caught.value) == "truncated"


def test_a_refusal_to_write_is_declared_and_has_no_reason() -> None:
    """Reasons are about bytes; a value that cannot be written has none."""
    value = {**minimal(METADATA), "AllowAutoTopicCreation": None}
    with pytest.raises(adapter.rejections) as caught:
        adapter.encode(METADATA, value)
    assert adapter.classify(caught.value) is None
