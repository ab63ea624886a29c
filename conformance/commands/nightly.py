"""The command `kafka-conformance nightly`, which runs a campaign for a given time."""

from __future__ import annotations

import re
import signal
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import click
from platformdirs import user_state_path

from conformance.campaign.distil import FOUND
from conformance.campaign.folder import write_document
from conformance.campaign.night import NightRun
from conformance.campaign.night_parts import stream_of
from conformance.campaign.part_rows import tried
from conformance.campaign.pipeline.choice import Choice, on_spark
from conformance.campaign.pipeline.engines import Work
from conformance.campaign.pipeline.processes import ProcessEngine
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.rows import COLUMNS
from conformance.commands import common
from conformance.commands.campaign import print_changes
from conformance.judge.findings.known_failures import load_known_failures
from conformance.judge.findings.lines import FindingLine
from conformance.report.words import headline, place_line
from conformance.system.folders import alone

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from conformance.campaign.distil import Distilled
    from conformance.campaign.folder import Json
    from conformance.campaign.history import Changes
    from conformance.campaign.pipeline.engines import Engine
    from reference import Release

INTERRUPTED = 130
"""The exit status of a program ended by control-C."""

SUMMARY = "summary.json"

FAULTS = 5
"""The number of faults shown."""


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
    place = Storage.named(state or str(_default_state("+".join(impls), release.name)))
    with common.errors_shown(), ExitStack() as held:
        entries = load_known_failures(known_failures) if known_failures else []
        # Shells start background jobs with SIGINT ignored: restore it, so that control-C and `kill` end the night.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        stream = stream_of(impls, release, messages)
        if place.is_local:
            held.enter_context(alone(Path(place.uri), "night"))
        engine = _engine(Choice(master, settings, workers), place, held)
        night = NightRun(place, stream)
        work = Work(partial(tried, stream.parameters, uuid4().hex), COLUMNS, "night")
        began, seconds = time.monotonic(), 60 * minutes
        with common.watched(seconds, lambda: int(time.monotonic() - began), shown="night"):
            night.search(lambda blocks: engine.rows(blocks, work), began + seconds, rounds)
        listed = [entry for entry in entries if entry.is_about(release.name)]
        with common.steps_shown("findings reduced") as progress:
            changes = night.report(listed, progress)
        about = f"{' and '.join(impls)} against {release.title}"
        write_document(place, SUMMARY, {"about": about, **_summary(night, changes, release)})
    faults = [fault for each in night.manifest["implementations"] for fault in each["faults"]]
    console = common.plain_console()
    for fault in faults[:FAULTS]:
        console.print(f"error, not a finding: {fault}", style="bold red")
    _print_new(console, [night.shown[each] for each in changes.new], place, release)
    print_changes(console, changes)
    for name in ("cases", "deaths"):
        console.print(f"{name}: {sum(each[name] for each in night.manifest['implementations']):,}")
    raise SystemExit(1 if changes.new or faults else INTERRUPTED if night.is_interrupted else 0)


def _default_state(impl: str, release: str) -> Path:
    name = re.sub(r"[^\w.-]+", "-", f"{impl}-{release}")
    return user_state_path("kafka-wire-conformance") / "nightly" / name


def _engine(choice: Choice, place: Storage, held: ExitStack) -> Engine:
    if choice.wants_spark or not place.is_local:
        return held.enter_context(on_spark(choice))
    return ProcessEngine(choice.workers)


def _summary(night: NightRun, changes: Changes, release: Release) -> Json:
    return {
        "seconds": night.manifest["seconds"],
        "interrupted": night.is_interrupted,
        "parts": night.manifest["parts"],
        "implementations": night.manifest["implementations"],
        "new": [night.shown[each].as_json(release) for each in changes.new],
        "gone": [str(each) for each in changes.gone],
        "untried": [str(each) for each in changes.untried],
        "known": {str(each): since for each, since in changes.known.items()},
    }


def _print_new(console: Console, new: Sequence[Distilled], place: Storage, release: Release) -> None:
    for each in new:
        line = FindingLine(**each.facts(release))
        console.print(f"new: {each.subject.label}: {headline(line)}", style="bold red")
        console.print(f"    {place_line(line.example)}")
        console.print(f"    {line.replay}", style="bold")
    if new:
        console.print(f"their cases are in {place.within(FOUND)}")
