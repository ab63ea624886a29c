"""The command `kafka-conformance matrix`, for a site about the deterministic suite on many codecs and releases."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from conformance.commands import common
from conformance.commands.replay_cases import replay_of
from conformance.commands.report import docs_option
from conformance.commands.run import options_from
from conformance.commands.suite_command import suite_option
from conformance.report.report_reading import read_report
from conformance.report.site.site import check_output, site_pages, write_site
from conformance.report.words import causes_text, extent_of
from conformance.suite.matrix_plan import PlannedRun, planned_runs
from conformance.suite.matrix_runs import ReportFolder, RunResult, run_all
from conformance.system.folders import alone
from conformance.system.printable import printable
from conformance.system.terminal import echo
from reference import newest_release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.report.site.documentation import Documentation

INTERRUPTED = 130


def _files(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, Path]:
    pairs = [text.rpartition("=") for text in texts]
    for impl, equals, file in pairs:
        if not equals or not impl or not Path(file).is_file():
            raise click.BadParameter(f"{impl + equals + file!r} is not IMPL=FILE, with a file that is there")
    return {impl: Path(file) for impl, _, file in pairs}


@click.command()
@common.impl_option(multiple=True)
@suite_option("release", "releases", multiple=True)
@common.output_option("the site", common.REPLACED_FOLDER)
@click.option(
    "--state",
    type=common.OUTPUT_FOLDER,
    default=Path("build/matrix"),
    show_default=True,
    help="Where reports are kept: a run with a report of the same inputs is not repeated.",
)
@common.workers_option
@click.option(
    "--known-failures",
    "known",
    multiple=True,
    callback=_files,
    metavar="IMPL=FILE",
    help="Known failures of an implementation (default: known_failures.toml beside its adapter). Repeatable.",
)
@click.option("--report", "reports", type=common.FILE, multiple=True, help="Show this report, too. Repeatable.")
@docs_option
@click.option("--again", is_flag=True, help="Run everything, whatever reports there are.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def matrix(  # noqa: PLR0913, PLR0917  # one argument for each option
    impls: tuple[str, ...],
    releases: tuple[str, ...],
    output: Path,
    state: Path,
    workers: int,
    known: dict[str, Path],
    reports: tuple[Path, ...],
    documentation: Documentation | None,
    again: bool,  # noqa: FBT001  # a flag of the command line
    options: tuple[str, ...],
) -> None:
    """Test implementations against releases, without random search, and write a site about them.

    Each run is a process of its own. Control-C ends them; what is finished is kept, and the next call goes on from
    there. A run that fails is named, and the others go on. OPTIONS after -- are options of `kafka-conformance run`.

    The exit status is 0 if every run wrote its report, 1 if any did not, 130 after control-C.
    """
    for release in releases:
        common.release_named(release)
    stray = set(known).difference(impls)
    if stray:
        raise click.BadParameter(f"no --impl is {', '.join(sorted(stray))}", param_hint="--known-failures")
    with common.errors_shown():
        check_output(output.resolve())
    runs = planned_runs(impls, releases or (newest_release(),), known, PlannedRun(*options_from(options)))
    kept = ReportFolder(state)
    with alone(state, "matrix"):
        results = _run(runs, kept, workers, again=again)
    written = [result.report for result in results if result.report]
    failed = [result for result in results if not result.report]
    echo(f"{len(written)} of {len(runs)} runs have a report in {state}")
    with common.errors_shown():
        _write_site([*written, *reports], output, documentation)
    raise SystemExit(1 if failed else 0)


def _write_site(reports: Sequence[Path], output: Path, documentation: Documentation | None) -> None:
    if reports:
        count = write_site(
            output, site_pages([read_report(path) for path in reports], replay_of, documentation=documentation)
        )
        echo(f"{output / 'index.html'}: {count} files of {len(reports)} reports")


def _run(runs: Sequence[PlannedRun], kept: ReportFolder, workers: int, *, again: bool) -> list[RunResult]:
    # Shells start background jobs with SIGINT ignored: restore it, so that control-C stops the child processes.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    results: list[RunResult] = []
    columns = (TextColumn("runs"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with common.progress_bar(*columns) as progress:
            task = progress.add_task("", total=len(runs))
            for result in run_all(runs, kept, workers, again=again):
                if result:
                    results.append(result)
                    echo(_line(result))
                    progress.update(task, completed=len(results))
    except KeyboardInterrupt:
        echo(f"interrupted: {len(results)} of {len(runs)} runs are over; the same command goes on from there")
        raise SystemExit(INTERRUPTED) from None
    return results


def _line(result: RunResult) -> str:
    took = "as before" if result.seconds is None else f"{result.seconds:.0f} s"
    if result.report is None:
        return f"{printable(result.run.title)}: failed after {took}: {result.problem}"
    report = read_report(result.report)
    extent = f" ({extent_of(report)})" if extent_of(report) else ""
    return f"{printable(result.run.title)}: {causes_text(report)}, {took}{extent}"
