"""`kafka-conformance client`: run a client program against a broker of ours, and judge what it says and does."""

from __future__ import annotations

import shlex
import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.__about__ import __version__
from conformance.commands.client_answers import answer_client
from conformance.commands.common import errors_shown, release_named, release_option, workers_option
from conformance.commands.judge import FILE, show_judgement
from conformance.findings.known_failures import load_known_failures
from conformance.findings.report.json_lines import write_report
from conformance.live.address import Address
from conformance.live.client.listening import listen
from conformance.live.client.process import BOOTSTRAP, Limits
from conformance.live.client.trial import Subject
from conformance.live.judging.definitions import Definitions
from conformance.live.traffic.capture import Header, write_capture
from conformance.live.traffic.redaction import Redactor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.findings.known_failures import KnownFailure
    from conformance.live.client.listening import Heard
    from reference import Release

OUTPUT = click.Path(dir_okay=False, path_type=Path)
SECONDS = click.FloatRange(min=0, min_open=True)
LISTENING = ("upstream", "cap_versions", "capture_file")
ANSWERING = ("cases", "case", "fatal", "verbose")


@click.command()
@click.option("--upstream", metavar="HOST:PORT", help="A real broker (default: a scripted one of the suite).")
@click.option(
    "--cap-versions", type=click.IntRange(min=0), default=0, help="Announce versions up to N below the maximum only."
)
@click.option("--capture", "capture_file", type=OUTPUT, help="Keep all frames in a file, as `capture` does.")
@click.option("--answers", type=click.Choice(("sound", "hostile")), help="Change answers, one process for each change.")
@click.option("--cases", type=click.IntRange(min=1), default=100, show_default=True, help="How many for --answers.")
@click.option("--case", metavar="NAME", help="For --answers hostile: this one alone, as a finding names it.")
@click.option("-v", "--verbose", is_flag=True, help="Show a line for each answer.")
@click.option("--fatal", multiple=True, metavar="TEXT", help="For --answers: output that tells of a crash; repeatable.")
@click.option("--deadline", type=SECONDS, default=30.0, show_default=True, help="Seconds for a run of the client.")
@click.option("--known-failures", type=FILE, help="Findings that are expected: a TOML file.")
@click.option("--report", type=OUTPUT, help="Write all findings as JSON Lines.")
@workers_option
@release_option
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.pass_context
def client(  # noqa: PLR0913, PLR0917  # one argument for each option
    context: click.Context,
    upstream: str | None,
    cap_versions: int,
    capture_file: Path | None,
    answers: str | None,
    cases: int,
    case: str | None,
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
    release = release_named(release_name)
    definitions = Definitions.beginning_with(release)
    with errors_shown(), _ended_by_sigterm():
        loaded = load_known_failures(known_failures) if known_failures else []
        entries = [entry for entry in loaded if entry.is_about(release.name)]
        if answers:
            subject = Subject(command, definitions, deadline, fatal)
            failed = answer_client(
                subject, answers, entries, report, cases=cases, case=case, workers=workers, verbose=verbose
            )
            raise SystemExit(1 if failed else 0)
        address = Address.parse(upstream) if upstream else None
        heard = listen(command, definitions, Limits(deadline), address, cap_versions)
        _keep(heard, definitions, capture_file, cap_versions)
        _show_run(heard)
    raise SystemExit(1 if _judge(heard, entries, report, (definitions, release, capture_file, command)) else 0)


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


def _keep(heard: Heard, definitions: Definitions, path: Path | None, cap_versions: int) -> None:
    """Write the frames to a file, if one is asked for."""
    if path:
        write_capture(path, Header("no", cap_versions), map(Redactor(definitions, "no").take, heard.frames))


def _show_run(heard: Heard) -> None:
    """Show how the client ended.

    Raises:
        click.ClickException: it has never connected, or asked nothing.
    """
    if heard.run.output:
        click.echo(heard.run.output)
    if not heard.connections:
        when = "within the deadline" if heard.run.is_late else "before it ended"
        text = f"the client did not connect {when} ({heard.run.ending}); the address is in {BOOTSTRAP}"
        raise click.ClickException(text)
    if not any(frame.sender == "client" and not frame.is_rest for frame in heard.frames):
        raise click.ClickException(f"the client connected, and wrote no request ({heard.run.ending})")
    click.echo(f"the client: {heard.run.ending}, {heard.run.seconds:.1f} s, {heard.run.memory // 2**20:,} MiB")
    for trouble in heard.troubles:
        click.echo(f"note: {trouble}", err=True)


def _judge(
    heard: Heard,
    entries: list[KnownFailure],
    report: Path | None,
    about: tuple[Definitions, Release, Path | None, tuple[str, ...]],
) -> bool:
    """Show the verdict on what the client wrote; return whether there is anything new."""
    definitions, release, capture_file, command = about
    judgement = heard.judged(definitions, entries)
    if report:
        named = shlex.join(command)
        run = {"suite": __version__, "kind": "client", "client": named, "impl": named, "release": release.name}
        write_report(report, run, judgement.results, (), judgement.untested, judgement.events())
    title = f"{Path(command[0]).name} against {release.title}"
    show_judgement(judgement, str(capture_file or "CAPTURE"), title, release)
    if judgement.results.findings and capture_file is None:
        click.echo("--capture FILE keeps the frames, for `kafka-conformance judge FILE --frame N`", err=True)
    return bool(judgement.results.findings)
