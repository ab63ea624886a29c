"""Findings of a server run are tried again by later runs, and by hand."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from syrupy.assertion import SnapshotAssertion

from conformance.commands.broker import broker
from conformance.judge.count_lines import NotRun
from conformance.judge.events import FRAME_REFUSAL, Noted
from conformance.judge.findings.finding import Findings
from conformance.judge.findings.lines import Run
from conformance.judge.tally import Tally
from conformance.live.server.exchanges import load_found_exchanges, read_found_exchange
from conformance.live.server.resending import CATEGORY, NOT_PERMITTED, check_found_exchange
from conformance.live.server.survival import until_lost
from conformance.live.server.tiers import Tier
from conformance.report.files.found_cases import BadFoundCase, load_found_cases, read_found_case, write_found_cases
from conformance.targets import Blame
from tests.fakes import lying_server
from tests.fakes.lying_server import RELEASE, Fake, Honest
from tests.helpers.events import found
from tests.live.server.test_lies import IMPATIENT, LIES, black_box_of, hasten, restartable
from tests.live.server.test_resending import CASE
from tests.live.server.test_safety import broker as whole_run

if TYPE_CHECKING:
    from pathlib import Path

    from conformance.judge.case import Violation
    from conformance.live.server.black_box import BlackBox
    from conformance.live.server.exchanges import ExchangeCase
    from tests.live.server.test_lies import Check

OPTIONS = ["--release", RELEASE.name]
RUN = Run(suite="0.1.0", kind="server", impl="broker:h:1", release=RELEASE.name)


def written(folder: Path, violation: Violation) -> Path:
    """Return the file of a finding."""
    findings = Findings()
    findings.add(violation)
    write_found_cases(folder / "found", findings.ordered(), RUN, RELEASE, OPTIONS)
    [file] = (folder / "found").glob("*.json")
    return file


def judged(black_box: BlackBox, case: ExchangeCase, tally: Tally | None = None) -> set[tuple[str, str]]:
    """Return rules and outcomes of a found case."""
    events = until_lost(black_box, check_found_exchange(black_box, case))
    return {(violation.rule, violation.outcome) for violation in found(events, tally)}


def of_case(case: ExchangeCase, rule: str = "connection.answered") -> Violation:
    return case.violation(Blame(rule, case.path), Noted("rejected"), FRAME_REFUSAL, "frame")


def throwing_away(black_box: BlackBox) -> BlackBox:
    """Let everything be sent to a server."""
    black_box.permission = replace(black_box.permission, tier=Tier.THROW_AWAY)
    return black_box


@pytest.mark.parametrize(("lie", "check", "rule", "outcome"), LIES, ids=lambda part: getattr(part, "__name__", None))
def test_found_case_shows_the_lie_again(
    tmp_path: Path, lie: type[Honest], check: Check, rule: str, outcome: str
) -> None:
    """The file suffices to break the same rule in the same way, and none by a sound server."""
    with Fake(lie) as fake, closing(throwing_away(black_box_of(fake))) as black_box:
        if outcome == "timed-out":
            hasten(black_box, IMPATIENT)
        violation = next(each for each in found(check(black_box)) if each.rule == rule)
        case = read_found_exchange(written(tmp_path, violation))
        again = judged(black_box, case)
    with Fake() as fake, closing(throwing_away(black_box_of(fake))) as black_box:
        fixed = judged(black_box, case)
    assert (rule, outcome) in again
    assert fixed == set()


def test_found_case_ending_a_server_is_blamed_on_survival(tmp_path: Path) -> None:
    """The server is started again for the next case."""
    case = replace(CASE, frames=(b"\0\0\0\0",))
    with closing(throwing_away(restartable(lying_server.DiesOfShortFrames))) as black_box:
        read = read_found_exchange(written(tmp_path, of_case(case)))
        assert judged(black_box, read) == {("connection.survival", "crashed")}
        assert not black_box.lost


def test_frames_outside_of_the_tier_are_not_sent(tmp_path: Path) -> None:
    """A found case of hostile bytes needs --throw-away, and is counted as not run without it."""
    case, tally = replace(CASE, frames=(b"\0\0\0\0",)), Tally()
    with Fake(lying_server.DiesOfShortFrames) as fake, closing(black_box_of(fake)) as black_box:
        read = read_found_exchange(written(tmp_path, of_case(case)))
        assert judged(black_box, read, tally) == set()
    assert tally.cases[CATEGORY] == 0
    assert [text for _, text in tally.of(NotRun)] == [NOT_PERMITTED]


def test_runs_write_found_cases_and_begin_with_them(tmp_path: Path) -> None:
    """The second run counts the cases written by the first one."""
    folder = tmp_path / "found"
    options = ("-k", "announcement or found", f"--found={folder}", "-v")
    with Fake(lying_server.EmptyRange) as fake:
        first, _ = whole_run(str(fake.address), *options)
        second, text = whole_run(str(fake.address), *options)
    assert (first, second) == (1, 1)
    assert "1 found cases" in text
    [file] = folder.glob("*.json")
    assert "kafka-conformance broker" in json.loads(file.read_text())["replay"]


def test_found_case_is_sent_by_hand(tmp_path: Path) -> None:
    """`--send` takes the file, and reports the broken rule of the answer."""
    [(lie, check, rule, _)] = [each for each in LIES if each[0] is lying_server.ExtraByte]
    with Fake(lie) as fake, closing(black_box_of(fake)) as black_box:
        file = written(tmp_path, found(check(black_box))[0])
        shown = CliRunner().invoke(broker, [str(fake.address), "--deadline", "20", "--send", str(file)])
    assert f"wrong       {rule}" in shown.output
    assert shown.exit_code == 1


def test_cases_of_servers_and_codecs_may_share_a_folder(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """A run of a codec leaves out those of servers, and `replay` names the command for them."""
    file = written(tmp_path, of_case(CASE))
    assert list(load_found_cases(file.parent, RELEASE)) == []
    assert [found.case for found in load_found_exchanges(file.parent)] == [CASE]
    with pytest.raises(BadFoundCase) as error:
        read_found_case(file, RELEASE)
    assert str(error.value).replace(str(file), "…") == snapshot


def test_damaged_found_case_is_refused(tmp_path: Path) -> None:
    """The error names the file."""
    file = written(tmp_path, of_case(CASE))
    file.write_text(json.dumps({**json.loads(file.read_text()), "frames": ["0g"]}))
    with pytest.raises(BadFoundCase, match=rf"{file.name}.* at `\$\.frames\[0\]`"):
        list(load_found_exchanges(file.parent))
    shown = CliRunner().invoke(broker, ["127.0.0.1:1", "--send", str(file)])
    assert (shown.exit_code, "not a found case" in shown.output.replace("\n", " ")) == (1, True)


@pytest.mark.parametrize("name", ["frames", "connections", "times", "is_authenticated", "answer", "is_whole"])
def test_found_case_without_a_fact_for_a_server_is_refused(tmp_path: Path, name: str) -> None:
    file = written(tmp_path, of_case(CASE))
    kept = {key: fact for key, fact in json.loads(file.read_text()).items() if key != name}
    file.write_text(json.dumps(kept))
    with pytest.raises(BadFoundCase, match=f"{file.name}: .*MetadataRequest-v13 .*`{name}`"):
        read_found_exchange(file)
