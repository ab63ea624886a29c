"""`kafka-conformance client --answers`: what becomes of a client that is given other answers than plain ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from conformance.commands.common import progress_bar
from conformance.commands.conclusion import keep_report, show_summary
from conformance.judge.findings.extent import COMPLETE, Completeness, Extent
from conformance.live.client.hostile_answers import answer_named, hostile_answers
from conformance.live.client.sound_answers import error_answers
from conformance.live.client.trial import baseline_of
from conformance.live.client.trials import Campaign
from conformance.live.client.variations import SORTS
from conformance.system.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.live.client.trial import Baseline, ClientSubject
    from conformance.live.client.trials import Answer
    from conformance.report.terminal.run_summary import Remark


class Wanted(NamedTuple):
    """Which answers, and how: the options of the command."""

    answers: str
    cases: int
    case: str | None
    workers: int
    minutes: float
    verbose: bool


def answer_client(client: ClientSubject, wanted: Wanted, entries: Sequence[KnownFailure], report: Path | None) -> bool:
    """Give a client one answer after the other, and show what it did; return whether anything new was found.

    Raises:
        FailsAnyway: it fails with plain answers.
        CannotStart: there is no such program.
        click.ClickException: there is no case of that name.
    """
    baseline = baseline_of(client)
    _show_baseline(baseline)
    campaign = Campaign(client, baseline, entries, seconds=60 * wanted.minutes)
    _run(campaign, _chosen(client, baseline, wanted), wanted)
    keep_report(report, client, campaign.results, _extent(campaign, wanted))
    show_summary(client, campaign.results, _remarks(campaign))
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


def _chosen(client: ClientSubject, baseline: Baseline, wanted: Wanted) -> Sequence[Answer]:
    """Return the answers that take a run each."""
    if wanted.answers == "sound":
        return error_answers(baseline.pairs)[: wanted.cases]
    if wanted.case is None:
        return hostile_answers(client.definitions, baseline.pairs, wanted.cases)
    named = answer_named(client.definitions, baseline.pairs, wanted.case)
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


def _remarks(campaign: Campaign) -> Iterator[Remark]:
    if campaign.unsaid:
        yield f"answers that no request came for: {len(campaign.unsaid)}", ""
    yield from ((f"{sort}: {why}", "") for sort, why in campaign.cut.items())
    if campaign.untried:
        yield f"answers that there was no time for: {len(campaign.untried)}", ""
