"""`kafka-conformance nightly`: random search within a time budget."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click
from platformdirs import user_state_path
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

from conformance.bridge.loading import load_adapter
from conformance.commands import common
from conformance.commands.nightly_campaign import NightOptions, run_night
from conformance.files.folders import SCHEME
from conformance.files.locks import alone
from conformance.files.writing import write_text
from conformance.findings.report.texts import headline, place_line, replay_line
from conformance.fuzzing.batch import Plan
from conformance.fuzzing.nightly_run import Budget, NightlyRun
from conformance.fuzzing.rotation import Rotation
from conformance.implementation.driver import Implementation
from conformance.implementation.selection import offered, parse_selection, select

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.fuzzing.summary import Summary

INTERRUPTED = 130
"""The exit status of a program that control-C ended."""


@click.command()
@click.option(
    "--impl",
    "impls",
    required=True,
    multiple=True,
    metavar="MODULE[:ATTRIBUTE]",
    help="The adapter of the implementation; repeatable with --master.",
)
@click.option("--minutes", required=True, type=common.NUMBER, help="The time budget.")
@click.option(
    "--state",
    metavar=common.PLACE,
    callback=common.writable,
    help="Folder for what is kept from night to night (default: one of the user's, for each implementation); "
    "a URI with --master.",
)
@common.release_option
@common.messages_option
@click.option("--known-failures", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="As in pytest's.")
@common.workers_option
@click.option("--rounds", type=common.COUNT, help="End when every pair has had so many turns.")
@click.option("--master", metavar="URL", help="Run the night as a campaign on Spark: local[2], spark://host:7077, ...")
@common.settings_option
def nightly(  # noqa: PLR0913, PLR0917  # one argument for each option
    impls: tuple[str, ...],
    minutes: float,
    state: str | None,
    release_name: str | None,
    messages: tuple[str, ...],
    known_failures: Path | None,
    workers: int,
    rounds: int | None,
    master: str | None,
    settings: Mapping[str, str],
) -> None:
    """Search at random for departures, in every message and version in turn, until the time is up.

    Kept in the state folder: whose turn it is (cursor.json), the examples that failed (examples/), found cases, which
    are tried first in every night (found/), and what came of the last night (summary.json). Control-C ends a night
    early, and keeps what there is; so does `kill -9`. Two nights at once on one state folder are refused.

    With --master the night is a campaign on Spark, of cases made by moves: as many as the last night's speed allows in
    the time. It ends with five lines: what is new, gone and known, the cases, the deaths. A night that was
    interrupted is gone on with by the same command.

    The exit status is 0 if nothing was found, 1 if anything was, 130 if it was ended early without a finding.
    """
    release = common.release_named(release_name)
    place = state or str(_default_state("+".join(impls), release.name))
    if master is not None:
        if known_failures or rounds:
            raise click.UsageError("--known-failures and --rounds are for a night without --master.")
        options = NightOptions(impls, release, messages, 60 * minutes, master, settings)
        with common.errors_shown():
            raise SystemExit(1 if run_night(options, place) else 0)
    if len(impls) > 1:
        raise click.UsageError("Give one --impl, or --master for several.")
    if SCHEME in place:
        raise click.UsageError(f"--state={place} is for a night with --master; without it, name a folder.")
    [impl], folder = impls, Path(place)
    implementation = Implementation(load_adapter(impl, release))
    pairs = offered(implementation, select(list(release.schemas()), parse_selection(messages)))
    about = f"{impl} against {release.title}"
    with alone(folder, "night"):
        rotation = Rotation(folder / "cursor.json", about, [str(schema) for schema in pairs])
        search = NightlyRun(
            Plan(impl, release.name, folder, known_failures), rotation, Budget(60 * minutes, rounds), workers
        )
        summary = _run(search)
        write_text(folder / "summary.json", json.dumps({"about": about, **summary.as_json()}, indent=2) + "\n")
    _print(summary, folder, impl, release_name or release.name)
    raise SystemExit(1 if summary.has_failed else INTERRUPTED if summary.interrupted else 0)


def _default_state(impl: str, release: str) -> Path:
    name = re.sub(r"[^\w.-]+", "-", f"{impl}-{release}")
    return user_state_path("kafka-wire-conformance") / "nightly" / name


def _run(search: NightlyRun) -> Summary:
    """Run it, with its progress on a terminal.

    A job in a shell's background is born deaf to control-C, and so would be its children, which are stopped by it.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with common.progress_bar(*columns) as progress:
        task = progress.add_task("", total=search.budget.seconds)

        def show() -> None:
            summary = search.summary
            searched = sum(count > 0 for count in summary.searched.values())
            text = f"{searched} of {len(summary.searched)} pairs, {summary.cases.total():,} cases, "
            progress.update(task, completed=search.elapsed, description=f"{text}{len(summary.findings)} new findings")

        return search.run(show)


def _print(summary: Summary, folder: Path, impl: str, release: str) -> None:
    console = common.plain_console()
    facts = summary.as_json()
    counts = ", ".join(f"{count:,} {sort}" for sort, count in facts["cases"].items()) or "nothing"
    pairs = facts["pairs"]
    console.print(f"searched {pairs['searched']} of {pairs['offered']} pairs in {summary.seconds:.0f} s: {counts}")
    for death in summary.deaths:
        console.print(f"the search in {death['pair']} ended the process, status {death['status']}", style="bold red")
    for error in summary.errors:
        console.print(f"error, not a finding: {error}", style="bold red")
    findings = summary.findings.ordered()
    for finding in findings:
        console.print(f"new: {headline(finding)}", style="bold red")
        console.print(f"    {place_line(finding.example)}")
        console.print(f"    {replay_line(impl, ['--release', release], finding.example)}", style="green")
    console.print(f"{len(findings)} new findings, {len(summary.found)} new found cases in {folder / 'found'}")
