"""Nights in this process, their news, their turns, and the state after an interruption."""

import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from conformance.campaign.attempts import NotThisCampaign
from conformance.campaign.codec_hosts import Work, check, run_and_keep
from conformance.campaign.distil import FOUND
from conformance.campaign.night import STATE, Clock, NightReport, begun, morning, search
from conformance.campaign.night_parts import PartStream, stream_of
from conformance.campaign.plan import Task
from conformance.campaign.spark.storage import Storage
from conformance.judge.findings.known_failures import KnownFailure
from reference import load_release
from tests.campaign.conftest import HONEST, LIARS, RELEASE

REFUSES = f"{LIARS}:RefusesUnknownTags"
PAIRS = ("HeartbeatResponse-v0", "ApiVersionsRequest-v3")
A_MINUTE = 60.0


@pytest.fixture(autouse=True)
def _few_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a round have a hundred cases."""
    monkeypatch.setattr("conformance.campaign.night_parts.PART_COST", 1)


def stream(impl: str = HONEST, pairs: tuple[str, ...] = PAIRS) -> PartStream:
    return stream_of([impl], load_release(RELEASE), pairs)


def run_night(
    state: Path, impl: str, *, seconds: float = A_MINUTE, listed: tuple[KnownFailure, ...] = ()
) -> NightReport:
    """Run a night of one round."""
    storage, planned = Storage(str(state)), stream(impl)
    night = begun(storage, planned)
    work = Work(planned.parameters, str(storage.within(night.folder)))
    searched = search(storage, planned, night, Clock(time.monotonic() + seconds, 1), lambda tasks: run_all(work, tasks))
    return morning(storage, planned, searched, listed, lambda _done, _all: None)


def run_all(work: Work, tasks: Iterable[Task]) -> None:
    check(run_and_keep(work, task) for task in tasks)


def rules(night: NightReport) -> tuple[list[str], list[str], list[str]]:
    """Return the new, gone and known rules."""
    news = night.news
    new, gone, known = ([each.rule for each in each] for each in (news.new, news.gone, news.known))
    return new, gone, known


def test_new_finding_of_one_night_is_known_in_the_next(tmp_path: Path) -> None:
    """Two nights have other cases, and a known finding has one case in the folder."""
    first = run_night(tmp_path, REFUSES)
    files = [path.name for path in (tmp_path / FOUND).iterdir()]
    second = run_night(tmp_path, REFUSES)
    assert rules(first) == (["tag.unknown-accepted"], [], [])
    assert rules(second) == ([], [], ["tag.unknown-accepted"])
    assert [path.name for path in (tmp_path / FOUND).iterdir()] == files
    assert (first.total("cases"), first.total("deaths")) == (100, 0)


def test_found_cases_are_tried_without_any_time(tmp_path: Path) -> None:
    """They show a finding even in a night without own cases of it."""
    first = run_night(tmp_path, REFUSES)
    second = run_night(tmp_path, REFUSES, seconds=0.0)
    assert second.total("cases") == 0
    assert second.news.known == {known: finished_of(first) for known in first.news.new}


def finished_of(night: NightReport) -> str:
    """When a night was finished."""
    finished: str = night.search.manifest["finished"]
    return finished


def test_found_cases_of_other_runs_are_taken_over(tmp_path: Path) -> None:
    """Their finding is new to the nights of an empty state."""
    run_night(tmp_path / "one", REFUSES)
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / FOUND).rename(tmp_path / "two" / FOUND)
    assert rules(run_night(tmp_path / "two", REFUSES, seconds=0.0)) == (["tag.unknown-accepted"], [], [])


def test_finding_is_gone_once_its_case_is_read_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The codec of this name was fixed between two nights."""
    own = tmp_path / "own_night_adapter.py"
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    text = "from tests.fakes.faulty_codecs import {} as codec\nclass adapter(codec):\n    name = 'own'\n"
    gone = []
    for name in ("RefusesUnknownTags", "Honest"):
        own.write_text(text.format(name))
        monkeypatch.delitem(sys.modules, "own_night_adapter", raising=False)
        gone.append(rules(run_night(tmp_path / "state", "own_night_adapter"))[1])
    assert gone == [[], ["tag.unknown-accepted"]]


def test_listed_finding_is_not_new(tmp_path: Path) -> None:
    """No case of it is kept, as it is known by its file."""
    entry = KnownFailure("tag.unknown-accepted", ("ApiVersions*",), "rejected", "see issue 7")
    assert rules(run_night(tmp_path, REFUSES, listed=(entry,))) == ([], [], ["tag.unknown-accepted"])
    assert not (tmp_path / FOUND).exists()


def test_the_next_night_begins_where_the_last_one_has_ended(tmp_path: Path) -> None:
    run_night(tmp_path, HONEST)
    night = begun(Storage(str(tmp_path)), stream())
    assert (night.number, night.first) == (2, len(stream().of_round))


def test_a_round_has_other_cases_than_the_one_before() -> None:
    planned = stream()
    first, second = planned.part(0), planned.part(len(planned.of_round))
    assert [block.pair for block in first.blocks] == [block.pair for block in second.blocks]
    assert {block.first for block in first.blocks} == {0}
    assert {block.first for block in second.blocks} == {planned.rows}


def test_a_night_without_a_report_is_gone_on_with(tmp_path: Path) -> None:
    """Its parts are not run again."""
    storage, planned = Storage(str(tmp_path)), stream()
    night = begun(storage, planned)
    run_all(Work(planned.parameters, str(storage.within(night.folder))), [((1, planned.part(1)),)])
    assert begun(storage, planned) == night
    results = run_night(tmp_path, HONEST)
    assert min(results.search.found.parts) == night.first
    assert results.search.first == night.first + results.search.manifest["parts"]


def test_finished_night_without_a_report_takes_further_parts(tmp_path: Path) -> None:
    """It was killed between its manifest and its news."""
    storage, planned = Storage(str(tmp_path)), stream()
    night = begun(storage, planned)
    work = Work(planned.parameters, str(storage.within(night.folder)))
    until = time.monotonic() + A_MINUTE
    counts = [
        search(storage, planned, night, Clock(until, rounds), lambda tasks: run_all(work, tasks)).manifest["parts"]
        for rounds in (1, 2)
    ]
    assert counts[1] == 2 * counts[0] > 0


def test_a_night_of_other_messages_is_another_one(tmp_path: Path) -> None:
    """A night without a report is left as it is."""
    storage = Storage(str(tmp_path))
    begun(storage, stream())
    assert begun(storage, stream(pairs=PAIRS[:1])).number == 2


def test_another_implementation_has_rounds_of_its_own() -> None:
    """Though its parts are of the same messages."""
    one, other = (stream(f"conformance.adapters.{name}") for name in ("reference", "kio"))
    assert one.of_round == other.of_round
    assert one.digest != other.digest


def test_night_ended_by_control_c_is_reported(tmp_path: Path) -> None:
    storage, planned = Storage(str(tmp_path)), stream(REFUSES)
    night = begun(storage, planned)
    work = Work(planned.parameters, str(storage.within(night.folder)))

    def interrupted(tasks: Iterable[Task]) -> None:
        run_all(work, [next(iter(tasks))])
        raise KeyboardInterrupt

    searched = search(storage, planned, night, Clock(time.monotonic() + A_MINUTE), interrupted)
    results = morning(storage, planned, searched, (), lambda _done, _all: None)
    assert searched.is_interrupted
    assert (rules(results)[0], searched.first) == (["tag.unknown-accepted"], 1)


def test_campaigns_of_old_nights_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Campaigns of the last nights, the history and files of other origin stay."""
    monkeypatch.setattr("conformance.campaign.night.KEPT_NIGHTS", 2)
    run_night(tmp_path, HONEST)
    mine = tmp_path / "campaigns" / "000001" / "notes.txt"
    mine.write_text("mine")
    for _ in range(3):
        run_night(tmp_path, HONEST)
    kept = [str(path.relative_to(tmp_path)) for path in sorted((tmp_path / "campaigns").iterdir())]
    assert kept == ["campaigns/000001", "campaigns/000003", "campaigns/000004"]
    assert list(mine.parent.iterdir()) == [mine]
    assert len(list((tmp_path / "history").iterdir())) == 4


def test_interrupted_deletion_of_old_nights_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        run_night(tmp_path, HONEST)
    monkeypatch.setattr("conformance.campaign.night.KEPT_NIGHTS", 1)
    remove, done = Storage.remove_folder, list[str]()

    def interrupted(self: Storage, name: str) -> None:
        done.append(name)
        if len(done) > 2:  # the two folders of one night
            raise KeyboardInterrupt
        remove(self, name)

    with monkeypatch.context() as patch:
        patch.setattr(Storage, "remove_folder", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_night(tmp_path, HONEST)
    run_night(tmp_path, HONEST)
    left = {path.parent.name for path in (tmp_path / "campaigns").rglob("*.json")}
    assert left == {"000005"}


def test_a_state_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / STATE).write_text("[]")
    with pytest.raises(NotThisCampaign, match="is not the state of a night"):
        begun(Storage(str(tmp_path)), stream())


@pytest.mark.parametrize("name", ["notes.txt", "photos/one.jpg"])
def test_a_folder_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(NotThisCampaign, match=r"no state of nights\. Name a new or empty folder"):
        begun(Storage(str(tmp_path)), stream())
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()] == [name]


def test_night_interrupted_at_its_beginning_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("conformance.campaign.night.prepare", interrupted)
        with pytest.raises(KeyboardInterrupt):
            begun(Storage(str(tmp_path)), stream())
    assert begun(Storage(str(tmp_path)), stream()).number == 1
