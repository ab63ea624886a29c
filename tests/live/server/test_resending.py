"""The line of a finding of a server shows it again."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from conformance.commands.broker import broker
from conformance.judge.events import FRAME_REFUSAL, Noted
from conformance.live.server.authentication import check_authentication
from conformance.live.server.exchanges import Answer, ExchangeCase, exchange_from
from conformance.live.server.requester import Requester, SentFrame
from conformance.live.server.resources import check_connections
from conformance.targets import Blame
from tests.fakes import lying_server
from tests.fakes.lying_server import METADATA, RELEASE, Fake, Honest
from tests.helpers.events import found
from tests.live.server.test_lies import IMPATIENT, LIES, black_box_of, sound, started

if TYPE_CHECKING:
    from conformance.judge.case import Violation
    from tests.live.server.test_lies import Check

CASE = ExchangeCase(RELEASE.schema("MetadataRequest", 13), RELEASE, "a case", (b"\x01",), "Topics")
DEADLINE = "20"


def again(violation: Violation, address: str, *options: str) -> Result:
    """Run the replay line of a finding, with options for the server."""
    words = shlex.split(violation.case.replay_line(f"broker:{address}", options, "frame"))
    return CliRunner().invoke(broker, words[2:])


@pytest.mark.parametrize(("lie", "check", "rule", "outcome"), LIES, ids=lambda part: getattr(part, "__name__", None))
def test_line_of_a_lie_shows_it_again(lie: type[Honest], check: Check, rule: str, outcome: str) -> None:
    """The same rule is named, and the status is 1."""
    deadline = str(IMPATIENT) if outcome == "timed-out" else DEADLINE
    with Fake(lie) as fake, closing(black_box_of(fake)) as black_box:
        black_box.server = replace(black_box.server, deadline=float(deadline))
        black_box.requester = Requester(black_box.server)
        violation = next(each for each in found(check(black_box)) if each.rule == rule)
        shown = again(violation, str(fake.address), "--deadline", deadline)
    assert f"wrong       {rule}" in shown.output
    assert shown.exit_code == 1


def test_frames_of_a_sound_server_are_as_expected() -> None:
    """The status is 0, and the server answers afterwards."""
    with Fake(lying_server.ExtraByte) as lying, closing(black_box_of(lying)) as black_box:
        violation = found(sound(METADATA)(black_box))[0]
    with Fake() as fake:
        shown = again(violation, str(fake.address), "--deadline", DEADLINE)
    assert shown.exit_code == 0
    assert "sent        MetadataRequest-v13" in shown.output
    assert "afterwards  answers" in shown.output


def test_answer_before_authentication_is_shown_again() -> None:
    """The frames are sent without credentials, though the run had some."""
    with Fake(lying_server.NeverAsksWho) as fake, closing(black_box_of(fake, authenticates=True)) as black_box:
        violation, *others = found(check_authentication(black_box))
        shown = again(violation, str(fake.address), "--deadline", DEADLINE)
    assert {each.rule for each in (violation, *others)} == {"connection.authentication"}
    assert "wrong       connection.authentication" in shown.output
    assert shown.exit_code == 1


def test_end_of_the_server_is_reported() -> None:
    """The next connection must be served after any frame."""
    with Fake(lying_server.DiesOfShortFrames) as fake:
        shown = CliRunner().invoke(broker, [str(fake.address), "--deadline", "0.5", "--send", "00000000"])
    assert "afterwards  no answer" in shown.output
    assert shown.exit_code == 1


def test_leaked_descriptors_are_shown_again() -> None:
    """The case has the number of repetitions, and `--start` names the process."""
    with closing(started(lying_server.LeaksDescriptors)) as black_box:
        [violation] = found(check_connections(black_box))
    assert violation.rule == "connection.resources"
    command = shlex.join([sys.executable, "-m", lying_server.__name__, "LeaksDescriptors"])
    shown = again(violation, "127.0.0.1:1", "--start", command, "--deadline", DEADLINE)
    assert "--times 200" in violation.case.replay_line("", (), "frame")
    assert any(f"+{count} descriptors" in shown.output for count in range(200, 230))


def test_connections_are_as_they_were() -> None:
    """The frames of one connection are one option, apart by commas."""
    case = CASE.with_frames([SentFrame(1, b"\x01"), SentFrame(1, b"\x02"), SentFrame(4, b"\x03")])
    line = case.replay_line("broker:h:1", (), "frame")
    assert shlex.split(line)[1:] == ["broker", "h:1", "--send", "01,02", "--send", "03"]


def test_options_for_reaching_a_server_are_in_the_line() -> None:
    """A server started by the suite has no lasting address."""
    line = CASE.replay_line("broker:h:1", ("--start", "serve it", "--sasl", "PLAIN"), "frame")
    assert shlex.split(line)[1:] == ["broker", "--start", "serve it", "--sasl", "PLAIN", "--send", "01"]


def test_case_comes_back_from_its_event_as_it_was() -> None:
    """Workers hand their findings over as events."""
    case = replace(CASE, frames=(b"\x01", b"\x02"), connections=(1, 1), times=3, is_authenticated=False)
    case = replace(case, answer=Answer(b"\x03", is_whole=True))
    violation = case.violation(Blame("connection.answered", "Topics"), Noted("rejected"), FRAME_REFUSAL, "frame")
    assert exchange_from(violation.event()) == case


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["127.0.0.1:1", "--send", "0g"], "--send takes hex"),
        (["--send", "00"], "needs the address of a server, as 127.0.0.1:9092, or with --start"),
        (["127.0.0.1:1", "--start", "x", "--send", "00"], "needs the address of a server, or --start"),
        (["127.0.0.1:1", "--send", "00", "--what"], "with --send: --what has no meaning"),
    ],
)
def test_odd_frames_to_send_are_refused(words: list[str], text: str) -> None:
    """The error suggests a correction, and nothing is sent."""
    shown = CliRunner().invoke(broker, words)
    assert text in " ".join(shown.output.replace("│", " ").split())
    assert shown.exit_code not in {0, 1}
