"""The command `kafka-conformance judge`, for the verdict on every frame of a capture."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import click
from rich.table import Table

from conformance.commands import common
from conformance.commands.conclusion import conclude, show_summary
from conformance.commands.explain import show
from conformance.commands.explain_captures import FrameTable
from conformance.commands.explain_logs import is_log, judge_log
from conformance.commands.packets import port_option, show_troubles
from conformance.definitions.defining_releases import Definitions
from conformance.judge.findings.known_failures import load_known_failures
from conformance.judge.findings.lines import Remark
from conformance.judge.findings.wording import worded
from conformance.live.capture.capture import SIDES
from conformance.live.capture.capture_judgement import CaptureJudge, CaptureSubject, FrameCounts, violations_of
from conformance.live.capture.conversation import SeenFrame, explanation_of
from conformance.live.capture.packet_files import open_traffic
from conformance.report.run_lines import EndedRun
from conformance.report.words import comparison_lines, place_line, rule_lines
from conformance.system.terminal import echo, new_console
from reference.definitions.model import ranges_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from conformance.live.capture.capture import Side


@click.command()
@click.argument("file", type=common.FILE)
@common.known_failures_option
@common.report_option
@click.option("--from", "side", type=click.Choice(SIDES), help="Judge the frames of one side only.")
@click.option("--frame", type=click.IntRange(min=1), help="Show what each byte of one frame means, and its verdict.")
@click.option("-v", "--verbose", is_flag=True, help="Show a line for each frame.")
@port_option
@common.release_option
def judge(  # noqa: PLR0913, PLR0917  # one argument for each option
    file: Path,
    known_failures: Path | None,
    report: Path | None,
    side: Side | None,
    frame: int | None,
    verbose: bool,  # noqa: FBT001  # click passes it by name
    ports: tuple[int, ...],
    release_name: str | None,
) -> None:
    """Judge every frame of a capture, and the messages in it, by the protocol; or every batch of a log segment.

    FILE is a capture, a pcap or pcapng file of another program, tshark's JSON, or a log segment.

    The exit status is 0 if no rule is broken but those of known failures, else 1; 5 if no frame can be judged. Of a log
    it is 1 if a batch cannot be read.
    """
    release = common.release_named(release_name)
    with common.errors_shown():
        if is_log(file):
            if any((known_failures, report, side, frame, ports)):
                raise click.UsageError(
                    f"{file} is a log: --known-failures, --report, --from, --frame and --port are of captures"
                )
            raise SystemExit(1 if judge_log(file, release, verbose=verbose) else 0)
        entries = load_known_failures(known_failures) if known_failures else []
        capture = CaptureSubject(file.name, Definitions.beginning_with(release))
        here = [entry for entry in entries if entry.is_about(release.name)]
        judgement = CaptureJudge(capture, here, side)
        traffic = open_traffic(file, capture.definitions, ports)
        table = FrameTable()
        for seen in judgement.take_all(traffic.frames):
            line = table.line_of(seen)
            if verbose or seen.frame.number == frame:
                echo(line)
            if seen.frame.number == frame:
                show_frame(seen)
        show_troubles(traffic)
        if frame is not None:
            return
        judgement.close()
        if not judgement.counts:
            refusal = common.NothingTestedError if traffic.troubles else click.ClickException
            raise refusal(f"{file} has no frames{f' of the {side}' if side else ''}")
        if not judgement.results.tally.cases:
            new_console(highlight=False).print(_table(judgement))
            reasons = ", ".join(f"{part.what} ({part.why})" for part in judgement.untested)
            raise common.NothingTestedError(f"no frame of {file} can be judged; not tested: {reasons}")
        more = [word for port in ports for word in ("--port", str(port))]
        show_judgement(judgement, str(file), report, more)
    raise SystemExit(1 if judgement.results.findings else 0)


def show_judgement(judgement: CaptureJudge, file: str, report: Path | None, more: Sequence[str] = ()) -> None:
    """Write the report, if it has a path, and print the table of messages and the summary of findings.

    Replay lines name the capture as `file`, with `more` options. An unwritable report raises `NotWritten`.
    """
    subject = judgement.subject
    ended = EndedRun(
        subject.about(),
        judgement.results,
        parts=judgement.untested,
        remarks=list(_remarks(judgement)),
        seen=judgement.events(),
        replayed=(file, [*more, *subject.options, "--release", subject.release.name]),
    )
    run = conclude(ended, report)
    new_console(highlight=False).print(_table(judgement))
    show_summary(run)


def _table(judgement: CaptureJudge) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("message", "versions", "frames", "canonical", "departing", "not judged"):
        table.add_column(heading, justify="left" if heading in {"message", "versions"} else "right")
    versions: defaultdict[str, dict[int, FrameCounts]] = defaultdict(dict)
    for (message, version), counts in sorted(judgement.counts.items()):
        versions[message][version] = counts
    for message, by_version in versions.items():
        numbers = ", ".join(map(str, ranges_of([version for version in by_version if version >= 0])))
        sums = [sum(getattr(each, name) for each in by_version.values()) for name in vars(FrameCounts())]
        table.add_row(message, numbers, *(f"{count:,}" if count else "" for count in sums))
    return table


def _remarks(judgement: CaptureJudge) -> Iterator[Remark]:
    if judgement.unanswered:
        yield Remark(f"requests without a response: {judgement.unanswered:,}")
    for entry in judgement.unmet:
        yield Remark(f"known failure that this capture does not show: {entry}")


def show_frame(seen: SeenFrame) -> None:
    """Print the bytes of a frame, each with its meaning, and the broken rules."""
    show(explanation_of(seen), "dump")
    for violation in violations_of(seen):
        case = worded(violation.event())
        echo(f"{case.rule}")
        for line in (*rule_lines(case), place_line(case), *comparison_lines(case)):
            echo(f"    {line}")
