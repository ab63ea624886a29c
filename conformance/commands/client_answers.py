"""`kafka-conformance client --answers`: what becomes of a client that is given other answers than plain ones."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from conformance.__about__ import __version__
from conformance.commands.common import plain_console, progress_bar
from conformance.findings.report.extent import COMPLETE, Completeness, Extent, beside_text, place_for
from conformance.findings.report.json_lines import write_report
from conformance.findings.report.lines import Run
from conformance.findings.report.summary import Summary
from conformance.live.client.campaign import Campaign
from conformance.live.client.hostile import answer_named, hostile_answers
from conformance.live.client.sound import error_answers
from conformance.live.client.trial import baseline_of
from conformance.live.client.variations import SORTS
from conformance.terminal import echo, new_console
from reference import newest_release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.findings.known_failures import KnownFailure
    from conformance.live.client.campaign import Answer
    from conformance.live.client.trial import Baseline, Subject

MAXIMUM_WIDTH = 120


class Wanted(NamedTuple):
    """Which answers, and how: the options of the command."""

    answers: str
    cases: int
    case: str | None
    workers: int
    minutes: float
    verbose: bool


def answer_client(subject: Subject, wanted: Wanted, entries: Sequence[KnownFailure], report: Path | None) -> bool:
    """Give a client one answer after the other, and show what it did; return whether anything new was found.

    Raises:
        FailsAnyway: it fails with plain answers.
        CannotStart: there is no such program.
        click.ClickException: there is no case of that name.
    """
    baseline = baseline_of(subject)
    _show_baseline(baseline)
    campaign = Campaign(subject, baseline, entries, seconds=60 * wanted.minutes)
    _run(campaign, _chosen(subject, baseline, wanted), wanted)
    release = subject.definitions.among[0]
    if report:
        named = shlex.join(subject.command)
        about = Run(suite=__version__, kind="client", client=named, impl=named, release=release.name)
        extent = _extent(campaign, wanted)
        place = place_for(report, extent)
        write_report(place, about, extent, campaign.results, (), ())
        if place != report:
            echo(beside_text(report, place, extent))
    _show(campaign)
    return bool(campaign.results.findings)


def _extent(campaign: Campaign, wanted: Wanted) -> Extent:
    """Return how much of what could be answered was tried."""
    if campaign.untried:
        return Extent(Completeness.SELECTION, f"no time for {len(campaign.untried)} answers")
    return Extent(Completeness.SELECTION, f"only the case {wanted.case}") if wanted.case else COMPLETE


def _show_baseline(baseline: Baseline) -> None:
    """Show the run with plain answers."""
    apis = len({pair.api for pair in baseline.pairs})
    run = baseline.run
    echo(
        f"with plain answers: {run.ending}, {run.seconds:.1f} s, {run.memory // 2**20:,} MiB, "
        f"{len(baseline.pairs)} versions of {apis} APIs"
    )


def _chosen(subject: Subject, baseline: Baseline, wanted: Wanted) -> Sequence[Answer]:
    """Return the answers that take a run each."""
    if wanted.answers == "sound":
        return error_answers(baseline.pairs)[: wanted.cases]
    if wanted.case is None:
        return hostile_answers(subject.definitions, baseline.pairs, wanted.cases)
    named = answer_named(subject.definitions, baseline.pairs, wanted.case)
    if named is None:
        raise click.ClickException(f"no hostile answer is called {wanted.case!r}, or the client does not ask for it")
    return [named]


def _run(campaign: Campaign, chosen: Sequence[Answer], wanted: Wanted) -> None:
    """Run everything, with a bar on a terminal; what takes longest, the search for places, at the end."""

    def done(text: str) -> None:
        progress.advance(task)
        if wanted.verbose:
            progress.console.print(text, markup=False, highlight=False, soft_wrap=True)

    with progress_bar() as progress:
        is_sound = wanted.answers == "sound"
        task = progress.add_task(f"{wanted.answers} answers", total=len(chosen) + len(SORTS) * is_sound)
        campaign.run(chosen, wanted.workers, done)
        if is_sound:
            campaign.vary(wanted.workers, done)


def _show(campaign: Campaign) -> None:
    """Print the summary of findings."""
    console = new_console(highlight=False)
    release, command = campaign.subject.definitions.among[0], campaign.subject.command
    options = [] if release.name == newest_release() else ["--release", release.name]
    width = min(console.width, MAXIMUM_WIDTH)
    summary = Summary(impl=shlex.join(command), options=options, width=width, color=console.is_terminal)
    remarks = [(f"answers that no request came for: {len(campaign.unsaid)}", "")] if campaign.unsaid else []
    remarks += [(f"{sort}: {why}", "") for sort, why in campaign.cut.items()]
    remarks += [(f"answers that there was no time for: {len(campaign.untried)}", "")] if campaign.untried else []
    title = f"{Path(command[0]).name} against {release.title}"
    plain_console().print(summary.render(campaign.results, title, remarks, ()), end="")
