"""Found cases: the smallest case of each new finding, kept in a folder, and the first thing that later runs try.

What random search finds in one night it may miss in the next. A found case is one JSON file, here without its texts:

    {"format": 1, "kind": "value", "release": "4.3.0", "message": "HeartbeatRequest", "version": 0,
     "rule": "string.null", "path": "GroupId", "wire": "ffff", "value": "", ...}

Its name says what it is about and ends in a hash of the case, so that the same case is written once, whoever finds it.
Some deterministic cases have no such form: frames, say, or values without JSON form. Every run tries these anyway.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.checks.hostile import check_hostile_cases
from conformance.checks.invalid import check_broken, check_trailing, check_unwritable
from conformance.checks.state_leak import RULE as RESIDUE
from conformance.checks.valid import ValueCase, check_value
from conformance.files import write_atomically
from conformance.findings.report.texts import replay_line
from conformance.generate.cases import Variation
from conformance.generate.hostile import HostileCase
from conformance.generate.invalid_bytes import BrokenCase
from reference import (
    Malformed,
    MessageSchema,
    NotJsonForm,
    Release,
    Unencodable,
    UnknownMessage,
    decode,
    difference,
    encode,
    from_json,
    load_release,
    newest_release,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pytest

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.findings.tally import Tally
    from conformance.findings.violations import Violation
    from conformance.implementation.driver import Implementation

FORMAT = 1
SUFFIX = ".json"
KINDS = ("value", "unwritable", "broken", "trailing", "hostile")
"""A value to be written and read; one to be refused; bytes to be refused; a message with bytes behind it; any bytes."""

ROUND_TRIP = "codec.round-trip"

FIELDS = {"kind": str, "message": str, "version": int, "rule": str, "path": str, "wire": str, "value": str}
MODULE = Path(__file__).parents[1] / "suite" / "test_found_cases.py"


class BadFoundCase(Exception):
    """A file that is no found case; the text says which one and why."""


class FoundCase(NamedTuple):
    """One found case: a value, or bytes, and what a departure was blamed on."""

    file: Path
    kind: str
    schema: MessageSchema
    rule: str
    path: str
    content: Any


def check_found(
    implementation: Implementation, decoder: IsolatedDecoder | None, found: FoundCase, tally: Tally
) -> Iterator[Violation]:
    """Try a found case once more, by the checks that it came from."""
    tally.case("found cases")
    schema, name = found.schema, str(found.file)
    if found.kind == "value":
        yield from check_value(implementation, ValueCase(schema, name, found.path, found.content), tally)
    elif found.kind == "unwritable" and implementation.offers("encode", schema):
        yield from check_unwritable(implementation, schema, found.rule, Variation("", name, found.content), tally)
    elif found.kind == "broken" and implementation.offers("decode", schema):
        broken = BrokenCase(schema, name, found.path, found.rule, found.content)
        yield from check_broken(implementation, decoder, [broken], tally)
    elif found.kind == "trailing" and implementation.offers("decode", schema):
        yield from check_trailing(implementation, decoder, schema, tally)
    elif found.kind == "hostile" and implementation.offers("decode", schema):
        hostile = HostileCase(name, found.path, found.content)
        yield from check_hostile_cases(implementation, decoder, schema, [hostile], tally)


def load_found_cases(folder: Path, release: Release) -> Iterator[FoundCase]:
    """The found cases in a folder, by name; those of messages that the release does not have are left out.

    Raises:
        BadFoundCase: a JSON file in it is none.
    """
    for file in sorted(folder.glob(f"*{SUFFIX}")):
        entry = _read(file)
        try:
            schema = release.schema(entry["message"], entry["version"])
        except UnknownMessage:
            continue
        yield read_found_case(file, schema)


def recorded_pair(file: Path) -> str:
    """The message and version that a file is about, as `FetchRequest-v17`.

    Raises:
        BadFoundCase: it is no found case.
    """
    entry = _read(file)
    return f"{entry['message']}-v{entry['version']}"


def recorded_schema(file: Path, release: str | None = None) -> tuple[MessageSchema, Release]:
    """What a file is about: in the release named, else in the one that it was found in.

    Raises:
        BadFoundCase: it is no found case.
        DefinitionError: there is no such release, message or version.
    """
    entry = _read(file)
    chosen = load_release(release or entry.get("release") or newest_release())
    return chosen.schema(entry["message"], entry["version"]), chosen


def read_found_case(file: Path, schema: MessageSchema) -> FoundCase:
    """The found case in a file.

    Raises:
        BadFoundCase: it is none, or one of another message or version.
    """
    entry = _read(file)
    if (entry["message"], entry["version"]) != (schema.message, schema.version):
        raise BadFoundCase(f"{file} is about {entry['message']} v{entry['version']}, not {schema}")
    try:
        content = _content(entry, schema)
    except (ValueError, NotJsonForm, Malformed) as error:
        raise BadFoundCase(f"{file}: there is no such {entry['kind']} case of {schema}: {error}") from error
    return FoundCase(file, entry["kind"], schema, entry["rule"], entry["path"], content)


def _read(file: Path) -> dict[str, Any]:
    try:
        entry = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadFoundCase(f"{file} cannot be read as a found case: {error}") from error
    if not isinstance(entry, dict) or entry.get("format") != FORMAT:
        raise BadFoundCase(f'{file} is not a found case of this suite: "format" is not {FORMAT}')
    for key, kind in FIELDS.items():
        if type(entry.get(key)) is not kind:
            raise BadFoundCase(f"{file}: {key!r} is {entry.get(key)!r}, not of type {kind.__name__}")
    if entry["kind"] not in KINDS:
        raise BadFoundCase(f"{file}: 'kind' is {entry['kind']!r}, not one of {', '.join(KINDS)}")
    return entry


def _content(entry: dict[str, Any], schema: MessageSchema) -> Any:
    if entry["kind"] in {"broken", "trailing", "hostile"}:
        return bytes.fromhex(entry["wire"])
    if entry["value"]:
        return from_json(schema, json.loads(entry["value"]))
    return decode(schema, bytes.fromhex(entry["wire"])).value


def write_found_cases(folder: Path, violations: Iterable[Violation], run: dict[str, Any], release: Release) -> None:
    """Of the violations of each finding, write the smallest that has the form of a found case.

    Of what random search alone met, write the smallest for each message and version: it may not be met there again.
    What is there already is left as it is; the folder is made if need be. `run` is what the report says about the run:
    who found it.
    """
    violations = sorted(violations, key=lambda each: each.weight)
    covered = {(*each.key, each.message, each.version) for each in violations if each.deterministic}
    written: set[tuple[str | int, ...]] = set()
    for violation in violations:
        kind = _kind(violation, release)
        place = (*violation.key, violation.message, violation.version)
        if kind is None or (violation.key in written and place in covered | written):
            continue
        written |= {violation.key, place}
        folder.mkdir(exist_ok=True)
        file = folder / _file_name(kind, violation)
        if not file.exists():
            case = {"format": FORMAT, "kind": kind, "release": release.name, **violation.as_event()}
            replay = replay_line(run["impl"], release.name, violation)
            write_atomically(file, json.dumps({**case, "run": run, "replay": replay}, indent=2) + "\n")


def _file_name(kind: str, violation: Violation) -> str:
    identity = (kind, violation.message, violation.version, violation.rule, violation.wire, violation.value)
    digest = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:12]
    return f"{violation.rule}-{violation.message}-v{violation.version}-{digest}{SUFFIX}"


def _kind(violation: Violation, release: Release) -> str | None:
    """Which kind of case this is; None if it has no form that can be tried again by itself.

    That is so of frames, headers and single wire types, which are always the same, of what a failure leaves behind, and
    of an implementation's own wrong bytes without the value that it wrote them for.
    """
    if violation.direction not in {"encode", "decode"} or violation.rule == RESIDUE:
        return None
    if violation.rule == ROUND_TRIP and not violation.value:
        return None
    try:
        schema = release.schema(violation.message, violation.version)
    except UnknownMessage:
        return None
    if violation.case == "trailing-bytes":
        return "trailing"
    return _kind_of_value(violation, schema) if violation.value else _kind_of_bytes(violation, schema)


def _kind_of_value(violation: Violation, schema: MessageSchema) -> str | None:
    try:
        value = from_json(schema, json.loads(violation.value))
        wire = encode(schema, value)
    except NotJsonForm:
        return None
    except Unencodable:
        return "unwritable"
    return "value" if difference(schema, value, decode(schema, wire).value) is None else None


def _kind_of_bytes(violation: Violation, schema: MessageSchema) -> str | None:
    wire = bytes.fromhex(violation.wire)
    try:
        value = decode(schema, wire).value
    except Malformed:
        return "broken" if violation.expected == "rejected" else "hostile"
    return "value" if encode(schema, value) == wire else "hostile"


class FoundCases:
    """The part of the pytest plugin that brings found cases into a run."""

    def __init__(self, cases: Iterable[FoundCase] = ()) -> None:
        self._cases = tuple(cases)

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Without found cases there is no test of them."""
        return True if collection_path == MODULE and not self._cases else None

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One item for each."""
        if "found_case" in metafunc.fixturenames:
            metafunc.parametrize("found_case", self._cases, ids=[case.file.stem for case in self._cases])

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Found cases first: what was wrong before is the first thing to know."""
        items.sort(key=lambda item: item.path != MODULE)
