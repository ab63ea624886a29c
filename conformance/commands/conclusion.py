"""The report and the summary at the end of a command for a client or a capture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.commands.common import plain_console
from conformance.judge.findings.extent import COMPLETE, beside_text, place_for
from conformance.report.files.json_lines import write_report
from conformance.report.terminal.run_summary import RunSummary, verdict_line
from conformance.system.printable import printable
from conformance.system.terminal import echo, new_console
from reference import newest_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from conformance.judge.findings.extent import Extent
    from conformance.judge.findings.lines import Seen
    from conformance.judge.findings.results import Results
    from conformance.judge.subject import Subject
    from conformance.report.terminal.counts import Untested
    from conformance.report.terminal.run_summary import Remark

MAXIMUM_WIDTH = 120


def keep_report(  # noqa: PLR0913, PLR0917  # what a report consists of
    report: Path | None,
    subject: Subject,
    results: Results,
    extent: Extent = COMPLETE,
    untested: Sequence[Untested] = (),
    seen: Iterable[Seen] = (),
) -> None:
    """Write the report, if it has a path.

    If the path has a report of a larger extent, the new report is written beside it.

    Raises:
        NotWritten: the report cannot be written.
    """
    if report:
        place = place_for(report, extent)
        write_report(place, subject.about(), extent, results, (), untested, seen)
        if place != report:
            echo(beside_text(report, place, extent))


def show_summary(  # noqa: PLR0913  # what a summary consists of
    subject: Subject,
    results: Results,
    remarks: Iterable[Remark],
    untested: Sequence[Untested] = (),
    *,
    impl: str = "",
    options: Sequence[str] = (),
) -> None:
    """Print the summary of findings.

    Args:
        subject: the client or capture.
        results: the results.
        remarks: remarks about the run.
        untested: the untested parts.
        impl: the implementation in replay lines, or "" for that of the subject.
        options: further options in replay lines.
    """
    console, release = new_console(highlight=False), subject.release
    options = [*options, *subject.options, *([] if release.name == newest_release() else ["--release", release.name])]
    width = min(console.width, MAXIMUM_WIDTH)
    summary = RunSummary(impl=impl or subject.impl, options=options, width=width, color=console.is_terminal)
    title = f"{subject.title} against {release.title}"
    shown = plain_console()
    shown.print(summary.render(results, title, remarks, untested), end="")
    text, style = verdict_line(results)
    shown.print(printable(text), style=style)
