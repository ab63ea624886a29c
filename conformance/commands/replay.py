"""The command `kafka-conformance replay`, which runs one case again, and shows all facts about it."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conformance.codec.bridge.isolation import DecodeLimits
from conformance.codec.bridge.opening import open_session
from conformance.commands.common import (
    NothingTestedError,
    impl_option,
    memory_limit_option,
    plain_console,
    release_named,
    release_option,
    time_limit_option,
)
from conformance.commands.explain import show
from conformance.commands.replay_cases import ReplaySelector, selected_cases
from conformance.definitions.sources import ImportFailedError
from conformance.judge.case import Tried, Violation
from conformance.judge.engine import run
from conformance.judge.findings.following import is_raised_by_adapter
from conformance.judge.findings.wording import worded
from conformance.report.explain.explained_targets import explain_target
from conformance.report.files.found_cases import (
    SUFFIX,
    BadFoundCase,
    is_offered,
    read_found_case,
    recorded_release,
)
from conformance.report.words import comparison_lines, place_line, rule_lines, shortened
from conformance.system.terminal import echo
from conformance.targets import RecordsField
from conformance.targets.outcome import Kind
from reference import CodecError, ConformanceError, Malformed, load_release
from reference.definitions.errors import DefinitionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.codec.session import Session
    from conformance.judge.kinds import CodecCase
    from conformance.targets import Target
    from conformance.targets.outcome import Outcome

MAXIMUM_SHOWN = 2_000
"""Characters of an outcome, at most."""

STYLES = {"still fails": "bold red", "error": "bold red", "fixed": "green"}


@click.command()
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@impl_option()
@release_option
@click.option(
    "--message", help="The message, as FetchRequest; or of version 0 a wire type, as compact-string, or record-batches."
)
@click.option("--version", type=int, help="Its version.")
@click.option("--wire", metavar="HEX", help="Bytes to decode; if they are valid, their value is encoded again.")
@click.option("--value", metavar="JSON", help="A value in JSON form to encode.")
@click.option("--case", metavar="NAME", help="A case by its name, as the suite reports it; or a file of a found case.")
@click.option("--frame", is_flag=True, help="The bytes are a whole request or response, with size and header.")
@click.option("--stored", is_flag=True, help="The bytes are a message as it is stored: prefixed, or a metadata record.")
@click.option("--header", is_flag=True, help="Ask which version of the header goes before the message.")
@memory_limit_option
@time_limit_option
def replay(
    folder: Path | None, impl: str, release_name: str | None, memory_limit: int, time_limit: float, **selection: Any
) -> None:
    """Run one case again and show what each byte means, or run all found cases in FOLDER (see the suite's --found).

    The check of the suite runs again on the case. The exit status is 0 if the implementation breaks no rule, else 1, or
    5 if the case was not tried; of a folder it is 0 if all cases are fixed, 1 if any still fails or cannot be run.
    """
    limits = DecodeLimits(memory_limit, time_limit)
    if folder is not None:
        if any(option is not None and option is not False for option in selection.values()):
            raise click.UsageError("FOLDER goes with --impl and --release alone: it says itself what to replay")
        raise SystemExit(0 if _replay_folder(folder, impl, release_name, limits) else 1)
    if selection["message"] is None or selection["version"] is None:
        raise click.UsageError("give --message and --version, or a folder of found cases")
    raise SystemExit(0 if _replay(ReplaySelector(**selection), impl, release_name, limits) else 1)


def _replay(selector: ReplaySelector, impl: str, release_name: str | None, limits: DecodeLimits) -> bool:
    release = release_named(release_name)
    with open_session(impl, release, limits, isolate_all=True, corrects=True) as session:
        for fault in session.mistakes.faults:
            echo(f"the adapter itself seems to be at fault: {fault.text}")
        cases = selected_cases(selector, session)
        for case in cases:
            _check_offered(session, case)
        results = [_replayed(session, case) for case in cases]
        return all(results)


def _check_offered(session: Session, case: CodecCase) -> None:
    # A target that is not offered would test nothing, and succeed.
    if is_offered(session, case):
        return
    name, target = session.claims.name, case.target
    if target.function("encode") == "encode" and case.kind != "header":
        raise click.ClickException(f"{name} does not offer {target}: look at its supported()")
    functions = ["header_version"] if case.kind == "header" else [target.function(way) for way in case.directions]
    raise click.ClickException(f"the adapter of {name} has no {' and no '.join(functions)}")


def _replay_folder(folder: Path, impl: str, release: str | None, limits: DecodeLimits) -> bool:
    """Run every found case against its own release, unless one is named. A child decodes, as cases may crash it."""
    files = sorted(folder.glob(f"*{SUFFIX}"))
    if not files:
        raise click.ClickException(f"there are no found cases in {folder}")
    named = release_named(release).name if release else None
    console = plain_console()
    counts = dict.fromkeys(STYLES, 0)
    with ExitStack() as sessions:

        @cache
        def session_of(name: str) -> Session:
            return sessions.enter_context(
                open_session(impl, load_release(name), limits, isolate_all=True, corrects=True)
            )

        for file in files:
            state, text = _state(file, named, session_of)
            counts[state] += 1
            console.print(f"{state:11}  {file.name}{text}", style=STYLES[state])
    console.print(f"{len(files)} found cases: " + ", ".join(f"{count} {state}" for state, count in counts.items()))
    return counts["fixed"] == len(files)


def _state(file: Path, release: str | None, session_of: Callable[[str], Session]) -> tuple[str, str]:
    try:
        session = session_of(recorded_release(file, release).name)
        found = read_found_case(file, session.release)
    except (BadFoundCase, DefinitionError, ImportFailedError) as error:
        return "error", f": {error}"
    if not is_offered(session, found.case):
        return "error", f": {session.claims.name} does not offer {found.case.target}"
    try:
        keys = {each.key.kind for each in _run(session, found.case)}
    except NotTried as error:
        return "error", f": not tried, {error}"
    except CodecError as error:
        return "error", f": the case cannot be run: {error}"
    if not keys:
        return "fixed", ""
    return "still fails", ": " + ", ".join(sorted(keys))


class NotTried(ConformanceError):
    """A request of a case was not answered for lack of time, memory or processors."""


def _run(session: Session, case: CodecCase) -> list[Violation]:
    # With all the time that the first case of a run has.
    if session.child is not None:
        session.child.begin_anew()
    events = list(run(session, case.again(session)))
    found = [event for event in events if isinstance(event, Violation)]
    left_out = (each.outcome.text for each in events if isinstance(each, Tried) and each.outcome.kind is Kind.NOT_RUN)
    reason = next(left_out, None)
    if reason is not None and not found:
        raise NotTried(reason)
    return found


def _replayed(session: Session, case: CodecCase) -> bool:
    try:
        found = _run(session, case)
    except NotTried as error:
        raise NothingTestedError(f"not tried, {error}") from error
    content = _reference(case)
    _implementation(session, case, content)
    for violation in found:
        _violation(violation)
    if not found:
        echo("as expected")
    return not found


def _reference(case: CodecCase) -> Any:
    """Show the explanation of a case's bytes, and return the content to write, or None if they have no value."""
    content = getattr(case, "content", None)
    if case.wire is None:
        if content is not None:
            _refused(case, content)
        return content
    try:
        show(explain_target(case.target, case.wire), "tree")
    except ConformanceError as error:
        echo(f"nothing explains the bytes: {error}")
    echo()
    return _value_of(case.target, case.wire) if content is None else content


def _value_of(target: Target, wire: bytes) -> Any:
    if isinstance(target, RecordsField):
        return target.observe(wire).value
    try:
        return target.read(wire)
    except Malformed:
        return None


def _refused(case: CodecCase, content: Any) -> None:
    try:
        case.target.write(content)
    except CodecError as error:
        echo(f"reference   refuses to encode: {error}")


def _implementation(session: Session, case: CodecCase, content: Any) -> None:
    target, name = case.target, session.claims.name
    if case.kind == "header":
        return
    if content is not None and session.offers(target, "encode"):
        echo(f"{name} encodes   {shortened(str(session.encode(target, _judged(session, content))), MAXIMUM_SHOWN)}")
    if case.wire is not None and "decode" in case.directions and session.offers(target, "decode"):
        [outcome] = session.decode_many(target, [case.wire])
        echo(f"{name} decodes   {shortened(str(outcome), MAXIMUM_SHOWN)}{_consumed(case, outcome)}")


def _judged(session: Session, content: Any) -> Any:
    return session.claims.judged(content) if isinstance(content, dict) else content


def _consumed(case: CodecCase, outcome: Outcome) -> str:
    consumed = case.target.consumed(outcome)
    return "" if consumed is None else f" ({consumed} bytes consumed)"


def _violation(violation: Violation) -> None:
    if is_raised_by_adapter(violation):
        echo("the adapter itself seems to be at fault: the exception is of its own code")
    echo(f"{violation.rule}, outcome {violation.outcome}")
    broken = worded(violation.event())
    for line in (*rule_lines(broken), place_line(broken), *comparison_lines(broken)):
        echo(f"    {line}")
