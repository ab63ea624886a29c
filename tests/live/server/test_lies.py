"""Each lie of a server is blamed on its rule, and the sound server on nothing."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from time import sleep
from typing import TYPE_CHECKING

import pytest

from conformance.definitions.catalogue import catalogue
from conformance.judge.tally import Tally
from conformance.live.server.announcement import NO_SUCH_VERSION, check_announcement
from conformance.live.server.authentication import check_authentication
from conformance.live.server.black_box import BlackBox
from conformance.live.server.hostile_requests import check_broken_frames, check_hostile_bodies
from conformance.live.server.pipelining import check_pipelining
from conformance.live.server.requester import Requester
from conformance.live.server.resources import check_claimed_sizes
from conformance.live.server.security import Credentials, authentication
from conformance.live.server.server import REFUSAL_DEADLINE, Server
from conformance.live.server.sound_requests import check_sound_requests
from conformance.live.server.started import StartedServer
from conformance.live.server.survival import until_lost
from conformance.live.server.tiers import Permission
from tests.fakes import lying_server
from tests.fakes.lying_server import (
    API_VERSIONS,
    DEFINITIONS,
    DESCRIBE_GROUPS,
    FIND_COORDINATOR,
    LIST_GROUPS,
    METADATA,
    Fake,
    Honest,
    announcing,
)
from tests.helpers.events import found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from conformance.judge.case import Event

    Check = Callable[[BlackBox], Iterable[Event]]

DEADLINE = 20.0
"""Seconds: an answer comes at once, if the machine is not busy."""

IMPATIENT = 0.3
"""Seconds, where no answer comes."""

NEWEST = {API_VERSIONS: 4, METADATA: 13, FIND_COORDINATOR: 6, DESCRIBE_GROUPS: 6, LIST_GROUPS: 5}


def black_box_of(fake: Fake, *, authenticates: bool = False) -> BlackBox:
    credentials = Credentials("PLAIN", "user", "password")
    authenticate = authentication(credentials, DEFINITIONS) if authenticates else None
    return BlackBox(Server(fake.address, DEFINITIONS, None, authenticate, DEADLINE), Permission())


def hasten(black_box: BlackBox, deadline: float) -> None:
    """Give a server less time."""
    black_box.server = replace(black_box.server, deadline=deadline)
    black_box.requester = Requester(black_box.server)


def started(lie: type[Honest], permission: Permission | None = None) -> BlackBox:
    """Return a server in a process of its own."""
    process = StartedServer([sys.executable, "-m", lying_server.__name__, lie.__name__])
    server = Server(process.address, DEFINITIONS, deadline=DEADLINE, pid=process.pid)
    return BlackBox(server, permission or Permission(), started=process)


def sound(api_key: int, version: int | None = None) -> Check:
    version = NEWEST[api_key] if version is None else version
    return lambda black_box: check_sound_requests(black_box, api_key, version)


def hostile(api_key: int) -> Check:
    return lambda black_box: check_hostile_bodies(black_box, api_key, NEWEST[api_key])


CHECKS: tuple[Check, ...] = (
    check_announcement,
    check_pipelining,
    check_broken_frames,
    sound(API_VERSIONS),
    sound(METADATA),
    sound(FIND_COORDINATOR),
    hostile(LIST_GROUPS),
)

LIES: tuple[tuple[type[Honest], Check, str, str], ...] = (
    (lying_server.WrongCorrelationId, sound(METADATA), "header.correlation-id", "bytes"),
    (lying_server.SwappedAnswers, check_pipelining, "connection.order", "bytes"),
    (lying_server.ExtraByte, sound(METADATA), "message.nothing-else", "bytes"),
    (lying_server.OldHeader, sound(METADATA), "header.response-version", "bytes"),
    (lying_server.EmptyRange, check_announcement, "connection.announced-ranges", "bytes"),
    (lying_server.OwnEmptyRange, check_announcement, "connection.announced-ranges", "bytes"),
    (lying_server.AnnouncesTwice, check_announcement, "connection.announced-ranges", "bytes"),
    (lying_server.ClosesOnNewVersions, check_announcement, "connection.version-too-new", "rejected"),
    (lying_server.WithholdsVersions, sound(API_VERSIONS), "connection.answered", "bytes"),
    (lying_server.OldAnswers, sound(API_VERSIONS), "connection.version-too-new", "bytes"),
    (lying_server.FeatureFromZero, sound(API_VERSIONS, 3), "connection.refused-value", "bytes"),
    (lying_server.DeadWithMembers, sound(DESCRIBE_GROUPS), "connection.contradicting-values", "bytes"),
    (lying_server.ErrorOfLaterVersion, sound(FIND_COORDINATOR, 4), "connection.unknown-value", "bytes"),
    (lying_server.NothingFound, sound(FIND_COORDINATOR), "connection.answers-asked", "bytes"),
    (lying_server.AnswersAnother, sound(METADATA, 9), "connection.answers-asked", "bytes"),
    (lying_server.NeedsShortClientId, sound(LIST_GROUPS), "connection.answered", "rejected"),
    (lying_server.NeedsClientId, sound(FIND_COORDINATOR), "connection.answered", "rejected"),
    (lying_server.TakesAnything, hostile(LIST_GROUPS), "input.truncated", "value"),
    (lying_server.NeverAnswers, sound(FIND_COORDINATOR), "connection.answered", "timed-out"),
    (lying_server.Overlong, sound(METADATA), "varint.shortest", "bytes"),
    (lying_server.WaitsOnBrokenFrames, check_broken_frames, "connection.refused", "timed-out"),
)


@pytest.mark.parametrize("check", CHECKS)
def test_sound_server_is_not_accused(check: Check) -> None:
    with Fake() as fake, closing(black_box_of(fake)) as black_box:
        assert found(check(black_box)) == []


@pytest.mark.parametrize(("lie", "check", "rule", "outcome"), LIES, ids=lambda part: getattr(part, "__name__", None))
def test_lie_is_blamed_on_its_rule(lie: type[Honest], check: Check, rule: str, outcome: str) -> None:
    with Fake(lie) as fake, closing(black_box_of(fake)) as black_box:
        if outcome == "timed-out":
            hasten(black_box, IMPATIENT)
        shown = {(violation.rule, violation.outcome) for violation in found(check(black_box))}
    assert (rule, outcome) in shown
    assert {rule for rule, _ in shown} <= {rule, *FOLLOWING.get(lie, ())}


def test_server_without_announced_versions_is_alive() -> None:
    with Fake(lying_server.AnnouncesNothing) as fake, closing(black_box_of(fake)) as black_box:
        assert black_box.is_alive()


FEW_VERSIONS = [(None, 0, 1), (None, 3, 4), (0, 0, 2**15), (1, 1, 2**15), (2, 2, 2**15), (3, 4, 2**15)]
"""The newest announced version of ApiVersions, the newest one with an answer, and the oldest one that is refused."""


@pytest.mark.parametrize(("highest", "has", "refuses"), FEW_VERSIONS)
def test_version_is_too_new_only_after_announced_ones(highest: int | None, has: int, refuses: int) -> None:
    """Version 32767 is too new for every server, so only a server with a refusal of it is found."""
    with Fake(announcing(highest, has, refuses)) as fake, closing(black_box_of(fake)) as black_box:
        shown = [violation.case.name for violation in found(check_announcement(black_box))]
    assert shown == (["version 32767"] if refuses < 2**15 else [])


@pytest.mark.parametrize("highest", [None, 0, 1, 2, 3])
def test_refused_too_new_version_is_found_beside_few_announced_ones(highest: int | None) -> None:
    with Fake(announcing(highest, refuses=NO_SUCH_VERSION)) as fake, closing(black_box_of(fake)) as black_box:
        [violation] = found(check_announcement(black_box))
    assert (violation.rule, violation.case.name) == ("connection.version-too-new", "version 32767")


SILENCES: tuple[tuple[type[Honest], Check], ...] = (
    (lying_server.SilentOnce, sound(FIND_COORDINATOR)),
    (lying_server.SilentOnce, check_broken_frames),
    (lying_server.SilentSecond, check_pipelining),
)


@pytest.mark.parametrize(("lie", "check"), SILENCES, ids=lambda part: getattr(part, "__name__", None))
def test_unrepeated_silence_is_no_finding(lie: type[Honest], check: Check) -> None:
    """A late answer is asked for again, on a new connection and with more time."""
    with Fake(lie) as fake, closing(black_box_of(fake)) as black_box:
        hasten(black_box, REFUSAL_DEADLINE)
        shown = found(check(black_box))
    assert fake.frames > 2
    assert shown == []


def test_known_silence_is_not_waited_out() -> None:
    """A known silence takes one deadline, not three."""
    with Fake(lying_server.NeverAnswers) as fake, closing(black_box_of(fake)) as black_box:
        hasten(black_box, IMPATIENT)
        black_box.is_known = lambda violation: violation.outcome == "timed-out"
        [violation] = found(sound(FIND_COORDINATOR)(black_box))
        sent = len(black_box.requester.sent)
    assert (violation.rule, sent) == ("connection.answered", 1)


FOLLOWING: dict[type[Honest], tuple[str, ...]] = {
    lying_server.TakesAnything: ("varint.too-long", "length.within-input", "count.within-input", "length.negative",
                                 "null.not-allowed", "tag.size-within-input", "tag.ascending", "string.too-long"),
}  # fmt: skip
"""The other rules that a lie breaks as well."""


def test_server_with_authentication_is_not_accused() -> None:
    tally = Tally()
    with Fake(lying_server.AsksWho) as fake, closing(black_box_of(fake, authenticates=True)) as black_box:
        assert found(check_authentication(black_box), tally) == []
        assert found(sound(METADATA)(black_box), tally) == []
    assert tally.cases["requests before authentication"] > 50


def test_memory_for_announced_sizes_is_blamed() -> None:
    with closing(started(lying_server.AllocatesSizes, Permission(largest=64 * 2**20))) as black_box:
        [violation] = found(check_claimed_sizes(black_box))
    assert (violation.rule, violation.outcome) == ("connection.claimed-size", "exhausted-memory")


def test_server_without_memory_for_announced_sizes_is_not_accused() -> None:
    tally = Tally()
    with closing(started(Honest, Permission(largest=64 * 2**20))) as black_box:
        assert found(check_claimed_sizes(black_box), tally) == []
    assert tally.cases["announced sizes"] == len((1, 4, 16, 64))


def restartable(lie: type[Honest]) -> BlackBox:
    started = lying_server.Restartable(lie)
    black_box = BlackBox(Server(started.address, DEFINITIONS, deadline=2.0), Permission(), started=started)
    black_box.patience = 5 * lying_server.LATE
    return black_box


def test_late_death_is_traced_to_its_frames() -> None:
    """The server ends a while after the third request, and the frames around these are left out."""
    with closing(restartable(lying_server.LateDeath)) as black_box:
        shown = found(until_lost(black_box, _others_and_groups(black_box)))
    [violation] = [violation for violation in shown if violation.rule == "connection.survival"]
    assert [frame[8:12] for frame in violation.event().frames or ()] == ["0010"] * 3


def _others_and_groups(black_box: BlackBox) -> Iterator[Event]:
    yield from sound(FIND_COORDINATOR)(black_box)
    yield from check_sound_requests(black_box, LIST_GROUPS, 0)
    sleep(2 * lying_server.LATE)


def test_every_rule_of_connections_has_a_lie_of_a_server_or_client() -> None:
    """The lies of clients are in tests/live/client."""
    here = {rule for _, _, rule, _ in LIES} | {"connection.authentication", "connection.resources"}
    here |= {"connection.claimed-size"}
    rules = {rule.id for rule in catalogue().values() if rule.side == "connection"}
    of_clients = {"connection.announced-version", "connection.sasl-token"}
    assert rules - here - {"connection.survival"} == of_clients
