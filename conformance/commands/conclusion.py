"""The end of a command for a client or a capture: its report, its summary and its verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.commands.common import plain_console
from conformance.judge.findings.extent import beside_text, place_for
from conformance.report.report_reading import report_of
from conformance.report.run_lines import lines_of, write_lines
from conformance.report.terminal.run_summary import TerminalForm, run_summary, verdict_style
from conformance.report.words import verdict_of
from conformance.system.terminal import echo, new_console

if TYPE_CHECKING:
    from pathlib import Path

    from conformance.report.facts import RunReport
    from conformance.report.run_lines import EndedRun

MAXIMUM_WIDTH = 120


def conclude(ended: EndedRun, report: Path | None) -> RunReport:
    """Write the report, beside one of a larger extent, and return the facts of the run, or raise `NotWritten`."""
    lines = list(lines_of(ended))
    if report:
        place = place_for(report, ended.extent)
        write_lines(place, lines)
        if place != report:
            echo(beside_text(report, place, ended.extent))
    return report_of(lines)


def show_summary(report: RunReport, *, verbose: bool = False) -> None:
    """Print the summary and the verdict of a run."""
    console, shown = new_console(highlight=False), plain_console()
    form = TerminalForm(min(console.width, MAXIMUM_WIDTH), color=console.is_terminal, verbose=verbose)
    shown.print(run_summary(report, form), end="")
    verdict = verdict_of(report)
    shown.print(str(verdict), style=verdict_style(verdict))
