"""Sizes of requests accepted by a server, against its declared limits."""

from __future__ import annotations

import shlex
from contextlib import closing

import pytest

from conformance.judge.count_lines import Limit
from conformance.judge.tally import Tally
from conformance.live.server.black_box import BlackBox
from conformance.live.server.exchanges import ExchangeCase
from conformance.live.server.server import Server
from conformance.live.server.server_limits import check_limits
from conformance.live.server.tiers import Permission, Tier
from conformance.targets.declared_limits import DeclaredLimits
from tests.fakes import lying_server
from tests.fakes.lying_server import DEFINITIONS, FewTags, Honest
from tests.helpers.events import found


def checked(lie: type[Honest], limits: DeclaredLimits) -> tuple[list[str], set[tuple[str, int, int, int]]]:
    """Return the broken rules, and the sizes."""
    started, tally = lying_server.Restartable(lie), Tally()
    server = Server(started.address, DEFINITIONS, deadline=20.0)
    with closing(BlackBox(server, Permission(Tier.THROW_AWAY, limits=limits), started=started)) as black_box:
        return [each.rule for each in found(check_limits(black_box), tally)], {*tally.of(Limit)}


@pytest.mark.parametrize(("declared", "rules"), [({}, ["limit.declared"]), ({"tags": 100}, [])])
def test_limit_of_100_tags_is_allowed_if_declared(declared: dict[str, int], rules: list[str]) -> None:
    broken, sizes = checked(FewTags, DeclaredLimits(declared))
    assert broken == rules
    assert ("tags", 100, 101, declared.get("tags", -1)) in sizes


def test_frame_too_long_for_a_command_line_is_replayed_by_its_test() -> None:
    schema = DEFINITIONS.among[0].schema("ApiVersionsRequest", 4)
    case = ExchangeCase(schema, DEFINITIONS.among[0], "limit-tag-bytes-65537", (bytes(70_000),))
    option, chosen = shlex.split(case.replay_line("broker:127.0.0.1:9092", (), "frame"))[-2:]
    assert option == "-k"
    assert chosen.split(" or ") == ["server_limits", "server_produced_streams"]


def test_a_server_without_limits_is_not_accused() -> None:
    broken, sizes = checked(Honest, DeclaredLimits())
    assert broken == []
    assert {name for name, *_ in sizes} == {"tags", "tag-bytes", "frame-bytes"}
