"""A run against a server behind a port, made from its options."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conformance.codec.selection import Selection, parse_selection, select
from conformance.definitions.defining_releases import Definitions
from conformance.definitions.named import release_of
from conformance.live.address import Address
from conformance.live.server.black_box import BlackBox, notes_of
from conformance.live.server.connection import Budget
from conformance.live.server.exchanges import load_found_exchanges
from conformance.live.server.security import Credentials, authentication, tls_context
from conformance.live.server.server import Server
from conformance.live.server.started import StartedServer
from conformance.live.server.suspects import Suspects
from conformance.live.server.tiers import Permission, Tier
from conformance.suite.options import REACHING
from conformance.suite.run_options import CHOSEN
from conformance.suite.subjects import ServerSubject
from conformance.suite.suite_run import SuiteRun, known_failures_of
from conformance.system.command_words import command_words
from conformance.targets.declared_limits import OF_SERVERS, BadLimit, DeclaredLimits
from reference import newest_release

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.live.server.exchanges import ExchangeCase
    from conformance.report.files.found_cases import FoundCase
    from conformance.suite.options import RunOptions
    from reference import MessageSchema, Release


SHARED = "kafka_shared"
"""The folder that the workers of a run share, among the facts given to each."""


def make_server_run(config: pytest.Config) -> SuiteRun:
    """Connect to the server, and return the run, or raise `pytest.UsageError` or `ConformanceError`."""
    command = config.stash[CHOSEN].start
    started = StartedServer(command_words(command)) if command else None
    try:
        return _run_against(config, started)
    except BaseException:
        if started:
            started.stop()
        raise


def _run_against(config: pytest.Config, started: StartedServer | None) -> SuiteRun:
    options = config.stash[CHOSEN]
    permission = _permission(options)
    release = release_of(options.release or newest_release())
    address = started.address if started else Address.parse(options.broker)
    _check_address(options, address)
    pid = started.pid if started else options.pid
    server = replace(server_at(address, release, options), budget=_budget(config), pid=pid)
    if server.announced and server.authenticate is not None:
        server.connect().close()  # wrong credentials are reported at once
    black_box = BlackBox(server, permission, notes_of(server, permission), started)
    black_box.suspects = _suspects(config) if started is None else None
    if started and config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        started.stop()  # each worker has a server of its own, and the controller asks nothing more
    known = known_failures_of(options, release)
    black_box.is_known = lambda violation: any(entry.covers(violation) for entry in known)
    schemas = list(_schemas(black_box, options.messages))
    found_cases = _found_cases(options.found, schemas)
    return SuiteRun(ServerSubject(black_box, release), Selection(schemas, (), ()), known, found_cases)


def _suspects(config: pytest.Config) -> Suspects | None:
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    return Suspects(Path(worker[SHARED]), worker["workerid"]) if SHARED in worker else None


def _found_cases(folder: Path | None, schemas: list[MessageSchema]) -> list[FoundCase[ExchangeCase]]:
    pairs = {(schema.message, schema.version) for schema in schemas}
    found = load_found_exchanges(folder) if folder else ()
    return [each for each in found if (each.case.target.message, each.case.target.version) in pairs]


def server_at(address: Address, release: Release, options: RunOptions) -> Server:
    """Return a server at an address, with the options for reaching it, or raise `NotAuthenticated`."""
    has_tls = options.cafile or options.certfile or options.tls
    context = tls_context(options.cafile or None, options.certfile or None) if has_tls else None
    definitions = Definitions.beginning_with(release)
    credentials = Credentials.chosen(options.sasl, options.user)
    authenticate = authentication(credentials, definitions) if credentials else None
    reaching = tuple(options.words(REACHING))
    return Server(address, definitions, context, authenticate, options.deadline, options=reaching)


def _budget(config: pytest.Config) -> Budget:
    options, workers = config.stash[CHOSEN], getattr(config, "workerinput", {}).get("workercount", 1)
    return Budget(options.rate / workers, options.minutes * 60)


def _permission(options: RunOptions) -> Permission:
    tier = Tier.THROW_AWAY if options.throw_away else Tier.NO_OP if options.no_op else Tier.READ_ONLY
    largest = options.max_size * 2**20 if options.memory else 0
    limits = DeclaredLimits(dict(map(_limit, options.limit)))
    return Permission(tier, frozenset(options.allow), largest, limits)


def _limit(text: str) -> tuple[str, int]:
    """Return a limit of a server's own, given as `NAME=NUMBER`."""
    name, _, digits = text.partition("=")
    try:
        limits = DeclaredLimits.of({name: int(digits)}, OF_SERVERS)
    except (ValueError, BadLimit) as error:
        raise pytest.UsageError(f"--limit={text}: {error}") from error
    return name, limits.declared[name]


def _check_address(options: RunOptions, address: Address) -> None:
    is_dangerous = options.throw_away or options.memory
    if is_dangerous and not options.not_loopback and not address.is_loopback():
        raise pytest.UsageError(
            f"--throw-away and --memory may end a server, and {address} is not on this machine: "
            "add --not-loopback if it may be lost"
        )


def _schemas(black_box: BlackBox, patterns: Sequence[str]) -> Iterator[MessageSchema]:
    selectors = parse_selection(patterns)
    definitions = black_box.server.definitions
    found = [
        schema
        for api_key, version in black_box.pairs
        for schema in (definitions.body("request", api_key, version), definitions.body("response", api_key, version))
        if schema is not None
    ]
    yield from select(found, selectors)
