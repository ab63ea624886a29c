"""Things created by a run are removed at its end, and nothing else."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.live.server.cleanup import PREFIX, clean_up
from conformance.live.server.server import Server
from tests.fakes.keeping_server import Kept, keeping
from tests.fakes.lying_server import DEFINITIONS, Fake
from tests.live.server.test_safety import broker

OURS, OTHERS = f"{PREFIX}a", "orders"
CATEGORIES = ("topics", "groups", "acls", "users")


@pytest.fixture
def kept() -> Kept:
    return {category: {OURS, OTHERS} for category in CATEGORIES}


def test_things_of_the_suite_are_removed_and_others_stay(kept: Kept, snapshot: SnapshotAssertion) -> None:
    """Topics, groups, ACLs and credentials have one line each."""
    with Fake(keeping(kept)) as fake:
        sentences = clean_up(Server(fake.address, DEFINITIONS, deadline=60.0))
    assert kept == {category: {OTHERS} for category in CATEGORIES}
    assert sorted(sentences) == snapshot


def test_thing_left_on_the_server_is_named(kept: Kept, snapshot: SnapshotAssertion) -> None:
    """A group with a member stays, and the run names it."""
    with Fake(keeping(kept, stuck=OURS)) as fake:
        sentences = clean_up(Server(fake.address, DEFINITIONS, deadline=60.0), patience=0.0)
    assert [each for each in sentences if OURS in each.split()] == snapshot
    assert kept["topics"] == {OTHERS}


def test_unreachable_server_is_reported_as_not_cleaned_up(kept: Kept) -> None:
    """Without an answer the run claims nothing about the server."""
    with Fake(keeping(kept)) as fake:
        server = Server(fake.address, DEFINITIONS, deadline=60.0)
        assert server.announced.entries
    [sentence] = clean_up(server)
    assert sentence.startswith("not cleaned up")


@pytest.mark.parametrize(("option", "left"), [("--throw-away", {OTHERS}), ("--no-op", {OURS, OTHERS})])
def test_run_cleans_up_after_a_creating_tier(kept: Kept, option: str, left: set[str]) -> None:
    """A tier that creates nothing removes nothing."""
    with Fake(keeping(kept)) as fake:
        status, text = broker(str(fake.address), option, "-k", "announcement")
    assert status == pytest.ExitCode.OK
    assert kept["groups"] == left
    assert ("cleaned up: 1 groups" in text) == (left == {OTHERS})
