"""`kafka-conformance client` without `--answers`: runs of a client, and the verdict on what it wrote in all of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import click

from conformance.commands.conclusion import keep_report
from conformance.commands.judge import show_judgement
from conformance.judge.recording import record
from conformance.live.capture.capture import Header, write_capture
from conformance.live.capture.redaction import Redactor
from conformance.live.client.client_process import BOOTSTRAP, crash_of
from conformance.live.client.listening import joined, judged_together, listen_again
from conformance.system.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.findings.violations import Violation
    from conformance.live.capture.defining_releases import Definitions
    from conformance.live.client.listening import Heard
    from conformance.live.client.trial import ClientSubject

ALL = "all"


class Caps(click.ParamType["tuple[int, ...] | None"]):
    """By how much announced maximum versions are lowered: one number, several, or all that make a difference (None)."""

    name = "N|N..M|all"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...] | None:
        """Return the numbers that a text stands for."""
        if value.lower() == ALL:  # help shows it in capitals
            return None
        match = re.fullmatch(r"(\d+)(?:\.\.(\d+))?", value)
        numbers = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
        if not numbers:
            self.fail(f"{value!r} is neither a number, as 2, nor a range, as 0..5, nor all", param, ctx)
        return tuple(numbers)


class Sessions(NamedTuple):
    """What came of listening to a client.

    Attributes:
        client: what was run.
        heard: its runs.
        capture: the file with their frames, if they are kept.
        deaths: its crashes after sound answers.
    """

    client: ClientSubject
    heard: Sequence[Heard]
    capture: Path | None
    deaths: Sequence[Violation] = ()


def hear(
    listen_with: Callable[[int], Heard],
    caps: Sequence[int] | None,
    died: Callable[[Heard, int], object] = lambda _, __: None,
) -> list[Heard]:
    """Run a client as often as there are caps, and show how each run ended; `died` is told of each run with its cap."""
    heard = []
    for cap, one in listen_again(listen_with, caps):
        _show_run(one, cap, alone=caps is not None and len(caps) == 1)
        heard.append(one)
        died(one, cap)
    return heard


def _show_run(heard: Heard, cap: int, *, alone: bool) -> None:
    """Show how the client ended.

    Raises:
        click.ClickException: it has never connected, or asked nothing.
    """
    said = heard.run.output
    if said and (alone or not heard.run.succeeded):
        echo(said if alone else crash_of(heard.run) or said.splitlines()[-1])
    if not heard.connections:
        when = "within the deadline" if heard.run.is_late else "before it ended"
        text = f"the client did not connect {when} ({heard.run.ending}); the address is in {BOOTSTRAP}"
        raise click.ClickException(text)
    if not heard.requests:
        raise click.ClickException(f"the client connected, and wrote no request ({heard.run.ending})")
    measured = f"{heard.run.ending}, {heard.run.seconds:.1f} s, {heard.run.memory // 2**20:,} MiB"
    echo(f"the client: {measured}" if alone else f"versions lowered by {cap}: {measured}, {heard.requests} requests")
    for trouble in heard.troubles:
        echo(f"note: {trouble}", err=True)


def keep(heard: Sequence[Heard], definitions: Definitions, path: Path, caps: Sequence[int] | None) -> None:
    """Write the frames of all runs to a file; its header names the cap if there is one only."""
    frames = [frame for one in joined(heard) for frame in one.frames]
    header = Header("no", caps[0] if caps is not None and len(caps) == 1 else 0)
    write_capture(path, header, map(Redactor(definitions, "no").take, frames))


def judge_sessions(sessions: Sessions, entries: Sequence[KnownFailure], report: Path | None) -> bool:
    """Show the verdict on what the client wrote; return whether there is anything new."""
    client, capture = sessions.client, sessions.capture
    judgement = judged_together(client, sessions.heard, entries)
    record(judgement.results, "crashes", "", sessions.deaths)
    keep_report(report, client, judgement.results, untested=judgement.untested, seen=judgement.events())
    show_judgement(judgement, str(capture or "CAPTURE"))
    if judgement.results.findings and capture is None:
        echo("--capture FILE keeps the frames, for `kafka-conformance judge FILE --frame N`", err=True)
    return bool(judgement.results.findings)
