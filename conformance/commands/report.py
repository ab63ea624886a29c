"""`kafka-conformance report`: a site of the reports of one or several runs."""

from __future__ import annotations

from pathlib import Path

import click

from conformance.commands.common import errors_shown
from conformance.reports.pages.site import check_output, site_pages, write_site
from conformance.reports.reading import read_report

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("reports", nargs=-1, required=True, type=FILE)
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder of the site; an older site is replaced.",
)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    type=FILE,
    help="An older report: the page of the same implementation and release says what changed. Repeatable.",
)
def report(reports: tuple[Path, ...], output: Path, baselines: tuple[Path, ...]) -> None:
    """Make a site of REPORTS, each a file that --report of a run has written.

    It shows implementations and rules side by side, and has a page for each run, rule and case. The site is static,
    needs no network, and depends on the reports alone: the same reports give the same bytes.
    """
    with errors_shown():
        check_output(output.resolve())
        runs = [read_report(path) for path in reports]
        count = write_site(output, site_pages(runs, [read_report(path) for path in baselines]))
    click.echo(f"{output / 'index.html'}: {count} files of {len(runs)} reports")
