"""The command `kafka-conformance client`, which runs a client program against a broker of the suite.

Without `--answers` it judges the requests of an undisturbed client, with them the behaviour after changed answers.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import click

from conformance.commands import common
from conformance.commands.common import NothingTestedError, progress_bar
from conformance.commands.conclusion import conclude, show_summary
from conformance.commands.judge import show_judgement
from conformance.definitions.defining_releases import Definitions
from conformance.judge.findings.extent import COMPLETE, Completeness, Extent
from conformance.judge.findings.known_failures import load_known_failures
from conformance.judge.findings.lines import Remark
from conformance.judge.recording import record
from conformance.live.address import Address
from conformance.live.capture.capture import CaptureHeader, write_capture
from conformance.live.capture.capture_judgement import NOT_KEPT
from conformance.live.capture.redaction import Redactor
from conformance.live.client.answer_trials import TrialRunner
from conformance.live.client.client_process import BOOTSTRAP, CannotStart, crash_of
from conformance.live.client.hostile_answers import answer_named, hostile_answers
from conformance.live.client.listening import death_of, joined, judged_together, listen, listen_again
from conformance.live.client.sound_answers import error_answers
from conformance.live.client.trial import ClientSubject, FailsAnyway, baseline_of
from conformance.live.client.variations import ACCEPTED, KINDS
from conformance.report.run_lines import EndedRun
from conformance.suite.options import LARGEST
from conformance.system.file_kinds import CAPTURE
from conformance.system.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from conformance.judge.case import Violation
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.live.client.answer_trials import Answer
    from conformance.live.client.listening import ClientSession
    from conformance.live.client.trial import Baseline
    from reference import Release

ALL = "all"


class Caps(click.ParamType["tuple[int, ...] | None"]):
    """The numbers to lower announced maximum versions by, or None for all numbers with a difference."""

    name = "N|N..M|all"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...] | None:
        """Return the numbers of a text."""
        if value.lower() == ALL:  # help shows it in capitals
            return None
        match = re.fullmatch(r"(\d{1,9})(?:\.\.(\d{1,9}))?", value)
        numbers = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
        if not numbers:
            self.fail(f"{value!r} is neither a number, as 2, nor a range, as 0..5, nor all", param, ctx)
        return tuple(numbers)


class Sessions(NamedTuple):
    """The undisturbed runs of a client, one for each cap, and its crashes after valid answers."""

    client: ClientSubject
    session: Sequence[ClientSession]
    capture: Path | None
    deaths: Sequence[Violation] = ()


def record_per_cap(
    listen_with: Callable[[int], ClientSession],
    caps: Sequence[int] | None,
    died: Callable[[ClientSession, int], object] = lambda _, __: None,
) -> list[ClientSession]:
    """Run a client once for each cap, and show the end of each run.

    Without `caps` there is a run for all with a difference. `died` is called with each run and its cap.
    """
    session = []
    for cap, one in listen_again(listen_with, caps):
        _show_run(one, cap, alone=caps is not None and len(caps) == 1)
        session.append(one)
        died(one, cap)
    return session


def _show_run(session: ClientSession, cap: int, *, alone: bool) -> None:
    output = session.run.output
    if output and (alone or not session.run.succeeded):
        echo(output if alone else crash_of(session.run) or output.splitlines()[-1])
    if not session.connections:
        when = "within the deadline" if session.run.is_late else "before it ended"
        text = f"the client did not connect {when} ({session.run.ending}); the address is in {BOOTSTRAP}"
        raise NothingTestedError(text)
    if not session.requests:
        raise NothingTestedError(f"the client connected, and wrote no request ({session.run.ending})")
    measured = f"{session.run.ending}, {session.run.seconds:.1f} s, {session.run.memory // 2**20:,} MiB"
    echo(f"the client: {measured}" if alone else f"versions lowered by {cap}: {measured}, {session.requests} requests")
    for trouble in session.troubles:
        echo(f"note: {trouble}", err=True)


def keep(session: Sequence[ClientSession], definitions: Definitions, path: Path, caps: Sequence[int] | None) -> None:
    """Write the frames of all runs to a file. Its header has the cap of a single run."""
    frames = [frame for one in joined(session) for frame in one.frames]
    header = CaptureHeader("no", caps[0] if caps is not None and len(caps) == 1 else 0)
    write_capture(path, header, map(Redactor(definitions, "no").take, frames))


def judge_sessions(sessions: Sessions, entries: Sequence[KnownFailure], report: Path | None) -> bool:
    """Show the verdict on the requests of a client, and return whether there are new findings."""
    client, capture = sessions.client, sessions.capture
    judgement = judged_together(client, sessions.session, entries)
    record(judgement.results, "crashes", "", sessions.deaths)
    show_judgement(judgement, str(capture or NOT_KEPT), report)
    if judgement.results.findings and capture is None:
        echo("--capture FILE keeps all frames, for `kafka-conformance judge FILE`", err=True)
    return bool(judgement.results.findings)


WRITTEN = "bytes"
"""The outcome of findings about the bytes of a client."""

DEATH = ACCEPTED, "crashed"
"""The rule and the outcome of a crash after valid answers."""

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
@click.option(
    "--capture", "capture_file", type=common.output_file(CAPTURE), help="Keep all frames in a file, as `capture` does."
)
@click.option("--answers", type=click.Choice(("sound", "hostile")), help="Change answers, one process for each change.")
@click.option("--cases", type=click.IntRange(min=1), default=100, show_default=True, help="How many for --answers.")
@click.option("--case", metavar="NAME", help="For --answers hostile: this one alone, as a finding names it.")
@click.option("--minutes", type=common.NUMBER, default=LARGEST, help="For --answers: begin no run after so many.")
@click.option("-v", "--verbose", is_flag=True, help="Show a line for each answer.")
@click.option("--fatal", multiple=True, metavar="TEXT", help="For --answers: output that tells of a crash. Repeatable.")
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
    """Run a client program and judge every request that it writes, or change answers and see what it does.

    COMMAND finds the address of a broker in its environment, in KAFKA_BOOTSTRAP. The exit status is 0 if no rule is
    broken but those of known failures, else 1; 5 if nothing was tested, as the client asked nothing, or fails with
    plain answers.
    """
    _check_options(context, answers)
    release = common.release_named(release_name)
    with common.errors_shown(), _nothing_tested():
        entries = _entries(known_failures, release, listens=answers is None)
        under_test = ClientSubject(command, Definitions.beginning_with(release), deadline, fatal)
        if answers:
            options = AnswerOptions(answers, cases, case, workers, minutes, verbose)
            raise SystemExit(1 if answer_client(under_test, options, entries, report) else 0)
        address = Address.parse(upstream) if upstream else None
        deaths: list[Violation] = []

        def see_death(one: ClientSession, cap: int) -> None:
            death = None if address else death_of(under_test, one, cap)
            deaths.extend([] if death is None else [death])

        session = record_per_cap(lambda cap: listen(under_test, address, cap), cap_versions, see_death)
        if capture_file:
            keep(session, under_test.definitions, capture_file, cap_versions)
        about = Sessions(under_test, session, capture_file, deaths)
        raise SystemExit(1 if judge_sessions(about, entries, report) else 0)


def _entries(path: Path | None, release: Release, *, listens: bool) -> list[KnownFailure]:
    loaded = load_known_failures(path) if path else []
    here = [entry for entry in loaded if entry.is_about(release.name)]
    # A run that listens shows bytes and crashes after valid answers, a run with changed answers behaviour.
    if not listens:
        return [entry for entry in here if entry.outcome != WRITTEN]
    return [entry for entry in here if entry.outcome == WRITTEN or (entry.rule, entry.outcome) == DEATH]


@contextmanager
def _nothing_tested() -> Iterator[None]:
    try:
        yield
    except (CannotStart, FailsAnyway) as error:
        raise NothingTestedError(str(error)) from error


def _check_options(context: click.Context, answers: str | None) -> None:
    if answers == "sound" and _is_given(context, "case"):
        raise click.UsageError("--case names a hostile answer: it needs --answers hostile")
    given = {name for name in (*LISTENING, *ANSWERING) if _is_given(context, name)}
    for name in given & set(LISTENING if answers else ANSWERING):
        option = next(each.opts[0] for each in context.command.params if each.name == name)
        raise click.UsageError(f"{option} {'does not go with' if answers else 'needs'} --answers")


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


class AnswerOptions(NamedTuple):
    """The options of the command for answers."""

    answers: str
    cases: int
    case: str | None
    workers: int
    minutes: float
    verbose: bool


def answer_client(
    client: ClientSubject, options: AnswerOptions, entries: Sequence[KnownFailure], report: Path | None
) -> bool:
    """Give a client one answer in each run, and return whether there are new findings.

    Raises:
        FailsAnyway: the client fails with plain answers.
        CannotStart: there is no such program.
        click.ClickException: there is no case of that name.
    """
    baseline = baseline_of(client)
    _show_baseline(baseline)
    trials = TrialRunner(client, baseline, entries, seconds=60 * options.minutes)
    _run(trials, _chosen(client, baseline, options), options)
    about = client.about(options=[*client.options, "--release", client.release.name])
    extent, remarks = _extent(trials, options), list(_remarks(trials))
    show_summary(conclude(EndedRun(about, trials.results, extent, remarks=remarks), report))
    return bool(trials.results.findings)


def _extent(trials: TrialRunner, options: AnswerOptions) -> Extent:
    if trials.untried:
        return Extent(Completeness.SELECTION, f"no time for {len(trials.untried)} answers")
    return Extent(Completeness.SELECTION, f"only the case {options.case}") if options.case else COMPLETE


def _show_baseline(baseline: Baseline) -> None:
    apis = len({pair.api for pair in baseline.pairs})
    run = baseline.run
    echo(
        f"with plain answers: {run.ending}, {run.seconds:.1f} s, {run.memory // 2**20:,} MiB, "
        f"{len(baseline.pairs)} versions of {apis} APIs"
    )


def _chosen(client: ClientSubject, baseline: Baseline, options: AnswerOptions) -> Sequence[Answer]:
    if options.answers == "sound":
        return error_answers(baseline.pairs)[: options.cases]
    if options.case is None:
        return hostile_answers(client.definitions, baseline.pairs, options.cases)
    named = answer_named(client.definitions, baseline.pairs, options.case)
    if named is None:
        raise click.ClickException(f"no hostile answer is called {options.case!r}, or the client does not ask for it")
    return [named]


def _run(trials: TrialRunner, chosen: Sequence[Answer], options: AnswerOptions) -> None:
    def done(text: str) -> None:
        progress.advance(task)
        if options.verbose:
            progress.console.print(text, markup=False, highlight=False, soft_wrap=True)

    with progress_bar() as progress:
        is_sound = options.answers == "sound"
        task = progress.add_task(f"{options.answers} answers", total=len(chosen) + len(KINDS) * is_sound)
        trials.run(chosen, options.workers, done)
        # The search for places takes longest.
        if is_sound:
            trials.vary(options.workers, done)


def _remarks(trials: TrialRunner) -> Iterator[Remark]:
    if trials.undelivered:
        yield Remark(f"answers that no request came for: {len(trials.undelivered)}")
    yield from (Remark(f"{category}: {why}") for category, why in trials.cut.items())
    if trials.untried:
        yield Remark(f"answers that there was no time for: {len(trials.untried)}")
