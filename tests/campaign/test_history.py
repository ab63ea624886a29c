"""Campaigns of a history, their new, gone and known findings, and a campaign beside runs of the suite."""

from pathlib import Path

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.campaign.folder import NotThisCampaign
from conformance.campaign.history import (
    FindingId,
    Night,
    NotInCampaign,
    PastFinding,
    Totals,
    beside,
    keep_night,
    news,
    nights,
    trends_of,
)
from conformance.campaign.pipeline.storage import Storage
from tests.report.lines import CASE, FINDING, KNOWN, report_of

RULE = str(FINDING["rule"])


def night(day: int, *rules: str, implementation: str = "codec") -> Night:
    """Return a campaign of a day with a finding of each rule."""
    seen = tuple(PastFinding(known(rule, implementation), 1, 1, "...") for rule in rules)
    tested = (Totals(implementation, "1", 100, 10.0),)
    return Night(f"{day:0<16}", f"2026-01-{day:02}T03:00:00+00:00", tested, seen)


def known(rule: str, implementation: str = "codec") -> FindingId:
    return FindingId(implementation, rule, "bytes", "")


def test_a_first_campaign_has_only_news() -> None:
    changes = news(night(1, "a", "b"), [])
    assert (changes.new, changes.gone, changes.known, changes.first) == ([known("a"), known("b")], [], {}, ["codec"])


def test_news_compare_with_the_last_campaign() -> None:
    """A known finding has the time of its first campaign, and one that was gone is new again."""
    changes = news(night(3, "b", "c"), [night(1, "b", "c"), night(2, "a", "b")])
    assert changes.new == [known("c")]
    assert changes.gone == [known("a")]
    assert changes.known == {known("b"): "2026-01-01T03:00:00+00:00"}
    assert changes.first == []


def test_two_campaigns_of_one_second_come_one_after_the_other() -> None:
    """Times have no parts of a second."""
    first, second = night(1, "a"), msgspec.structs.replace(night(2, "a"), finished=night(1).finished)
    assert news(second, [first]).known == {known("a"): first.finished}


def test_a_campaign_of_another_implementation_says_nothing_about_this_one() -> None:
    """Its findings are not gone, and this one's last campaign is the one before it."""
    before = [night(1, "a"), night(2, "b", implementation="other")]
    changes = news(night(3, "a"), before)
    assert (changes.new, changes.gone, list(changes.known)) == ([], [], [known("a")])


def test_a_history_keeps_each_campaign_once(tmp_path: Path) -> None:
    """A night without findings is a night, too, and the oldest comes first."""
    storage = Storage(str(tmp_path))
    for each in (night(2, "a"), night(1), night(2, "a")):
        keep_night(storage, each)
    assert nights(storage) == [night(1), night(2, "a")]


def test_campaigns_of_equal_outcomes_are_two(tmp_path: Path) -> None:
    """The same cases on the same codec have the same outcomes every time."""
    storage, first = Storage(str(tmp_path)), night(1, "a")
    second = msgspec.structs.replace(first, finished=night(2).finished)
    for each in (first, second, second):
        keep_night(storage, each)
    assert nights(storage) == [first, second]
    assert news(second, [first, second]).known == {known("a"): first.finished}
    [trend] = trends_of([first, second])
    assert [(each.findings, each.new, each.gone) for each in trend.campaigns] == [(1, None, None), (1, 0, 0)]


def test_file_other_than_a_night_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(NotThisCampaign, match=r"x\.json"):
        nights(Storage(str(tmp_path)))


def test_a_folder_of_something_else_is_no_history(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(NotThisCampaign) as caught:
        keep_night(Storage(str(tmp_path)), night(1))
    assert str(caught.value).replace(str(tmp_path), "…") == snapshot
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    "finding",
    [FINDING, KNOWN, {**FINDING, "example": {**CASE, "kind": "frame"}}],
    ids=["of a body", "listed", "around a body"],
)
def test_cases_of_a_run_and_of_a_campaign_are_counted_by_rule(finding: dict[str, object]) -> None:
    """Known failures and those around bodies count as well."""
    in_run, in_campaign = beside(night(1, "a", RULE), report_of(finding, implementation="codec"))
    assert in_run == {RULE: finding["count"]}
    assert in_campaign == {"a": 1, RULE: 1}


def test_findings_of_other_implementations_do_not_count(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(NotInCampaign) as caught:
        beside(night(1, RULE, implementation="other"), report_of(FINDING, implementation="codec"))
    assert str(caught.value) == snapshot
