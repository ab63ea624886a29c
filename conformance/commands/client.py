"""`kafka-conformance client`: run a client program against a broker of ours, and judge what it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.__about__ import __version__
from conformance.commands.common import errors_shown, release_named, release_option
from conformance.commands.judge import FILE, show_judgement
from conformance.findings.known_failures import load_known_failures
from conformance.findings.report.json_lines import write_report
from conformance.live.broker.address import Address
from conformance.live.client.listening import listen
from conformance.live.client.process import BOOTSTRAP, Limits
from conformance.live.judging.definitions import Definitions
from conformance.live.traffic.capture import Header, write_capture
from conformance.live.traffic.redaction import Redactor

if TYPE_CHECKING:
    from conformance.live.client.listening import Heard

OUTPUT = click.Path(dir_okay=False, path_type=Path)
NEVER_CONNECTED = 2


@click.command()
@click.option("--upstream", metavar="HOST:PORT", help="A real broker (default: a scripted one of the suite).")
@click.option(
    "--cap-versions", type=click.IntRange(min=0), default=0, help="Announce versions up to N below the maximum only."
)
@click.option("--capture", "capture_file", type=OUTPUT, help="Keep all frames in a file, as `capture` does.")
@click.option(
    "--deadline", type=click.FloatRange(min=0, min_open=True), default=30.0, show_default=True, help="Seconds."
)
@click.option("--known-failures", type=FILE, help="Findings that are expected: a TOML file.")
@click.option("--report", type=OUTPUT, help="Write all findings as JSON Lines.")
@release_option
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def client(  # noqa: PLR0913, PLR0917  # one argument for each option
    upstream: str | None,
    cap_versions: int,
    capture_file: Path | None,
    deadline: float,
    known_failures: Path | None,
    report: Path | None,
    release_name: str | None,
    command: tuple[str, ...],
) -> None:
    """Run a client program, and judge every request that it writes.

    COMMAND finds the address of a broker in its environment, in KAFKA_BOOTSTRAP. The exit status is 0 if no rule is
    broken but those of known failures, else 1.
    """
    release = release_named(release_name)
    definitions = Definitions.beginning_with(release)
    with errors_shown():
        entries = [entry for entry in load_known_failures(known_failures)] if known_failures else []
        address = Address.parse(upstream) if upstream else None
        heard = listen(command, definitions, Limits(deadline), address, cap_versions)
        _show_run(heard)
        if capture_file:
            redactor = Redactor(definitions, "no")
            write_capture(capture_file, Header("no", cap_versions), map(redactor.take, heard.frames))
        judgement = heard.judged(definitions, [entry for entry in entries if entry.is_about(release.name)])
        if report:
            about = {"suite": __version__, "client": command[0], "release": release.name}
            write_report(report, about, judgement.results, (), judgement.untested, judgement.events())
    title = f"{Path(command[0]).name} against {release.title}"
    show_judgement(judgement, str(capture_file or "CAPTURE"), title, release)
    raise SystemExit(1 if judgement.results.findings else 0)


def _show_run(heard: Heard) -> None:
    """Show how the client ended.

    Raises:
        click.ClickException: it has never connected.
    """
    if heard.run.output:
        click.echo(heard.run.output)
    if not heard.connections:
        when = "within the deadline" if heard.run.is_late else "before it ended"
        text = f"the client did not connect {when} ({heard.run.ending}); the address is in {BOOTSTRAP}"
        raise click.ClickException(text)
    if not any(frame.sender == "client" and not frame.is_rest for frame in heard.frames):
        raise click.ClickException(f"the client connected, and wrote no request ({heard.run.ending})")
    click.echo(f"the client: {heard.run.ending}, {heard.run.seconds:.1f} s, {heard.run.memory // 2**20:,} MiB")
    for trouble in heard.troubles:
        click.echo(f"note: {trouble}", err=True)
