"""The command `kafka-conformance nightly`.

It runs a campaign for a given time.
"""

from __future__ import annotations

import json
import re
import signal
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import click
from platformdirs import user_state_path

from conformance.campaign.distil import FOUND
from conformance.campaign.night import Clock, begun, morning, search
from conformance.campaign.night_parts import stream_of
from conformance.campaign.part_rows import tried
from conformance.campaign.pipeline.choice import Choice, on_spark
from conformance.campaign.pipeline.engines import Work
from conformance.campaign.pipeline.processes import ProcessEngine
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.rows import COLUMNS
from conformance.commands import common
from conformance.commands.campaign import named
from conformance.judge.findings.known_failures import load_known_failures
from conformance.report.terminal.finding_texts import headline, place_line
from conformance.system.folders import alone

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from conformance.campaign.night import NightReport
    from conformance.campaign.pipeline.engines import Engine
    from conformance.judge.findings.known_failures import KnownFailure
    from reference import Release

INTERRUPTED = 130
"""The exit status of a program ended by control-C."""

SUMMARY = "summary.json"

FAULTS = 5
"""The number of faults shown."""


class Options(NamedTuple):
    """The options of the command.

    `seconds` and `rounds` limit the night. `choice` says where it runs.
    """

    impls: tuple[str, ...]
    release: Release
    messages: tuple[str, ...]
    seconds: float
    rounds: int | None
    choice: Choice


@click.command()
@common.impl_option(multiple=True)
@click.option("--minutes", required=True, type=common.NUMBER, help="The time budget.")
@click.option(
    "--state",
    type=common.OUTPUT_PLACE,
    help="Folder for what is kept from night to night (default: one of the user's, for each implementation).",
)
@common.release_option
@common.messages_option
@common.known_failures_option
@common.workers_option
@click.option("--rounds", type=common.COUNT, help="End when every message and version has had so many turns.")
@common.master_option
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
    """Search for departures with edited and corrupted values, in every message and version in turn, until time is up.

    A night is a campaign without kept outcomes. The state folder has the position of the search (night.json), a case of
    each finding, tried first in every night (found/), a history (history/) and the results of the last night
    (summary.json). Control-C ends a night early, and loses nothing; after `kill -9` the same command resumes it. A
    second night on one state folder of this machine is refused.

    It ends with five lines: what is new, gone and known, the cases, the deaths. The exit status is 0 if nothing is new,
    1 if anything is, or went wrong, 130 if the night was ended early without a new finding.
    """
    release = common.release_named(release_name)
    options = Options(impls, release, messages, 60 * minutes, rounds, Choice(master, settings, workers))
    place = Storage.named(state or str(_default_state("+".join(impls), release.name)))
    with common.errors_shown():
        entries = load_known_failures(known_failures) if known_failures else []
        result = _run(options, place, [entry for entry in entries if entry.is_about(release.name)])
    _print(result, place, release)
    has_failed = result.new or result.faults
    raise SystemExit(1 if has_failed else INTERRUPTED if result.search.is_interrupted else 0)


def _default_state(impl: str, release: str) -> Path:
    name = re.sub(r"[^\w.-]+", "-", f"{impl}-{release}")
    return user_state_path("kafka-wire-conformance") / "nightly" / name


def _run(options: Options, place: Storage, listed: Sequence[KnownFailure]) -> NightReport:
    """Run a night, or the rest of an interrupted one."""
    # Shells start background jobs with SIGINT ignored: restore it, so that control-C and `kill` end the night.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    stream = stream_of(options.impls, options.release, options.messages)
    with ExitStack() as held:
        if place.is_local:
            held.enter_context(alone(Path(place.uri), "night"))
        engine = _engine(options.choice, place, held)
        night = begun(place, stream)
        work = Work(partial(tried, stream.parameters, uuid4().hex), COLUMNS, "night")
        with _shown(options.seconds):
            clock = Clock(time.monotonic() + options.seconds, options.rounds)
            searched = search(place, stream, night, clock, lambda blocks: engine.rows(blocks, work))
        with common.steps_shown("findings reduced") as progress:
            result = morning(place, stream, searched, listed, progress)
        place.write(SUMMARY, (json.dumps(_summary(result, options), indent=2) + "\n").encode())
    return result


def _engine(choice: Choice, place: Storage, held: ExitStack) -> Engine:
    """Return Spark if it is asked for, or needed for a URI, else processes of this machine without any package."""
    if choice.wants_spark or not place.is_local:
        return held.enter_context(on_spark(choice))
    return ProcessEngine(choice.workers)


def _shown(seconds: float) -> AbstractContextManager[None]:
    """Show the time of the night."""
    began = time.monotonic()
    return common.watched(seconds, lambda: int(time.monotonic() - began), shown="night")


def _summary(result: NightReport, options: Options) -> dict[str, Any]:
    """Return the content of summary.json."""
    news, searched = result.news, result.search
    return {
        "about": f"{' and '.join(options.impls)} against {options.release.title}",
        "seconds": searched.manifest["seconds"],
        "interrupted": searched.is_interrupted,
        "parts": searched.manifest["parts"],
        "implementations": result.implementations,
        "new": [each.as_json(options.release) for each in result.new],
        "gone": [str(each) for each in news.gone],
        "known": {str(each): since for each, since in news.known.items()},
    }


def _print(result: NightReport, place: Storage, release: Release) -> None:
    """Print the new findings, and the five lines at the end."""
    console, news = common.plain_console(), result.news
    for fault in result.faults[:FAULTS]:
        console.print(f"error, not a finding: {fault}", style="bold red")
    for each in result.new:
        console.print(f"new: {each.subject.label}: {headline(each.finding)}", style="bold red")
        console.print(f"    {place_line(each.finding.example)}")
        console.print(f"    {each.replay(release)}", style="green")
    if result.new:
        console.print(f"their cases are in {place.within(FOUND)}")
    console.print(f"new: {len(news.new)}{named(news.new)}", style="bold red" if news.new else None)
    console.print(f"gone: {len(news.gone)}{named(news.gone)}", style="green" if news.gone else None)
    oldest = f", the oldest since {min(news.known.values())}" if news.known else ""
    console.print(f"known: {len(news.known)}{oldest}")
    console.print(f"cases: {result.total('cases'):,}")
    console.print(f"deaths: {result.total('deaths'):,}")
