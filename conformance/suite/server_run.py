"""A run against a server behind a port, made from its options."""

from __future__ import annotations

from argparse import ArgumentTypeError
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conformance.codec.declared_limits import OF_SERVERS, BadLimit, DeclaredLimits
from conformance.codec.selection import Selection, parse_selection, select
from conformance.definitions.defining_releases import Definitions
from conformance.definitions.named import release_of
from conformance.live.address import Address
from conformance.live.server.black_box import BlackBox, notes_of
from conformance.live.server.connection import Budget
from conformance.live.server.exchanges import load_found_exchanges
from conformance.live.server.security import Credentials, authentication, tls_context
from conformance.live.server.server import DEADLINE, Server
from conformance.live.server.started import StartedServer
from conformance.live.server.suspects import Suspects
from conformance.live.server.tiers import NEVER, Permission, Tier
from conformance.suite.option import number, option, whole_number
from conformance.suite.subjects import ServerSubject
from conformance.suite.suite_run import SuiteRun, known_failures_of
from conformance.system.command_words import command_words
from reference import newest_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.live.server.exchanges import ExchangeCase
    from conformance.report.files.found_cases import FoundCase
    from reference import MessageSchema, Release


def limit_named(text: str) -> tuple[str, int]:
    """Return a limit of a server's own, given as `NAME=NUMBER`.

    Raises:
        ArgumentTypeError: the text is no such limit.
    """
    name, _, digits = text.partition("=")
    try:
        limits = DeclaredLimits.of({name: int(digits)}, OF_SERVERS)
    except (ValueError, BadLimit) as error:
        raise ArgumentTypeError(f"{text!r}: {error}") from error
    return name, limits.declared[name]


SERVER_OPTIONS = (
    option("--broker", "Test the server at this address, by frames alone.", metavar="HOST:PORT"),
    option(
        "--start",
        "Start the server by this command, which prints HOST:PORT. Each worker has a server of its own. One that died "
        "is started again, to find the frames that end it.",
        metavar="COMMAND",
    ),
    option("--no-op", "Send requests that change things, too, with values that change nothing.", action="store_true"),
    option("--throw-away", "Send anything, hostile bytes included: the server may be lost.", action="store_true"),
    option("--memory", "Announce large sizes, too, one connection at a time.", action="store_true"),
    option(
        "--max-size",
        "The largest size that --memory announces, in MiB.",
        type=whole_number,
        default=64,
        metavar="MIB",
    ),
    option(
        "--pid",
        "The server's process on this machine: --memory watches its memory, and its silence is limited by its work.",
        type=whole_number,
        metavar="PID",
    ),
    option(
        "--allow",
        f"Send requests of this API, too, one of those that no tier allows: {', '.join(sorted(NEVER))}. Repeatable.",
        action="append",
        default=[],
        choices=sorted(NEVER),
        metavar="API",
    ),
    option(
        "--limit",
        f"A size beyond which the server may refuse sound requests: {', '.join(OF_SERVERS)}. Repeatable.",
        type=limit_named,
        action="append",
        default=[],
        metavar="NAME=NUMBER",
    ),
    option("--not-loopback", "Let --throw-away and --memory test another machine.", action="store_true"),
    option(
        "--sasl",
        "Authenticate by this mechanism: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512.",
        choices=("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"),
        metavar="MECHANISM",
    ),
    option(
        "--user",
        "Authenticate by this name, and by the password in the environment variable KAFKA_PASSWORD.",
        metavar="NAME",
    ),
    option("--tls", "Speak TLS, and trust what this machine trusts.", action="store_true"),
    option("--cafile", "Speak TLS, and trust the authorities in this PEM file.", metavar="FILE"),
    option("--certfile", "A PEM file with the client's certificate and key.", metavar="FILE"),
    option(
        "--rate",
        "Send so many frames a second at most, by all workers together; as many as are answered without it.",
        type=number,
        default=0.0,
        metavar="FRAMES",
    ),
    option(
        "--minutes",
        "Ask nothing more after so many minutes, and count what was left out.",
        type=number,
        default=0.0,
        metavar="MINUTES",
    ),
    option("--deadline", "Seconds to wait for an answer.", type=number, default=DEADLINE, metavar="SECONDS"),
)
"""The options of runs against a server."""

SHARED = "kafka_shared"
"""The folder that the workers of a run share, among the facts given to each."""

REACHING = ("--start", "--sasl", "--user", "--tls", "--cafile", "--certfile", "--deadline")
"""The options for reaching a server in the same way, beside its address."""


def names_server(config: pytest.Config) -> bool:
    """Return whether the run is against a server.

    Raises:
        pytest.UsageError: it names an implementation or a base release, too.
    """
    has_server = bool(config.getoption("kafka_broker") or config.getoption("kafka_start"))
    if has_server and config.getoption("kafka_impl"):
        raise pytest.UsageError("--impl tests a codec, --broker and --start a server behind a port: give one of them")
    if config.getoption("kafka_broker") and config.getoption("kafka_start"):
        raise pytest.UsageError("--start starts the server that is tested: leave --broker out")
    if has_server and config.getoption("kafka_base_release"):
        raise pytest.UsageError("--base-release is for runs of codecs: against a server, leave it out")
    return has_server


def make_server_run(config: pytest.Config) -> SuiteRun:
    """Connect to the server, and return the run against it.

    Raises:
        pytest.UsageError: options do not fit together.
        ConformanceError: there is no server, or one of the files cannot be used.
    """
    command = config.getoption("kafka_start")
    started = StartedServer(command_words(command)) if command else None
    try:
        return _run_against(config, started)
    except BaseException:
        if started:
            started.stop()
        raise


def _run_against(config: pytest.Config, started: StartedServer | None) -> SuiteRun:
    permission = _permission(config)
    release = release_of(config.getoption("kafka_release") or newest_release())
    address = started.address if started else Address.parse(config.getoption("kafka_broker"))
    _check_address(config, address)
    pid = started.pid if started else config.getoption("kafka_pid")
    server = replace(server_at(address, release, config.getoption), budget=_budget(config), pid=pid)
    if server.announced and server.authenticate is not None:
        server.connect().close()  # wrong credentials are reported at once
    black_box = BlackBox(server, permission, notes_of(server, permission), started)
    black_box.suspects = _suspects(config) if started is None else None
    if started and config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        started.stop()  # each worker has a server of its own, and the controller asks nothing more
    known = known_failures_of(config, release)
    black_box.is_known = lambda violation: any(entry.covers(violation) for entry in known)
    schemas = list(_schemas(black_box, config.getoption("kafka_messages")))
    found_cases = _found_cases(config.getoption("kafka_found"), schemas)
    return SuiteRun(ServerSubject(black_box, release), Selection(schemas, (), ()), known, found_cases)


def _suspects(config: pytest.Config) -> Suspects | None:
    """Return the suspects of the workers of a run, or None without workers."""
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    return Suspects(Path(worker[SHARED]), worker["workerid"]) if SHARED in worker else None


def _found_cases(folder: Path | None, schemas: list[MessageSchema]) -> list[FoundCase[ExchangeCase]]:
    """Return the found cases of servers about a selected message."""
    pairs = {(schema.message, schema.version) for schema in schemas}
    found = load_found_exchanges(folder) if folder else ()
    return [each for each in found if (each.case.target.message, each.case.target.version) in pairs]


def server_at(address: Address, release: Release, getoption: Callable[[str], Any]) -> Server:
    """Return a server at an address, with the options for reaching it.

    Raises:
        NotAuthenticated: credentials are missing, or a file cannot be read.
    """
    cafile, certfile = getoption("kafka_cafile"), getoption("kafka_certfile")
    context = tls_context(cafile, certfile) if cafile or certfile or getoption("kafka_tls") else None
    definitions = Definitions.beginning_with(release)
    credentials = Credentials.chosen(getoption("kafka_sasl"), getoption("kafka_user"))
    authenticate = authentication(credentials, definitions) if credentials else None
    return Server(
        address, definitions, context, authenticate, getoption("kafka_deadline"), options=tuple(_reaching(getoption))
    )


def _reaching(getoption: Callable[[str], Any]) -> Iterator[str]:
    """Yield the given options for reaching a server."""
    for each in SERVER_OPTIONS:
        value = getoption(each.dest) if each.name in REACHING else None
        if value and value != each.attributes.get("default"):
            yield from (each.name,) if value is True else (each.name, str(value))


def _budget(config: pytest.Config) -> Budget:
    rate, minutes = config.getoption("kafka_rate"), config.getoption("kafka_minutes")
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    return Budget(rate / workers, minutes * 60)


def _permission(config: pytest.Config) -> Permission:
    is_memory, is_no_op = config.getoption("kafka_memory"), config.getoption("kafka_no_op")
    tier = Tier.THROW_AWAY if config.getoption("kafka_throw_away") else Tier.NO_OP if is_no_op else Tier.READ_ONLY
    limit = config.getoption("kafka_max_size") if is_memory else 0
    limits = DeclaredLimits(dict(config.getoption("kafka_limit")))
    return Permission(tier, frozenset(config.getoption("kafka_allow")), limit * 2**20, limits)


def _check_address(config: pytest.Config, address: Address) -> None:
    is_dangerous = config.getoption("kafka_throw_away") or config.getoption("kafka_memory")
    if is_dangerous and not config.getoption("kafka_not_loopback") and not address.is_loopback():
        raise pytest.UsageError(
            f"--throw-away and --memory may end a server, and {address} is not on this machine: "
            "add --not-loopback if it may be lost"
        )


def _schemas(black_box: BlackBox, patterns: list[str]) -> Iterator[MessageSchema]:
    """Yield the selected requests and responses, in the versions announced by the server."""
    selectors = parse_selection(patterns)
    definitions = black_box.server.definitions
    found = [
        schema
        for api_key, version in black_box.pairs
        for schema in (definitions.body("request", api_key, version), definitions.body("response", api_key, version))
        if schema is not None
    ]
    yield from select(found, selectors)
