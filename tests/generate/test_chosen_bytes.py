"""The changes of bytes chosen for vectors, and for the suite."""

from collections import Counter

from conformance.generate.chosen_bytes import FEW, FEW_UNSPECIFIED, chosen_bases, chosen_changes
from conformance.generate.depth import Depth, depth_in
from conformance.generate.edge_values import Bases
from conformance.generate.structure import IN_SECTION, Scope
from reference import Verdict, judge, load_release
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


def test_newest_version_of_a_release_is_thorough() -> None:
    assert depth_in(RELEASE, "MetadataRequest", 13) is Depth.THOROUGH
    assert depth_in(RELEASE, "MetadataRequest", 12) is Depth.FEW
    assert depth_in(RELEASE, "FindCoordinatorRequest", 2) is Depth.THOROUGH
    assert depth_in(RELEASE, "NoMessageOfIt", 0) is Depth.FEW
