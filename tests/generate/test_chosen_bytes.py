"""The changes of bytes chosen for vectors, and for the suite."""

from collections import Counter

from conformance.generate.chosen_bytes import FEW, FEW_UNSPECIFIED, changes_of_bases, chosen_bases, chosen_changes
from conformance.generate.depth import Depth, depth_in
from conformance.generate.edge_values import Bases
from conformance.generate.structure import IN_SECTION, Scope
from reference import MessageSchema, Verdict, judge, load_release
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)
FLEXIBLE, LEGACY = (RELEASE.schema("MetadataRequest", version) for version in (13, 8))


def test_bases_have_unknown_tags_in_a_flexible_version() -> None:
    assert [*chosen_bases(FLEXIBLE)] == ["tagged", "unknown-tag"]
    assert [*chosen_bases(LEGACY)] == ["populated", "minimal"]


def test_a_message_is_cut_once_for_each_rule_at_the_most() -> None:
    cuts = [cut for _, cut in chosen_changes(FLEXIBLE, Depth.THOROUGH) if cut.scope is Scope.CUT]
    assert {cut.way for cut in cuts} == {"before", "inside"}
    assert max(Counter((cut.rule, cut.way) for cut in cuts).values()) == 1


def test_a_pair_with_few_cases_has_the_most_important_ways() -> None:
    found = [change for _, change in chosen_changes(FLEXIBLE, Depth.FEW) if change.scope is not Scope.CUT]
    assert {change.way for change in found if change.scope is Scope.SPAN} <= FEW | FEW_UNSPECIFIED
    assert any(change.role == IN_SECTION for change in found)


def test_verdicts_are_those_of_the_caller() -> None:
    asked = []

    def judged(wire: bytes) -> Verdict:
        asked.append(wire)
        return judge(FLEXIBLE, wire)

    found = [change.wire for _, change in chosen_changes(FLEXIBLE, Depth.FEW, judged=judged)]
    assert found == [change.wire for _, change in chosen_changes(FLEXIBLE, Depth.FEW)]
    assert asked


def test_bases_are_those_of_the_caller() -> None:
    bases = Bases.usual(FLEXIBLE)
    without = bases._replace(tagged=bases.populated, unknown_tag=bases.minimal)
    [rich, smallest] = chosen_bases(FLEXIBLE, without).values()
    assert rich.wire != chosen_bases(FLEXIBLE)["tagged"].wire
    assert smallest.wire != chosen_bases(FLEXIBLE)["unknown-tag"].wire


def test_changes_of_other_bases_are_at_the_chosen_places() -> None:
    fetch = RELEASE.schema("FetchRequest", 18)
    bases = Bases.usual(fetch)
    state = {"ReplicaState": {"ReplicaId": 5, "ReplicaEpoch": 7}}
    with_state = bases._replace(unknown_tag={**(bases.unknown_tag or {}), **state})
    assert _sizes_of_unknown_tags(fetch, with_state) == _sizes_of_unknown_tags(fetch, bases) == ["_tags[0]"]


def test_changes_of_equal_bases_are_the_chosen_ones() -> None:
    same = list(changes_of_bases(FLEXIBLE, Depth.THOROUGH, Bases.usual(FLEXIBLE)))
    assert same == list(chosen_changes(FLEXIBLE, Depth.THOROUGH))


def _sizes_of_unknown_tags(schema: MessageSchema, bases: Bases) -> list[str]:
    found = (change for base, change in changes_of_bases(schema, Depth.THOROUGH, bases) if base == "unknown-tag")
    return [
        change.span.path
        for change in found
        if change.span and change.rule == "tag.size" and change.way == "varint-six-bytes"
    ]


def test_newest_version_of_a_release_is_thorough() -> None:
    assert depth_in(RELEASE, "MetadataRequest", 13) is Depth.THOROUGH
    assert depth_in(RELEASE, "MetadataRequest", 12) is Depth.FEW
    assert depth_in(RELEASE, "FindCoordinatorRequest", 2) is Depth.THOROUGH
    assert depth_in(RELEASE, "NoMessageOfIt", 0) is Depth.FEW
