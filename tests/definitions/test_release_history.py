from dataclasses import replace

import pytest

from conformance.definitions.catalogue import rules_of
from conformance.definitions.release_history import ChangeReason, History, history
from reference.definitions.model import VersionRange
from reference.evolution import EFFECTS, Change, DefinitionSet, Effect, release_changes
from tests.helpers import requirements
from tests.helpers.definitions import Properties, message, tagged
from tests.helpers.each import for_each
from tests.helpers.runs import invoke
from tests.reference.evolution.definitions import parsed

CHANGE = Change("Sample", VersionRange(0, 2), "Some", "evolution.type", Effect.INCOMPATIBLE, "int32 became int64")
REASON = ChangeReason("2", "3", "evolution.type", ("Sample",), "It was never used.", ("KIP-0",))
SAMPLE = History(("1", "2", "3", "4"), (REASON,))


@pytest.mark.parametrize("pair", [("2", "3"), ("1", "3"), ("1", "4"), ("2", "5"), ("2.5", "4"), ("1.9.1", "2.10.0")])
def test_reason_holds_for_all_pairs_around_the_change(pair: tuple[str, str]) -> None:
    assert SAMPLE.unexplained(*pair, [CHANGE]) == []


@pytest.mark.parametrize("pair", [("1", "2"), ("3", "4"), ("3.1", "3.2"), ("2", "mine")])
def test_reason_holds_for_no_other_pair(pair: tuple[str, str]) -> None:
    assert SAMPLE.unexplained(*pair, [CHANGE]) == [CHANGE]


@pytest.mark.parametrize("other", [replace(CHANGE, rule="evolution.default"), replace(CHANGE, message="Other")])
def test_reason_holds_for_its_rule_and_its_messages(other: Change) -> None:
    assert SAMPLE.unexplained("2", "3", [other]) == [other]


@pytest.mark.parametrize("effect", [Effect.UNSTABLE, Effect.COMPATIBLE])
def test_allowed_change_needs_no_reason(effect: Effect) -> None:
    assert SAMPLE.unexplained("3", "4", [replace(CHANGE, effect=effect)]) == []


def release_with(*fields: Properties) -> DefinitionSet:
    return DefinitionSet({"Sample": parsed(message(*fields))})


TRACE, FORWARDED = (tagged(name=name, type="string") for name in ("TraceId", "ForwardedBy"))


@pytest.mark.parametrize("later", [FORWARDED, FORWARDED | {"type": "int32"}], ids=["same type", "another type"])
def test_tag_reused_for_another_field_needs_a_reason(later: Properties) -> None:
    """Release 2 drops the tag. Neither this nor the addition in release 3 is incompatible with the release before."""
    members = {"1": release_with(TRACE), "2": release_with(), "3": release_with(later)}
    unexplained = {
        (old, new): [
            change.path for change in SAMPLE.unexplained(old, new, release_changes(members[old], members[new]))
        ]
        for old, new in (("1", "2"), ("2", "3"), ("1", "3"))
    }
    assert unexplained == {("1", "2"): [], ("2", "3"): [], ("1", "3"): ["TraceId"]}


def test_tag_reused_in_later_versions_needs_a_reason() -> None:
    versions = tagged(name="ForwardedBy", type="string", versions="3+", taggedVersions="3+")
    new = DefinitionSet({"Sample": parsed(message(versions, validVersions="3-4"))})
    found = SAMPLE.unexplained("1", "3", release_changes(release_with(TRACE), new))
    assert "evolution.tag-renamed" in {change.rule for change in found}


def test_reason_without_its_change_is_stale() -> None:
    assert SAMPLE.stale({("2", "3"): [CHANGE]}) == []
    assert SAMPLE.stale({("1", "2"): [CHANGE], ("2", "3"): []}) == [(REASON, "Sample")]


def test_pairs_are_each_release_with_each_later_one() -> None:
    assert history().pairs()[:3] == [("2.4.0", "2.8.2"), ("2.4.0", "3.0.2"), ("2.4.0", "3.3.2")]
    assert len(history().pairs()) == 36


@for_each(history().explanations)
def test_entry_is_whole(entry: ChangeReason) -> None:
    releases = history().releases
    assert releases.index(entry.after) < releases.index(entry.by)
    assert EFFECTS[entry.rule] is not Effect.COMPATIBLE
    assert entry.rule in rules_of()
    assert sorted(set(entry.messages)) == list(entry.messages)
    assert entry.reason.endswith(".")
    assert entry.sources


@pytest.mark.java
def test_every_change_between_releases_has_a_reason() -> None:
    """Every reason has a change as well, over all pairs. Maven fetches the older releases."""
    requirements.java_and_maven()
    result = invoke("specs", "history")
    assert result.exit_code == 0, result.output
    lines = [line for line in result.stdout.splitlines() if " -> " in line]
    assert len(lines) == len(history().pairs())
    assert all(line.endswith("; without a reason: 0") for line in lines)
