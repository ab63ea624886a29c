"""The command `kafka-conformance campaign`, for many cases on many implementations, and what is new in them."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conformance.campaign.campaign_reports import REPORTS, reports_in
from conformance.campaign.compare import compared
from conformance.campaign.folder import FINDINGS
from conformance.campaign.history import beside, earlier, keep_night, news, night_of, nights
from conformance.campaign.pipeline.choice import opened, reached
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.preparation import CampaignRequest, prepared
from conformance.campaign.run import CampaignProgress, run_to_end
from conformance.codec.bridge.isolation import DecodeLimits
from conformance.commands import common
from conformance.commands.group import CommandGroup
from conformance.report.report_reading import read_report
from conformance.report.words import causes_text, title_of
from conformance.system.folders import alone
from conformance.system.shell import path_word
from conformance.system.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from rich.console import Console

    from conformance.campaign.history import Changes, FindingId, Night
    from conformance.campaign.pipeline.choice import Choice

TREND = 8
"""The number of campaigns shown of a trend, this one included."""


NAMED = 2
"""The number of findings named in a line."""


@click.group(cls=CommandGroup)
def campaign() -> None:
    """Try millions of cases on several implementations, and tell what is new in what they do."""


@campaign.command("run", short_help="Try cases, and keep every outcome.")
@common.impl_option(multiple=True)
@click.option("--corpus", type=common.PLACE, help="Try the rows of this corpus.")
@click.option("--generate", type=common.COUNT, metavar="N", help="Try so many generated cases, half of them hostile.")
@click.option("--moves", is_flag=True, help="Generate edited values, and corruptions of each, instead.")
@click.option("--fixed", is_flag=True, help="Try the deterministic cases of every run of the suite, too.")
@common.output_option("the campaign", common.OUTPUT_PLACE)
@common.release_option
@common.messages_option
@common.seed_option
@common.memory_limit_option
@common.time_limit_option
@common.engine_options
@click.option(
    "--format",
    "form",
    type=click.Choice(("parquet", "delta")),
    default="parquet",
    show_default=True,
    help="The format of the outcomes. Delta needs Spark, and its own packages in it.",
)
def run_command(  # noqa: PLR0913, PLR0917  # one argument for each option
    impls: tuple[str, ...],
    corpus: str | None,
    generate: int | None,
    output: str,
    release_name: str | None,
    messages: tuple[str, ...],
    seed: str,
    memory_limit: int,
    time_limit: float,
    choice: Choice,
    form: str,
    *,
    moves: bool,
    fixed: bool,
) -> None:
    """Try cases on implementations, and keep each outcome, and one smallest case of each finding.

    If a campaign is interrupted, the same command resumes it: finished batches of parts are kept. On a cluster,
    --corpus and --output are folders that all machines share, or URIs of Spark such as s3a://bucket/folder.
    """
    if corpus is not None and generate is not None:
        raise click.UsageError("Give either --corpus or --generate.")
    if corpus is None and generate is None and not fixed:
        raise click.UsageError("Say what to try: --corpus, --generate or --fixed.")
    if moves and generate is None:
        raise click.UsageError("--moves says how to generate: give --generate, too.")
    release = common.release_named(release_name)
    with common.errors_shown():
        rows, folder = Storage.named(corpus) if corpus else None, Storage.named(output)
        limits = DecodeLimits(memory_limit, time_limit)
        with _held(folder), opened(choice, [folder, *([rows] if rows else [])]) as engine:
            if form not in engine.formats:
                raise click.UsageError(f"--format {form} needs Spark: see --master")
            ready = prepared(CampaignRequest(impls, release, generate or 0, seed, rows, fixed, messages, limits, moves))
            with common.batches_watched(engine, len(ready.parts)) as shown:
                manifest = run_to_end(engine, ready, folder, CampaignProgress(shown, _warn, common.steps_shown), form)
            reports = reports_in(folder)
    _print_run(manifest, output)
    for each in reports:
        echo(f"{title_of(each)}: {causes_text(each)}: {folder.within(f'{REPORTS}/{each.source}')}")
    words = shlex.join(("kafka-conformance", "campaign", "report", path_word(output)))
    echo(f"the findings are in {folder.within(FINDINGS)}; `{words}`")


def _held(folder: Storage) -> AbstractContextManager[None]:
    return alone(Path(folder.uri), "campaign") if folder.is_local else nullcontext()


def _warn(problem: str) -> None:
    echo(f"{problem}: run again", err=True)


def _print_run(manifest: dict[str, Any], output: str) -> None:
    for each in manifest["implementations"]:
        rate = f"{each['casesPerSecond']:,.0f} cases/s of one worker" if each["casesPerSecond"] else "no time measured"
        outcomes = ", ".join(f"{count:,} {kind}" for way, kind, count in each["outcomes"] if way == "decode")
        echo(f"{each['implementation']}: {each['cases']:,} cases, {rate}, {each['deaths']} deaths; {outcomes}")
        for fault in each["faults"][:TREND]:
            echo(f"    not a finding: {fault}")
    echo(f"{manifest['rows']:,} outcomes in {output}, {manifest['seconds']:.0f} s")
    echo(f"hash of the outcomes: {manifest['hash']}")


@campaign.command("report", short_help="Tell what is new, gone and known.")
@click.argument("folder", metavar=common.PLACE.name, type=common.PLACE)
@click.option("--history", type=common.OUTPUT_PLACE, help="A folder of earlier campaigns; this one is added to it.")
@click.option("-v", "--verbose", is_flag=True, help="Show each finding, with the command that replays it.")
@common.settings_option
def report_command(folder: str, history: str | None, settings: Mapping[str, str], *, verbose: bool) -> None:
    """Tell in five lines what is new in a campaign, what is gone, and what is known.

    The exit status is 1 if anything is new, else 0.
    """
    place, past = Storage.named(folder), Storage.named(history) if history else None
    with common.errors_shown(), reached(place, *([past] if past else []), settings=settings):
        night = night_of(place)
        before = nights(past) if past else []
        changes = news(night, before)
        if past:
            keep_night(past, night)
    console = common.plain_console()
    _print_news(console, night, before, changes)
    if verbose:
        _print_findings(console, night, changes)
    raise SystemExit(1 if changes.new else 0)


def _print_news(console: Console, night: Night, before: list[Night], changes: Changes) -> None:
    cases = sum(each.cases for each in night.tested)
    about = f"{cases:,} cases on {', '.join(night.implementations)}"
    console.print(f"campaign {night.campaign[:8]} of {night.finished}: {about}", style="bold")
    first = f"; all of {', '.join(changes.first)}, of which there was no campaign before" if changes.first else ""
    print_changes(console, changes, first)
    last = [*earlier(night, before), night][-TREND:]
    console.print("findings, from campaign to campaign: " + ", ".join(str(len(each.findings)) for each in last))


def print_changes(console: Console, changes: Changes, first: str = "") -> None:
    """Print a line each about new, gone and known findings, and what to say of new ones in a first campaign."""
    console.print(f"new: {len(changes.new)}{_named(changes.new)}{first}", style="bold red" if changes.new else None)
    untried = f"; not tried: {len(changes.untried)}{_named(changes.untried)}" if changes.untried else ""
    gone = f"gone: {len(changes.gone)}{_named(changes.gone)}{untried}"
    console.print(gone, style="green" if changes.gone else None)
    oldest = f", the oldest since {min(changes.known.values())}" if changes.known else ""
    console.print(f"known: {len(changes.known)}{oldest}")


def _named(findings: list[FindingId]) -> str:
    named = "; ".join([*map(str, findings[:NAMED]), *(["..."] if len(findings) > NAMED else [])])
    return f" ({named})" if findings else ""


def _print_findings(console: Console, night: Night, changes: Changes) -> None:
    rows = night.findings
    for title, findings in (("new", changes.new), ("known", list(changes.known))):
        for known in findings:
            seen = rows[known]
            since = f", since {changes.known[known]}" if known in changes.known else ""
            console.print(f"{title}: {known}, {seen.count:,} cases in {seen.pairs:,} message versions{since}")
            console.print(f"    {seen.replay}", style="green")
    for known in changes.gone:
        console.print(f"gone: {known}")


@campaign.command("compare", short_help="Compare answers to unspecified bytes.")
@click.argument("folder", metavar=common.PLACE.name, type=common.PLACE)
@common.engine_options
def compare_command(folder: str, choice: Choice) -> None:
    """Compare what implementations do with unspecified bytes, rule by rule."""
    place = Storage.named(folder)
    with common.errors_shown(), opened(choice, [place]) as engine:
        found = compared(engine, place)
    for each in found:
        echo(each.rule)
        for name in each.implementations:
            echo(f"    {name}: {common.counts_text(each.counts[name])}")
        classes = " | ".join(" = ".join(members) for members in each.classes())
        echo(f"    classes: {classes}")


@campaign.command("covers", short_help="Compare a campaign with runs of the suite.")
@click.argument("folder", metavar=common.PLACE.name, type=common.PLACE)
@click.argument("reports", nargs=-1, required=True, metavar="RUN.jsonl...", type=common.FILE)
@common.settings_option
def covers_command(folder: str, reports: tuple[Path, ...], settings: Mapping[str, str]) -> None:
    """Compare a campaign with runs of the suite, rule by rule, by the reports of the runs.

    The exit status is 1 if a run shows a rule to be broken in message bodies that the campaign does not show.
    """
    place = Storage.named(folder)
    with common.errors_shown(), reached(place, settings=settings):
        night = night_of(place)
        compared = [(run, *beside(night, run)) for run in map(read_report, reports)]
    is_lacking = False
    for run, in_run, in_campaign in compared:
        shared, missing = in_run.keys() & in_campaign, in_run.keys() - in_campaign
        echo(f"{run.title}: {len(shared)} rules in both, {len(missing)} missing in the campaign")
        for rule in sorted(in_run.keys() | in_campaign):
            note = "  missing" if rule in missing else ""
            echo(f"    {rule}: {in_run[rule]:,} cases in the run, {in_campaign[rule]:,} in the campaign{note}")
        is_lacking |= bool(missing)
    raise SystemExit(1 if is_lacking else 0)
