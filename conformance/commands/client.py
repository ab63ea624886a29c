"""`kafka-conformance client`: run a client program against a broker of ours, and judge what it says and does."""

from __future__ import annotations

import math
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from conformance.commands import common
from conformance.commands.client_answers import Wanted, answer_client
from conformance.commands.client_sessions import Caps, Sessions, hear, judge_sessions, keep
from conformance.judge.findings.known_failures import load_known_failures
from conformance.live.address import Address
from conformance.live.capture.defining_releases import Definitions
from conformance.live.client.listening import death_of, listen
from conformance.live.client.trial import ClientSubject
from conformance.live.client.variations import ACCEPTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from conformance.judge.case import Violation
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.live.client.listening import Heard
    from reference import Release

WRITTEN = "bytes"
"""The outcome of findings about what a client writes."""

DEATH = ACCEPTED, "crashed"
"""Rule and outcome of a crash after sound answers."""

LISTENING = ("upstream", "cap_versions", "capture_file")
ANSWERING = ("cases", "case", "fatal", "minutes", "verbose")


@click.command()
@click.option("--upstream", metavar="HOST:PORT", help="A real broker (default: a scripted one of the suite).")
@click.option(
    "--cap-versions",
    type=Caps(),
    default="0",
    help="Announce versions up to N below the maximum only; one run for each.",
)
@click.option("--capture", "capture_file", type=common.OUTPUT, help="Keep all frames in a file, as `capture` does.")
@click.option("--answers", type=click.Choice(("sound", "hostile")), help="Change answers, one process for each change.")
@click.option("--cases", type=click.IntRange(min=1), default=100, show_default=True, help="How many for --answers.")
@click.option("--case", metavar="NAME", help="For --answers hostile: this one alone, as a finding names it.")
@click.option("--minutes", type=common.NUMBER, default=math.inf, help="For --answers: begin no run after so many.")
@click.option("-v", "--verbose", is_flag=True, help="Show a line for each answer.")
@click.option("--fatal", multiple=True, metavar="TEXT", help="For --answers: output that tells of a crash; repeatable.")
@click.option(
    "--deadline", type=common.NUMBER, default=30.0, show_default=True, help="Seconds for a run of the client."
)
@common.known_failures_option
@common.report_option
@common.workers_option
@common.release_option
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.pass_context
def client(  # noqa: PLR0913, PLR0917  # one argument for each option
    context: click.Context,
    upstream: str | None,
    cap_versions: Sequence[int] | None,
    capture_file: Path | None,
    answers: str | None,
    cases: int,
    case: str | None,
    minutes: float,
    fatal: tuple[str, ...],
    verbose: bool,  # noqa: FBT001  # click passes it by name
    deadline: float,
    known_failures: Path | None,
    report: Path | None,
    workers: int,
    release_name: str | None,
    command: tuple[str, ...],
) -> None:
    """Run a client program, and judge every request that it writes; or change answers, and see what it does.

    COMMAND finds the address of a broker in its environment, in KAFKA_BOOTSTRAP. The exit status is 0 if no rule is
    broken but those of known failures, else 1.
    """
    _check_options(context, answers)
    release = common.release_named(release_name)
    with common.errors_shown(), _ended_by_sigterm():
        entries = _entries(known_failures, release, listens=answers is None)
        under_test = ClientSubject(command, Definitions.beginning_with(release), deadline, fatal)
        if answers:
            wanted = Wanted(answers, cases, case, workers, minutes, verbose)
            raise SystemExit(1 if answer_client(under_test, wanted, entries, report) else 0)
        address = Address.parse(upstream) if upstream else None
        deaths: list[Violation] = []

        def see_death(one: Heard, cap: int) -> None:
            death = None if address else death_of(under_test, one, cap)
            deaths.extend([] if death is None else [death])

        heard = hear(lambda cap: listen(under_test, address, cap), cap_versions, see_death)
        if capture_file:
            keep(heard, under_test.definitions, capture_file, cap_versions)
        about = Sessions(under_test, heard, capture_file, deaths)
        raise SystemExit(1 if judge_sessions(about, entries, report) else 0)


def _entries(path: Path | None, release: Release, *, listens: bool) -> list[KnownFailure]:
    """Return the known failures that a run can show: of what a client writes, or of what it does."""
    loaded = load_known_failures(path) if path else []
    here = [entry for entry in loaded if entry.is_about(release.name)]
    if not listens:
        return [entry for entry in here if entry.outcome != WRITTEN]
    return [entry for entry in here if entry.outcome == WRITTEN or (entry.rule, entry.outcome) == DEATH]


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end this process as Ctrl-C does, so that it ends the clients that run."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _check_options(context: click.Context, answers: str | None) -> None:
    """Refuse options that would be ignored."""
    if answers == "sound" and _is_given(context, "case"):
        raise click.UsageError("--case names a hostile answer: it needs --answers hostile")
    given = {name for name in (*LISTENING, *ANSWERING) if _is_given(context, name)}
    for name in given & set(LISTENING if answers else ANSWERING):
        option = next(each.opts[0] for each in context.command.params if each.name == name)
        raise click.UsageError(f"{option} {'does not go with' if answers else 'needs'} --answers")


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
