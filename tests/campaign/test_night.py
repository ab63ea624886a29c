"""Nights as campaigns, without Spark: their size, what is new, gone and known, and what an interrupted one leaves."""

from pathlib import Path

import pytest

from conformance.bridge.isolation import Limits
from conformance.campaign.distil import distil
from conformance.campaign.folder import NotThisCampaign
from conformance.campaign.night import FIRST_CASES, NIGHT, Morning, PlannedNight, morning, planned_night
from conformance.campaign.preparation import Campaign, Wanted, prepared
from conformance.files.locks import alone
from conformance.pipeline.storage import Storage
from reference import load_release
from tests.campaign.conftest import HONEST, LIARS, RELEASE, run_all
from tests.helpers.runs import invoke

REFUSES = f"{LIARS}:RefusesUnknownTags"
PAIRS = ("HeartbeatResponse-v0", "ApiVersionsRequest-v3")


def campaign(impl: str, night: PlannedNight, cases: int = 0) -> Campaign:
    wanted = Wanted(
        *([impl], load_release(RELEASE), cases or night.cases, f"night-{night.number}", None),
        fixed=False,
        messages=PAIRS,
        limits=Limits(),
        moves=True,
    )
    return prepared(wanted)


def run_night(state: Path, impl: str, cases: int = 0) -> Morning:
    storage = Storage(str(state))
    night = planned_night(storage, len(PAIRS), 60.0)
    ready = campaign(impl, night, cases)
    run_all(ready, state / night.folder)
    distil(Storage(str(state / night.folder)), ready.parameters, lambda _done, _all: None)
    return morning(storage, night, ready.parameters)


def on_day(monkeypatch: pytest.MonkeyPatch, day: int) -> None:
    """Let a campaign end on that day."""
    facts = {"finished": f"2026-01-0{day}T00:00:00+00:00", "seconds": 1.0}
    monkeypatch.setattr("tests.campaign.conftest.FACTS", facts)


def test_what_is_new_in_one_night_is_known_in_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two nights have other cases, and times of their own."""
    on_day(monkeypatch, 1)
    first = run_night(tmp_path, REFUSES)
    on_day(monkeypatch, 2)
    second = run_night(tmp_path, REFUSES)
    assert [known.rule for known in first.told.new] == ["tag.unknown-accepted"]
    assert (second.told.new, second.told.gone, len(second.told.known)) == ([], [], 1)
    assert (first.cases, first.deaths) == (FIRST_CASES * len(PAIRS), 0)


def test_a_finding_that_tonight_has_no_case_of_is_still_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its smallest case is tried again, in every night that does not meet it."""
    for day, cases in enumerate((0, 1, 1), 1):
        on_day(monkeypatch, day)
        told = run_night(tmp_path, REFUSES, cases).told
    assert (told.new, told.gone, len(told.known)) == ([], [], 1)
    assert set(told.known.values()) == {"2026-01-01T00:00:00+00:00"}


def test_a_finding_whose_case_is_read_right_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The codec of this name was mended between two nights."""
    own = tmp_path / "own_night_adapter.py"
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    text = "from tests.fakes.faulty_codecs import {} as codec\nclass adapter(codec):\n    name = 'own'\n"
    gone = []
    for day, name in enumerate(("RefusesUnknownTags", "Honest"), 1):
        own.write_text(text.format(name))
        monkeypatch.delitem(__import__("sys").modules, "own_night_adapter", raising=False)
        on_day(monkeypatch, day)
        gone.append([known.rule for known in run_night(tmp_path / "state", "own_night_adapter").told.gone])
    assert gone == [[], ["tag.unknown-accepted"]]


def test_a_night_that_was_not_reported_is_gone_on_with(tmp_path: Path) -> None:
    """Also with another time budget: its campaign has its cases."""
    storage = Storage(str(tmp_path))
    first = planned_night(storage, 2, 60.0)
    again = planned_night(storage, 2, 6000.0)
    assert (again.number, again.cases, again.is_resumed) == (1, first.cases, True)


@pytest.mark.parametrize(("seconds", "cases"), [(10.0, 540), (54.0, 100), (0.001, 1000), (5400.0, 2), (None, 100)])
def test_a_night_has_as_many_cases_as_the_last_ones_speed_allows(
    tmp_path: Path, seconds: float | None, cases: int
) -> None:
    """In a minute, of which a tenth is left over; of an interrupted night the speed is not known."""
    storage = Storage(str(tmp_path))
    text = '{"number": 4, "cases": 100, "seconds": %s, "is_reported": true}' % ("null" if seconds is None else seconds)
    storage.write(NIGHT, text.encode())
    night = planned_night(storage, 2, 60.0)
    assert (night.number, night.cases, night.is_resumed) == (5, cases, False)


def test_a_state_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / NIGHT).write_text("[]")
    with pytest.raises(NotThisCampaign, match="is not the state of a night"):
        planned_night(Storage(str(tmp_path)), 2, 60.0)


WRONG = {
    "several without a master": (("--impl", HONEST), "or --master for several"),
    "a state elsewhere without a master": (("--state", "s3://bucket/state"), "is for a night with --master"),
    "options of the other night": (("--master", "local[1]", "--rounds", "1"), "without --master"),
}


@pytest.mark.parametrize(("words", "said"), WRONG.values(), ids=WRONG)
def test_what_does_not_go_together_is_said(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = invoke("nightly", "--impl", REFUSES, "--minutes", "1", "--state", str(tmp_path), *words)
    assert done.exit_code == 2
    assert said in done.output


def test_two_nights_on_one_state_are_refused(tmp_path: Path) -> None:
    """The second one ends before it plans anything."""
    with alone(tmp_path, "night"):
        words = ("--impl", HONEST, "--minutes", "1", "--state", str(tmp_path), "--master", "local[1]")
        done = invoke("nightly", *words)
    assert done.exit_code == 1
    assert "in use by another night" in done.output
    assert not (tmp_path / NIGHT).exists()
