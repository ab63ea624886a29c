"""The places of the output of `kafka-conformance report` in other formats, and the lines of findings for SARIF."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.codec.bridge.loading import adapter_file, known_failures_file
from conformance.judge.findings.known_failures import load_known_failures
from conformance.report.files.badges import badges
from conformance.report.files.junit import junit
from conformance.report.files.markdown import markdown
from conformance.report.files.sarif import SourceLine, sarif
from conformance.system.file_kinds import BADGE as BADGE_FILE
from conformance.system.file_kinds import JUNIT, MARKDOWN, SARIF
from conformance.system.outputs import write_all_or_keep, write_or_keep
from conformance.system.terminal import echo
from reference.inputs.files import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.judge.findings.lines import FindingLine
    from conformance.report.facts import RunReport
    from conformance.report.files.sarif import Places

BADGE, TERMINAL = "badge", "terminal"
ENTRY = "[[failure]]"
FORMATS = {"markdown": MARKDOWN, "junit": JUNIT, "sarif": SARIF, BADGE: BADGE_FILE}
"""The formats of files, each with the kind of its files."""


def write_format(
    form: str, reports: Sequence[RunReport], output: Path | None, source: str | None = None, site_url: str = ""
) -> None:
    """Write reports in one of the formats to a file, to a folder of badges, or to standard output.

    Raises:
        click.UsageError: badges have no folder, or the file for a finding in SARIF is unknown.
        BadgeClash: two reports have the same badge.
        NotWritten: the output cannot be written.
    """
    if form == BADGE:
        _write_badges(reports, output)
        return
    text = _document(form, reports, source, site_url)
    if output is None:
        echo(text, nl=False)
    else:
        write_or_keep(output, text, FORMATS[form])
        echo(f"{output}: {form} of {len(reports)} reports")


def _document(form: str, reports: Sequence[RunReport], source: str | None, site_url: str) -> str:
    if form == "markdown":
        return markdown(reports, site_url)
    if form == "junit":
        return junit(reports)
    return sarif(reports, places_in(Path.cwd(), source), site_url)


def _write_badges(reports: Sequence[RunReport], output: Path | None) -> None:
    if output is None:
        raise click.UsageError("--output is missing: name a folder for the badges")
    texts = badges(reports)
    write_all_or_keep(output, texts.items(), BADGE_FILE)
    echo(f"{output}: {', '.join(texts)}")


def places_in(folder: Path, source: str | None) -> Places:
    """Return a function for the places of findings, in files relative to a folder.

    A known finding is at its entry, if the file of known failures is beside the adapter. Any other finding is at
    `source`, or else in the first line of the file of the adapter.
    """
    entries = cache(partial(_entries, folder))

    def place(report: RunReport, finding: FindingLine) -> SourceLine:
        if finding.entry in entries(report.impl):
            return entries(report.impl)[finding.entry]
        name = source or _inside(folder, adapter_file(report.impl))
        if name is None:
            raise click.UsageError(
                f"no file in {folder} stands for {report.impl} of {report.source}: name one by --source, for SARIF "
                "shows each finding at a line of a file"
            )
        return SourceLine(name)

    return place


def _entries(folder: Path, impl: str) -> dict[str, SourceLine]:
    file = known_failures_file(impl)
    name = _inside(folder, file)
    if file is None or name is None:
        return {}
    lines = read_text(file).splitlines()
    heads = [number for number, line in enumerate(lines, start=1) if line.strip() == ENTRY]
    # A loaded entry has no line number: the n-th heading is that of the n-th entry.
    entries = (str(entry) for entry in load_known_failures(file))
    return {entry: SourceLine(name, line) for entry, line in zip(entries, heads, strict=False)}


def _inside(folder: Path, file: Path | None) -> str | None:
    if file is None or not file.resolve().is_relative_to(folder.resolve()):
        return None
    return file.resolve().relative_to(folder.resolve()).as_posix()
