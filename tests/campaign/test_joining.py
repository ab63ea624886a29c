"""Joining small files of outcomes keeps the outcomes, and an end half way loses nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.campaign.attempts import Attempts, NotThisCampaign, kept
from conformance.campaign.folder import all_kept, finish, reopen
from conformance.campaign.joining import groups, join, with_joined
from conformance.campaign.preparation import Campaign
from conformance.campaign.spark.storage import Storage
from tests.campaign.conftest import HONEST, LIARS, campaign_of, distilled, planned, rows_of, run_all


def records(*sizes: int, label: str = "one") -> list[dict[str, object]]:
    return [{"name": f"{number}-1-a", "implementation": label, "bytes": size} for number, size in enumerate(sizes)]


def set_sizes(monkeypatch: pytest.MonkeyPatch, least: int, aim: int) -> None:
    monkeypatch.setattr("conformance.campaign.joining.LEAST", least)
    monkeypatch.setattr("conformance.campaign.joining.AIM", aim)


@pytest.mark.parametrize(
    ("sizes", "joined"),
    [
        ((4, 5), []),
        ((5, 6), ["01"]),
        ((9, 9, 9, 9), ["0123"]),
        ((9, 9, 9, 9, 9), ["012", "34"]),
        ((9, 9, 9, 9, 9, 9), ["012", "345"]),
        ((25, 30, 9, 15), ["23"]),
        ((25, 9), ["01"]),
        ((25, 30), []),
    ],
)
def test_files_are_joined_where_there_is_as_much_as_a_file_holds(
    monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...], joined: list[str]
) -> None:
    set_sizes(monkeypatch, 10, 20)
    assert ["".join(name[0] for name in group) for group in groups(records(*sizes))] == joined


def test_files_of_two_implementations_are_not_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    set_sizes(monkeypatch, 10, 20)
    assert groups([*records(15), *records(15, label="other")]) == []


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_parts: Callable[[int], None]) -> Campaign:
    """A campaign of several files to be joined."""
    set_sizes(monkeypatch, 1, 1 << 20)
    small_parts(300)
    campaign = campaign_of(HONEST, f"{LIARS}:WrongSize", fixed=True)
    assert len(run_all(campaign, tmp_path)["tasks"]) > 4
    return campaign


def kept_of(folder: Path, campaign: Campaign) -> Attempts:
    return all_kept(Storage(str(folder)), campaign.parameters, planned(campaign))


def joined(folder: Path, campaign: Campaign) -> Attempts:
    """Join all files of an implementation, and return the valid attempts."""
    storage, found = Storage(str(folder)), kept_of(folder, campaign)
    reopen(storage)
    wanted = groups(found.records)
    return with_joined(found, wanted, [join(storage, group) for group in wanted])


def test_joined_files_have_the_same_outcomes(tmp_path: Path, run: Campaign) -> None:
    before = rows_of(tmp_path)
    manifest = finish(Storage(str(tmp_path)), run.parameters, joined(tmp_path, run), 0.0)
    assert len(manifest["tasks"]) < len(run.parts)
    assert rows_of(tmp_path) == before
    assert len(list(tmp_path.rglob("*.parquet"))) == len(manifest["tasks"])


def test_joined_files_have_the_same_findings(tmp_path: Path, run: Campaign) -> None:
    before = distilled(run, tmp_path)
    finish(Storage(str(tmp_path)), run.parameters, joined(tmp_path, run), 0.0)
    assert [(each.known, each.finding.count) for each in distilled(run, tmp_path)] == [
        (each.known, each.finding.count) for each in before
    ]


def test_joined_files_count_before_there_is_a_manifest(tmp_path: Path, run: Campaign) -> None:
    """Nothing is run again, and nothing is joined twice."""
    then = joined(tmp_path, run)
    found = kept(Storage(str(tmp_path)), run.parameters, planned(run))
    assert [record["name"] for record in found.records] == [record["name"] for record in then.records]
    assert found.parts.keys() == then.parts.keys()
    assert groups(found.records) == []


def test_a_joined_file_without_a_record_does_not_count(tmp_path: Path, run: Campaign) -> None:
    before = kept_of(tmp_path, run)
    reopen(Storage(str(tmp_path)))
    record = join(Storage(str(tmp_path)), groups(before.records)[0])
    (tmp_path / "_tasks" / f"{record['name']}.json").unlink()
    assert kept_of(tmp_path, run) == before


def test_nothing_is_joined_in_a_finished_campaign(tmp_path: Path, run: Campaign) -> None:
    files = sorted(tmp_path.rglob("*"))
    join(Storage(str(tmp_path)), groups(kept_of(tmp_path, run).records)[0])
    assert sorted(tmp_path.rglob("*")) == files


def test_file_different_from_its_record_is_an_error(tmp_path: Path, run: Campaign) -> None:
    found = kept_of(tmp_path, run)
    first = next(iter(sorted(tmp_path.rglob("*.parquet"))))
    first.write_bytes(first.read_bytes()[::-1])
    with pytest.raises(NotThisCampaign, match="not as its record says"):
        join(Storage(str(tmp_path)), groups(found.records)[0])
