"""The command `kafka-conformance report`, for a site, or a file in another format, of the reports of runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.campaign.history import nights, trends_of
from conformance.campaign.pipeline.choice import reached
from conformance.campaign.pipeline.storage import Storage
from conformance.commands import common
from conformance.commands.conclusion import show_summary
from conformance.commands.replay_cases import replay_of
from conformance.commands.report_formats import BADGE, FORMATS, TERMINAL, write_format
from conformance.judge.findings.lines import schema
from conformance.report.report_reading import read_report
from conformance.report.site.documentation import Documentation
from conformance.report.site.one_page import one_page
from conformance.report.site.site import check_output, site_pages, write_site
from conformance.system.file_kinds import HTML as PAGE
from conformance.system.outputs import try_file, try_folder, write_or_keep
from conformance.system.terminal import echo
from conformance.system.whole_files import NotWritten
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.report.changes import Trend


class NoHistory(ConformanceError):
    """The place of a history has no campaigns."""


SITE, HTML = "site", "html"


def _documentation(_context: click.Context, _parameter: click.Parameter, base: str | None) -> Documentation | None:
    return None if base is None else Documentation(base)


docs_option = click.option(
    "--docs",
    "documentation",
    metavar="URL",
    callback=_documentation,
    help="The documentation, for links to rules and statements: an address, or a path from the site's first page.",
)
"""An option of commands with a site."""


def _print_schema(context: click.Context, _: click.Parameter, is_given: bool) -> None:  # noqa: FBT001  # click calls it
    if is_given:
        echo(json.dumps(schema(), indent=2))
        context.exit()


@click.command()
@click.argument("reports", nargs=-1, required=True, type=common.FILE)
@click.option(
    "--format",
    "form",
    type=click.Choice((SITE, HTML, TERMINAL, *FORMATS)),
    default=SITE,
    show_default=True,
    help="What to write.",
)
@click.option("-v", "--verbose", is_flag=True, help="Of a terminal: show each finding, known failures and all counts.")
@common.output_option(
    "the site, in place of an older one, or the badges: a folder; anything else: a file (default: standard output)",
    click.Path(path_type=Path),
    required=False,
)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    type=common.FILE,
    help="An older report: the page of the same implementation and release says what changed. Repeatable.",
)
@click.option(
    "--history",
    type=common.PLACE,
    help="A history of campaigns, as `campaign report --history` keeps it: a page shows its trend (a URI needs Spark).",
)
@click.option(
    "--source",
    metavar="FILE",
    help="SARIF: the file at which new findings are shown (default: the adapter's, if it is in this folder).",
)
@docs_option
@click.option(
    "--site-url",
    default="",
    metavar="URL",
    help="SARIF, Markdown, site: where the site is, for links to pages of rules, and for pictures of links to it.",
)
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_schema,
    help="Print the JSON Schema of a line of a report, and exit.",
)
def report(  # noqa: PLR0913, PLR0917  # one argument for each option
    reports: tuple[Path, ...],
    form: str,
    output: Path | None,
    baselines: tuple[Path, ...],
    history: str | None,
    source: str | None,
    documentation: Documentation | None,
    site_url: str,
    verbose: bool,  # noqa: FBT001  # click passes it by name
) -> None:
    """Make a site of REPORTS, each a file that --report of a run has written.

    It shows implementations and rules side by side, and has a page for each run, rule and cause. The site is static,
    needs no network, and depends on the reports alone: the same reports give the same bytes.

    --format html makes one file of the runs and their causes, which opens without other files.

    --format terminal shows what the run has shown, markdown is for the summary of a job or a pull request, junit and
    sarif are for the pages on which CI shows tests and code scanning, badge makes a picture (SVG) and an endpoint of
    shields.io for each report.
    """
    if baselines and form not in {SITE, HTML}:
        raise click.UsageError("--baseline is for the site and for html: no other format says what changed")
    if history and form != SITE:
        raise click.UsageError("--history is for the site: no other format shows a trend")
    if form == TERMINAL:
        if output is not None:
            raise click.UsageError("--output is for files: --format terminal prints")
        with common.errors_shown():
            for each in map(read_report, reports):
                show_summary(each, verbose=verbose)
        return
    if output is not None:
        _try(output, form)
    if form == HTML:
        with common.errors_shown():
            runs = [read_report(path) for path in reports]
            _write_page(one_page(runs, replay_of, [read_report(path) for path in baselines]), output, len(runs))
        return
    if form != SITE:
        with common.errors_shown():
            write_format(form, [read_report(path) for path in reports], output, source, site_url)
        return
    if output is None:
        raise click.UsageError("--output is missing: name a folder for the site")
    with common.errors_shown():
        check_output(output.resolve())
        runs = [read_report(path) for path in reports]
        older = [read_report(path) for path in baselines]
        trends = _trends(history) if history else ()
        pages = site_pages(runs, replay_of, older, trends, documentation=documentation, site_url=site_url)
        count = write_site(output, pages)
    echo(f"{output / 'index.html'}: {count} files of {len(runs)} reports")


def _write_page(text: str, output: Path | None, count: int) -> None:
    if output is None:
        echo(text, nl=False)
    else:
        write_or_keep(output, text, PAGE)
        echo(f"{output}: a page of {count} reports")


def _try(output: Path, form: str) -> None:
    # Before any report is read.
    try:
        if form == SITE:
            try_folder(output.resolve().parent)
        elif form == BADGE:
            try_folder(output)
        else:
            try_file(output, PAGE if form == HTML else FORMATS[form])
    except NotWritten as error:
        raise click.BadParameter(str(error), param_hint="--output") from error


def _trends(history: str) -> Sequence[Trend]:
    place = Storage.named(history)
    with reached(place):
        found = nights(place)
    if not found:
        raise NoHistory(f"{history} has no campaigns: `kafka-conformance campaign report --history` keeps them")
    return trends_of(found)
