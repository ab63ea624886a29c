"""Found cases, the highest-ranked cases of new findings, kept in a folder.

Random search may miss a case tomorrow that it found today. Later runs therefore try found cases first. A found case is
one JSON file. It has the event of a violation (see `Broken`), the release, and the command to run it again. An example
without its texts:

    {"format": 1, "kind": "value", "release": "4.3.0", "message": "HeartbeatRequest", "version": 0,
     "rule": "string.null", "path": "GroupId", "wire": "ffff", "value": "", ...}

A case found with the definitions of a folder has the name of that release and, as `definitions`, their hash. The name
of the file has the rule, the message, the version and a hash of the case. The same case therefore has one file, whoever
finds it.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import structs

from conformance.codec.selection import ONLY_VERSION, other_names
from conformance.definitions.named import release_of
from conformance.judge.case import Case, Judged
from conformance.judge.checks.all_cases import KINDS, case_from
from conformance.judge.engine import run
from conformance.judge.findings.wording import worded
from conformance.judge.forms import EXCHANGE, FoundForm, as_json
from conformance.report.run_lines import replay_line
from conformance.system.outputs import write_all_or_keep
from conformance.system.shell import path_word
from reference import (
    CodecError,
    ConformanceError,
    MessageSchema,
    Release,
    UnknownMessage,
)
from reference.inputs.errors import BadInput
from reference.inputs.json_text import read_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from conformance.codec.session import Session
    from conformance.judge.case import Event, Violation
    from conformance.judge.findings.finding import Finding
    from conformance.judge.findings.lines import Run
    from conformance.judge.kinds import CodecCase

FORMAT: Literal[1] = 1
SUFFIX = ".json"
HINT = "remove it, and search again"
DEFINITIONS = "definitions"
SHOWN = 8
"""The number of digits of a hash shown in errors."""


class BadFoundCase(ConformanceError):
    """A file is no found case. The text names the file and says why."""


AnyCase = TypeVar("AnyCase", bound=Case)


class FoundCase(NamedTuple, Generic[AnyCase]):
    """A file and its case."""

    file: Path
    case: AnyCase

    def __str__(self) -> str:
        return self.file.stem


def check_found(session: Session, found: FoundCase[CodecCase]) -> Iterator[Event]:
    """Run a found case again, if the implementation offers its target."""
    yield Judged("found cases")
    if is_offered(session, found.case):
        yield from run(session, found.case.again(session))


def is_offered(session: Session, case: CodecCase) -> bool:
    """Return whether the implementation offers the target of a case, in one of the directions of the case."""
    return any(session.offers(case.target, direction) for direction in case.directions)


def load_found_cases(folder: Path, release: Release) -> Iterator[FoundCase[CodecCase]]:
    """Yield the found cases of codecs in a folder by name, or raise `BadFoundCase` for any other JSON file.

    Cases of servers, and of messages unknown to the release, are left out.
    """
    for file in sorted(folder.glob(f"*{SUFFIX}")):
        form = read_form(file)
        if form.kind == EXCHANGE:
            continue
        try:
            _check_message(form, release)
        except UnknownMessage:
            continue
        yield _found(file, form, release)


def recorded_pair(file: Path) -> str:
    """Return the message and version of a found case, like `FetchRequest-v17`, or raise `BadFoundCase`."""
    form = read_form(file)
    return f"{form.message}-v{form.version}"


def recorded_release(file: Path, release: str | None = None) -> Release:
    """Return `release`, or else the release a case was found in.

    Raises:
        BadFoundCase: the file is no found case, or it was found with definitions of a folder and no folder is named.
        ConformanceError: there is no such release, or it cannot be fetched.
    """
    form = read_form(file)
    if release is None and form.definitions:
        raise BadFoundCase(f"{file} was found with {_definitions_of(form)}: name their folder with --release")
    return release_of(release or form.release)


def _definitions_of(form: FoundForm) -> str:
    return f"the definitions {form.release} (hash {form.definitions[:SHOWN]})"


def read_found_case(file: Path, release: Release) -> FoundCase[CodecCase]:
    """Return the found case in a file.

    Raises:
        BadFoundCase: the file is no found case of a codec, or it was found with other definitions of a folder.
        DefinitionError: the release has no such message or version.
    """
    form = read_form(file)
    if form.kind == EXCHANGE:
        raise BadFoundCase(
            f"{file} is a case of a server: kafka-conformance broker HOST:PORT --send {shlex.quote(path_word(file))}"
        )
    if form.definitions and form.definitions != release.digest:
        raise BadFoundCase(
            f"{file} was found with {_definitions_of(form)}, not those of {release.title}: name a folder that has "
            "them with --release; the suite's --found tries it on others"
        )
    _check_message(form, release)
    return _found(file, form, release)


def _check_message(form: FoundForm, release: Release) -> MessageSchema | None:
    return None if form.message in other_names() else release.schema(form.message, form.version)


def _found(file: Path, form: FoundForm, release: Release) -> FoundCase[CodecCase]:
    name = form.case if form.deterministic else ""
    others = form.definitions not in {"", release.digest}
    hint = f"; it was found with {_definitions_of(form)}, and these are others" if others else ""
    # Deterministic, since every run with the folder tries it. A randomly drawn case is named by its file.
    try:
        case = case_from(structs.replace(form, case=name or str(file), deterministic=True), release)
        return FoundCase(file, case.row.confirmed(case))
    except (ValueError, CodecError, KeyError, BadInput) as error:
        place = f"{form.message}-v{form.version}"
        raise BadFoundCase(f"{file}: there is no such {form.kind} case of {place}: {error}{hint}") from error


def read_form(file: Path) -> FoundForm:
    """Return the content of a file, or raise `BadFoundCase`."""
    try:
        form = msgspec.convert(read_json(file), FoundForm)
    except OSError as error:
        raise BadFoundCase(f"{file} cannot be read as a found case: {error.strerror}") from error
    except BadInput as error:
        raise BadFoundCase(f"{error}; {HINT}") from error
    except msgspec.ValidationError as error:
        raise BadFoundCase(f"{file} is not a found case of this suite: {error}; {HINT}") from error
    if form.message in other_names() and form.version != ONLY_VERSION:
        wrong = f"'version' is {form.version}, and the only one of {form.message} is {ONLY_VERSION}"
        raise BadFoundCase(f"{file}: {wrong}; {HINT}")
    if form.kind not in {*KINDS, EXCHANGE}:
        kinds = ", ".join((*KINDS, EXCHANGE))
        raise BadFoundCase(f"{file}: 'kind' is {form.kind!r}, not one of {kinds}; {HINT}")
    return form


def write_found_cases(
    folder: Path, findings: Iterable[Finding], run: Run, release: Release, options: Sequence[str] = ()
) -> None:
    """Write the missing ones of `found_files` to a folder, made if need be, or raise `NotWritten` and keep them."""
    about = {name: fact for name, fact in as_json(run).items() if name != "event"}
    files = found_files(findings, about, release, options)
    new = [(name, text) for name, text in files if not (folder / name).exists()]
    if new:
        write_all_or_keep(folder, new)


def found_files(
    findings: Iterable[Finding], run: dict[str, Any], release: Release, options: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of a file for the highest-ranked violation of each finding.

    Random search may not find a violation again, so a finding also has a file for each pair with random violations
    only. `run` has the facts of the run, from its report. Replay lines have `options`, by default the release.
    """
    about = {"release": release.name, **({DEFINITIONS: release.digest} if release.digest else {})}
    for violation in chain.from_iterable(_to_write(finding) for finding in findings):
        entry = {"format": FORMAT, **about, **as_json(worded(violation.event()))}
        replay = replay_line(run["impl"], options or ["--release", release.name], violation)
        yield _file_name(violation), json.dumps({**entry, "run": run, "replay": replay}, indent=2) + "\n"


def _to_write(finding: Finding) -> Iterator[Violation]:
    yield finding.example
    covered = {example.pair for example in finding.examples if example.deterministic} | {finding.example.pair}
    for example in sorted(finding.examples, key=lambda example: example.weight):
        if example.pair not in covered:
            covered.add(example.pair)
            yield example


def _file_name(violation: Violation) -> str:
    event = violation.event()
    identity = [event.kind, event.message, event.version, event.rule, event.wire, event.value]
    identity += violation.case.extras().values()
    digest = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:12]
    return f"{violation.rule}-{violation.message}-v{violation.version}-{digest}{SUFFIX}"
