"""Nights in this process, their news, their rounds, and the state after an interruption."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest

from conformance.campaign.distil import FOUND
from conformance.campaign.folder import CAMPAIGN, NotThisCampaign
from conformance.campaign.history import Changes, Night, keep_night, nights
from conformance.campaign.night import STATE, NightRun
from conformance.campaign.night_parts import PARTS, PartStream, stream_of
from conformance.campaign.part_rows import tried
from conformance.campaign.pipeline.engines import Row, Work
from conformance.campaign.pipeline.errors import JobFailed
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.rows import COLUMNS, FINDING
from conformance.judge.findings.known_failures import KnownFailure
from reference import load_release
from tests.campaign.conftest import HONEST, LIARS, RELEASE
from tests.helpers.engines import HERE

Run = Callable[[Iterable[Row]], Iterator[list[Row]]]

REFUSES = f"{LIARS}:RefusesUnknownTags"
RULE = "tag.unknown-accepted"
PAIRS = ("HeartbeatResponse-v0", "ApiVersionsRequest-v3")
A_MINUTE = 60.0
LISTED = KnownFailure(RULE, ("ApiVersions*",), "rejected", "see issue 7")


@pytest.fixture(autouse=True)
def _few_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a round have a hundred cases."""
    monkeypatch.setattr("conformance.campaign.night_parts.PART_COST", 1)


def stream(impl: str = HONEST, pairs: tuple[str, ...] = PAIRS) -> PartStream:
    return stream_of([impl], load_release(RELEASE), pairs)


def begun(state: Path, impl: str = HONEST, pairs: tuple[str, ...] = PAIRS) -> NightRun:
    return NightRun(Storage(str(state)), stream(impl, pairs))


def parts_run(planned: PartStream, blocks: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield the rows of each part, in this process."""
    return HERE.rows(blocks, Work(partial(tried, planned.parameters, uuid4().hex), COLUMNS, "night"))


def searched(
    state: Path, impl: str = HONEST, *, seconds: float = A_MINUTE, rounds: int = 1, run: Run | None = None
) -> NightRun:
    """Search for some rounds, in a new night or an interrupted one."""
    night = begun(state, impl)
    night.search(run or partial(parts_run, stream(impl)), time.monotonic() + seconds, rounds)
    return night


def reported(night: NightRun, *listed: KnownFailure) -> Changes:
    return night.report(listed, lambda _done, _all: None)


def run_night(state: Path, impl: str, *listed: KnownFailure, seconds: float = A_MINUTE) -> Changes:
    """Run a night of one round."""
    return reported(searched(state, impl, seconds=seconds), *listed)


def ending(impl: str, error: type[BaseException], blocks: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield the rows of a part, and raise an error."""
    yield from islice(parts_run(stream(impl), blocks), 1)
    raise error


def rules(news: Changes) -> tuple[list[str], list[str], list[str]]:
    """Return the new, gone and known rules."""
    new, gone, known = ([each.rule for each in each] for each in (news.new, news.gone, news.known))
    return new, gone, known


def test_new_finding_of_one_night_is_known_in_the_next(tmp_path: Path) -> None:
    """Two nights have other cases, and a known finding has one case in the folder."""
    night = searched(tmp_path, REFUSES)
    [own] = night.manifest["implementations"]
    assert (own["cases"], own["deaths"]) == (100, 0)
    first = reported(night)
    files = [path.name for path in (tmp_path / FOUND).iterdir()]
    second = run_night(tmp_path, REFUSES)
    assert (rules(first), rules(second)) == (([RULE], [], []), ([], [], [RULE]))
    assert [path.name for path in (tmp_path / FOUND).iterdir()] == files


def test_found_cases_are_tried_without_any_time(tmp_path: Path) -> None:
    """They show a finding even in a night without own cases of it."""
    run_night(tmp_path, REFUSES)
    night = searched(tmp_path, REFUSES, seconds=0.0)
    assert night.manifest["parts"] == 0
    assert rules(reported(night)) == ([], [], [RULE])


def test_found_cases_of_other_runs_are_taken_over(tmp_path: Path) -> None:
    """Their finding is new to the nights of an empty state."""
    run_night(tmp_path / "one", REFUSES)
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / FOUND).rename(tmp_path / "two" / FOUND)
    assert rules(run_night(tmp_path / "two", REFUSES, seconds=0.0)) == ([RULE], [], [])


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
    assert gone == [[], [RULE]]


def test_listed_finding_is_not_new(tmp_path: Path) -> None:
    """No case of it is kept, as it is known by its file."""
    assert rules(run_night(tmp_path, REFUSES, LISTED)) == ([], [], [RULE])
    assert not (tmp_path / FOUND).exists()


def test_finding_without_a_found_case_is_not_gone_before_a_whole_round(tmp_path: Path) -> None:
    """It is known again in the first night that shows it, and gone after the first round without it."""
    first = run_night(tmp_path, REFUSES, LISTED)
    for seconds in (0.0, 0.0, A_MINUTE):
        news = run_night(tmp_path, REFUSES, LISTED, seconds=seconds)
        assert (news.new, news.gone) == ([], [])
        assert (news.untried, news.known) == ([], first.known) if seconds else ([*first.known], {})
    whole = searched(tmp_path, REFUSES, run=lambda blocks: parts_run(stream(), blocks))
    assert reported(whole).gone == [*first.known]


def test_the_next_night_begins_after_the_parts_of_the_last_one(tmp_path: Path) -> None:
    run_night(tmp_path, HONEST)
    night = begun(tmp_path).night
    assert (night.number, night.first) == (2, len(stream().of_round))


def test_a_round_has_other_cases_than_the_one_before() -> None:
    planned = stream()
    first, second = planned.part(0), planned.part(len(planned.of_round))
    assert [block.pair for block in first.blocks] == [block.pair for block in second.blocks]
    assert {block.first for block in first.blocks} == {0}
    assert {block.first for block in second.blocks} == {planned.rows}


def test_a_killed_night_ends_as_a_whole_one(tmp_path: Path) -> None:
    """Its finished parts count once."""
    with pytest.raises(MemoryError):
        searched(tmp_path / "killed", REFUSES, rounds=2, run=partial(ending, REFUSES, MemoryError))
    killed, whole = (searched(tmp_path / name, REFUSES, rounds=2) for name in ("killed", "whole"))
    assert killed.findings == whole.findings != []
    facts = [(each.manifest["hash"], each.manifest["parts"], each.next_first, each.night) for each in (killed, whole)]
    assert facts[0] == facts[1]


def test_deleted_results_of_a_night_are_made_again(tmp_path: Path) -> None:
    """The results beside them are kept."""
    for rounds in (1, 2, 3):
        night = searched(tmp_path, rounds=rounds).night
    first, *kept = sorted((tmp_path / night.folder / PARTS).iterdir())
    contents = [path.read_bytes() for path in kept]
    first.unlink()
    assert searched(tmp_path, rounds=3).manifest["parts"] == 3
    assert [path.read_bytes() for path in kept] == contents


@pytest.mark.parametrize("other", [(HONEST, PAIRS[:1]), ("conformance.adapters.reference", PAIRS)], ids=str)
def test_night_of_other_messages_or_another_implementation_is_a_new_one(
    tmp_path: Path, other: tuple[str, tuple[str, ...]]
) -> None:
    """A night without a report is left as it is."""
    begun(tmp_path)
    assert begun(tmp_path, *other).night.number == 2


def test_night_ended_by_control_c_is_reported(tmp_path: Path) -> None:
    night = searched(tmp_path, REFUSES, run=partial(ending, REFUSES, KeyboardInterrupt))
    assert (night.is_interrupted, night.next_first) == (True, 1)
    assert rules(reported(night))[0] == [RULE]


def test_part_without_results_ends_a_night_with_its_reason(tmp_path: Path) -> None:
    """The results of the parts before it are kept."""

    def failing(blocks: Iterable[Row]) -> Iterator[list[Row]]:
        yield next(parts_run(stream(), blocks))
        yield [{"kind": "part", "number": 1, "problem": "honest: no module"}]

    with pytest.raises(JobFailed, match="honest: no module"):
        searched(tmp_path, run=failing)
    assert searched(tmp_path, seconds=0).manifest["parts"] == 1


def test_rare_clusters_of_a_night_are_merged(tmp_path: Path) -> None:
    rule = {"kind": FINDING, "implementation": "honest", "rule": "message.accepted", "outcome": "rejected"}
    rows = [{**rule, "error": f"ValueError: {word}", "cases": ord(word)} for word in "abcdefghij"]
    found = Counter[str]()
    for row in searched(tmp_path, run=lambda _: iter([rows])).findings:
        found[row["error"]] += row["cases"]
    assert found == {**{f"ValueError: {word}": ord(word) for word in "defghij"}, "ValueError: *": sum(map(ord, "abc"))}


def test_campaigns_of_old_nights_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of other origin and the history stay, and the rest of an interrupted deletion does not."""
    monkeypatch.setattr("conformance.campaign.night.KEPT_NIGHTS", 2)
    for _ in range(2):
        run_night(tmp_path, HONEST)
    campaigns = tmp_path / "campaigns"
    (campaigns / "000001" / CAMPAIGN).unlink()
    for name in ("000001", "mine"):
        (campaigns / name).mkdir(exist_ok=True)
        (campaigns / name / "notes.txt").write_text("mine")
    run_night(tmp_path, HONEST)
    left = {path.parent.name for path in campaigns.rglob("*.json")}
    assert left == {"000002", "000003"}
    assert len(list(campaigns.rglob("notes.txt"))) == 2
    assert len(list((tmp_path / "history").iterdir())) == 3


def test_night_interrupted_after_its_history_is_reported_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its finding is still new, and the history has it once."""

    def interrupted(history: Storage, night: Night) -> None:
        keep_night(history, night)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("conformance.campaign.night.keep_night", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_night(tmp_path, REFUSES)
    kept = nights(Storage(str(tmp_path / "history")))
    later = SimpleNamespace(now=lambda zone: datetime(2999, 1, 1, tzinfo=zone))
    monkeypatch.setattr("conformance.campaign.folder.datetime", later)
    assert rules(run_night(tmp_path, REFUSES)) == ([RULE], [], [])
    assert nights(Storage(str(tmp_path / "history"))) == kept


@pytest.mark.parametrize(
    ("name", "problem"),
    [(STATE, "is not the state of a night"), ("photos", r"no state of nights\. Name a new or empty folder")],
)
def test_a_folder_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / name).write_text("[]")
    with pytest.raises(NotThisCampaign, match=problem):
        begun(tmp_path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "[]")]


def test_night_interrupted_at_its_beginning_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("conformance.campaign.night.prepare", None)
        with pytest.raises(TypeError):
            begun(tmp_path)
    assert begun(tmp_path).night.number == 1
