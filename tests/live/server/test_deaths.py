"""Ends of a server by one variation of requests are one cause, and later requests are counted as dropped."""

from __future__ import annotations

import socketserver
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import chain
from time import sleep
from typing import TYPE_CHECKING

import pytest

from conformance.judge.case import Violation
from conformance.judge.count_lines import AFTER_DEATH, NotRun
from conformance.judge.findings.results import Results
from conformance.judge.findings.wording import actual_text
from conformance.judge.recording import record
from conformance.judge.subject import WAYS
from conformance.judge.tally import Tally
from conformance.live.capture.frame_verdict import judge_request
from conformance.live.scripted.sockets import ScriptedServer
from conformance.live.server import server
from conformance.live.server.announcement import check_announcement
from conformance.live.server.exchanges import exchange_from
from conformance.live.server.sound_requests import check_sound_requests, sound_requests
from conformance.live.server.survival import until_lost
from conformance.live.server.suspects import Suspect, Suspects
from conformance.report.terminal.counts import short_counts
from tests.fakes.lying_server import (
    DEADLY,
    DEFINITIONS,
    FIND_COORDINATOR,
    LATE,
    LIST_GROUPS,
    METADATA,
    ExtraByte,
    Fake,
    LateDeath,
    deadly,
)
from tests.helpers.events import found
from tests.helpers.ratchet_runs import reported
from tests.live.server.test_lies import IMPATIENT, black_box_of, hasten, restartable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

    from conformance.judge.case import Event
    from conformance.live.server.black_box import BlackBox
    from tests.fakes.lying_server import Honest

PAIRS = ((FIND_COORDINATOR, 4), (LIST_GROUPS, 4), (LIST_GROUPS, 5), (METADATA, 12), (METADATA, 13))
"""Flexible versions, in the order of the requests."""


def checked(lie: type[Honest], tally: Tally) -> list[Violation]:
    with closing(restartable(lie)) as black_box:
        return [
            violation
            for pair in PAIRS
            for violation in found(until_lost(black_box, check_sound_requests(black_box, *pair)), tally)
        ]


def dropped(tally: Tally) -> Counter[str]:
    requests: Counter[str] = Counter()
    for (_, why), count in tally.of(NotRun).items():
        if why.startswith(AFTER_DEATH):
            requests[why.removeprefix(AFTER_DEATH)] += count
    return requests


@pytest.fixture(scope="module")
def number_of_requests() -> int:
    with Fake() as fake, closing(black_box_of(fake)) as black_box:
        return sum(1 for pair in PAIRS for _ in sound_requests(black_box, *pair))


@pytest.mark.parametrize("variation", DEADLY)
def test_deadly_variation_is_one_cause(variation: str, number_of_requests: int) -> None:
    """Other requests are sent, also of other APIs, and the dropped ones are counted."""
    shown = checked(deadly(DEADLY[variation]), tally := Tally())
    assert len({violation.key for violation in shown}) == 1
    assert [violation.message for violation in shown] == ["FindCoordinatorRequest", "ListGroupsRequest"]
    left_out = dropped(tally)
    assert len(left_out) == 1
    assert tally.cases["sound requests"] + left_out.total() == number_of_requests
    assert tally.cases["sound requests"] > 0.8 * number_of_requests


@pytest.mark.parametrize("variation", DEADLY)
def test_fault_beside_a_deadly_variation_is_found(variation: str) -> None:
    shown = checked(deadly(DEADLY[variation], ExtraByte), Tally())
    assert {violation.rule for violation in shown} == {"connection.survival", "message.nothing-else"}


def test_death_by_a_body_ends_the_requests_of_its_version() -> None:
    ends = lambda payload: payload[:4] == b"\0\x10\0\4"  # noqa: E731  # ListGroups version 4
    shown = checked(deadly(ends), tally := Tally())
    assert [(violation.message, violation.version) for violation in shown] == [("ListGroupsRequest", 4)]
    assert list(dropped(tally)) == ["ListGroupsRequest-v4"]


def test_requests_dropped_after_a_death_have_a_line() -> None:
    results = Results((), lambda event: Violation.of(event, exchange_from(event)), ways=WAYS)
    with closing(restartable(deadly(DEADLY["client id null"]))) as black_box:
        events = until_lost(black_box, check_sound_requests(black_box, LIST_GROUPS, 0))
        record(results, "requests", "ListGroupsRequest-v0", events)
        record(results, "requests", "ListGroupsRequest-v1", check_sound_requests(black_box, LIST_GROUPS, 1))
    lines = [text for text, _ in short_counts(reported(results)) if "a client id of null" in text]
    assert len(lines) == 1
    assert "1 request " in lines[0]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the wait for a server without a restart."""
    monkeypatch.setattr(server, "PATIENCE", 1)
    monkeypatch.setattr(server, "PAUSE", 0.01)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("variation", DEADLY)
def test_workers_of_one_server_blame_its_death_on_one_variation(variation: str, tmp_path: Path) -> None:
    with Fake(deadly(DEADLY[variation])) as fake, ThreadPoolExecutor() as pool:
        shown = [*chain(*pool.map(partial(_shared, fake, tmp_path), ("gw0", "gw1")))]
    [violation] = shown
    asked = judge_request(DEFINITIONS, violation.case.frames[-1][4:])  # type: ignore[attr-defined]
    assert DEADLY[variation](asked.payload)


class Reused(socketserver.ThreadingTCPServer):
    """A server on a port used before."""

    allow_reuse_address = daemon_threads = True
    block_on_close = False


class Supervised(Fake):
    """A server with a supervisor, started again on its port."""

    def __enter__(self) -> Self:
        self._server.server_close()
        self._begin(self._server)
        return self

    def die(self) -> None:
        ScriptedServer.__exit__(self)
        threading.Timer(0.02, self._begin, (self._server,)).start()

    def _begin(self, ended: socketserver.ThreadingTCPServer) -> None:
        self._server = Reused(ended.server_address, ended.RequestHandlerClass)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def __exit__(self, *exception: object) -> None:
        ScriptedServer.__exit__(self)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("variation", DEADLY)
@pytest.mark.parametrize("workers", [1, 2])
def test_server_started_again_by_others_is_ended_by_one_variation(variation: str, workers: int, tmp_path: Path) -> None:
    names = [f"gw{number}" for number in range(workers)]
    with Supervised(deadly(DEADLY[variation])) as fake, ThreadPoolExecutor() as pool:
        shown = [*chain(*pool.map(partial(_shared, fake, tmp_path), names))]
    [key] = {violation.key for violation in shown}
    assert key.rule == "connection.survival"
    assert key.cluster.endswith("for a while")


def _shared(fake: Fake, folder: Path, worker: str) -> list[Violation]:
    """Return the violations found by one of two workers with a shared server."""
    with closing(black_box_of(fake)) as black_box:
        hasten(black_box, IMPATIENT)
        black_box.suspects = Suspects(folder, worker)
        pairs = PAIRS[:1] if worker == "gw0" else PAIRS[-1:]
        checks = [check_announcement(black_box), *(check_sound_requests(black_box, *pair) for pair in pairs)]
        events = chain.from_iterable(until_lost(black_box, check) for check in checks if not black_box.lost)
        return found(events)


def suspect(worker: str, sent_at: float, lost_at: float, *, is_answered: bool = False, known: int = 0) -> Suspect:
    return Suspect(worker, sent_at, lost_at, is_answered, known)


BLAMED = {
    "a frame sent before the loss": (suspect("b", 1.0, 1.5), suspect("a", 2.0, 2.1)),
    "a frame without an answer": (suspect("b", 1.0, 1.5), suspect("a", 0.5, 1.2, is_answered=True)),
    "a frame of a rare kind": (suspect("b", 1.1, 1.5), suspect("a", 1.0, 1.4, known=3)),
    "the first frame of several": (suspect("b", 1.0, 1.5), suspect("a", 1.1, 1.4)),
}


@pytest.mark.parametrize("every", BLAMED.values(), ids=BLAMED)
def test_one_suspect_is_blamed_by_all_workers(every: tuple[Suspect, ...], tmp_path: Path) -> None:
    for each in every:
        with closing(Suspects(tmp_path, each.worker)) as suspects:
            suspects.name(each)
    with closing(Suspects(tmp_path, "c")) as suspects:
        assert suspects.at_the_end()[0].worker == "b"


@pytest.mark.usefixtures("impatient")
def test_late_death_is_blamed_on_no_plain_request() -> None:
    """All frames were answered, so the last ones are shown."""
    with Fake(LateDeath) as fake, closing(black_box_of(fake)) as black_box:
        hasten(black_box, IMPATIENT)
        shown = found(until_lost(black_box, groups_then_nothing(black_box)))
    [violation] = shown
    assert violation.message == "ListGroupsRequest"
    assert "after 3 frames" in actual_text(violation.observation)


def groups_then_nothing(black_box: BlackBox) -> Iterator[Event]:
    yield from check_sound_requests(black_box, LIST_GROUPS, 0)
    sleep(2 * LATE)


@pytest.mark.usefixtures("impatient")
def test_missing_answer_of_a_lost_server_is_no_cause_of_its_own() -> None:
    with Fake(deadly(lambda payload: payload[2:4] == b"\x7f\xff")) as fake, closing(black_box_of(fake)) as black_box:
        hasten(black_box, IMPATIENT)
        [violation] = found(until_lost(black_box, check_announcement(black_box)))
    assert (violation.rule, violation.case.wire[4:8]) == ("connection.survival", b"\0\x12\x7f\xff")  # type: ignore[index]
