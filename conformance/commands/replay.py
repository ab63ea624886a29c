"""`kafka-conformance replay`: one case again, with everything that is known about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.bridge.isolation import IsolatedDecoder
from conformance.bridge.loading import load_adapter
from conformance.commands.replay_cases import Selector, selected_cases
from conformance.commands.replay_folder import replay_folder
from conformance.commands.replay_output import Output
from conformance.implementation.driver import Implementation
from conformance.implementation.session import Session
from conformance.suite.found_cases import is_offered
from reference import load_release, newest_release

if TYPE_CHECKING:
    from conformance.findings.violations import Case


@click.command()
@click.argument(
    "folder",
    required=False,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--impl", required=True, metavar="MODULE[:ATTRIBUTE]", help="The adapter of the implementation.")
@click.option("--release", "release_name", metavar="NAME", help="Kafka release (default: the newest committed one).")
@click.option("--message", help="The message, as FetchRequest; or a wire type, as compact-string, of version 0.")
@click.option("--version", type=int, help="Its version.")
@click.option("--wire", metavar="HEX", help="Bytes to decode; if they are valid, their value is encoded again.")
@click.option("--value", metavar="JSON", help="A value in JSON form to encode.")
@click.option("--case", metavar="NAME", help="A case by its name, as the suite reports it; or a file of a found case.")
@click.option("--frame", is_flag=True, help="The bytes are a whole request or response, with size and header.")
@click.option("--stored", is_flag=True, help="The bytes are a message as it is stored: prefixed, or a metadata record.")
@click.option("--header", is_flag=True, help="Which version of the header goes before the message?")
def replay(  # noqa: PLR0913, PLR0917  # one argument for each option
    folder: Path | None,
    impl: str,
    release_name: str | None,
    message: str | None,
    version: int | None,
    wire: str | None,
    value: str | None,
    case: str | None,
    *,
    frame: bool,
    stored: bool,
    header: bool,
) -> None:
    """Run one case again, and show what each byte means; or all found cases in FOLDER (see the suite's --found).

    The check of the suite runs again on the case. The exit status is 0 if the implementation breaks no rule, else 1; of
    a folder it is 0 if all cases are fixed, 1 if any still fails or cannot be read.
    """
    if folder is not None:
        if message or version is not None or wire or value or case or frame or stored or header:
            raise click.UsageError("FOLDER goes with --impl and --release alone: it says itself what to replay")
        raise SystemExit(0 if replay_folder(folder, impl, release_name) else 1)
    if message is None or version is None:
        raise click.UsageError("give --message and --version, or a folder of found cases")
    selector = Selector(message, version, wire, value, case, frame=frame, stored=stored, header=header)
    raise SystemExit(0 if _replay(selector, impl, release_name) else 1)


def _replay(selector: Selector, impl: str, release_name: str | None) -> bool:
    """Run what was selected; return whether no rule is broken."""
    release = load_release(release_name or newest_release())
    implementation = Implementation(load_adapter(impl, release))
    with IsolatedDecoder(impl, release.name) as decoder:
        session = Session(implementation, release, decoder, isolate_all=True)
        cases = selected_cases(selector, session)
        for case in cases:
            _refuse_what_is_not_offered(session, case)
        output = Output(session)
        results = [output.replay(case) for case in cases]
        return all(results)


def _refuse_what_is_not_offered(session: Session, case: Case) -> None:
    """See that the adapter offers what is replayed: nothing tested is not success."""
    if is_offered(session, case):
        return
    name, target = session.implementation.name, case.target
    if target.function("encode") == "encode" and case.kind != "header":
        raise click.ClickException(f"{name} does not offer {target}: look at its supported()")
    functions = ["header_version"] if case.kind == "header" else [target.function(way) for way in case.directions]
    raise click.ClickException(f"the adapter of {name} has no {' and no '.join(functions)}")
