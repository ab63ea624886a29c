"""`kafka-conformance replay`: one case again, with everything that is known about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from rich.console import Console
from rich.table import Table

from conformance.adapter import AdapterError
from conformance.bridge.isolation import BridgeUnavailable, IsolatedDecoder
from conformance.checks.state_leak import AFTER, check_residue_of_reading, check_residue_of_writing
from conformance.commands.replay_found import replay_folder
from conformance.commands.replay_parts import replay_frame, replay_header, replay_primitive, replay_stored
from conformance.findings.found import SUFFIX, BadFoundCase, read_found_case
from conformance.generate.absent_fields import absent_cases
from conformance.generate.cases import edge_cases
from conformance.generate.hostile import hostile_cases
from conformance.generate.invalid_bytes import broken_cases
from conformance.generate.partial_values import partial_cases
from conformance.generate.unencodable_values import open_cases, unwritable_cases
from conformance.implementation.driver import Implementation, offered
from conformance.implementation.loading import load_adapter
from conformance.implementation.outcome import ABSENT, REFUSALS, Kind, Outcome
from reference import (
    CodecError,
    Malformed,
    MessageSchema,
    NotJsonForm,
    Release,
    Unencodable,
    decode,
    decode_leniently,
    difference,
    encode,
    from_json,
    load_release,
    newest_release,
    primitives,
    to_json,
)
from reference.definitions.errors import DefinitionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.generate.cases import Variation

MAXIMUM_PAYLOAD = 48
"""How many hex digits of one span are shown."""

WIDTH = 200
"""Enough for every row: a narrower terminal wraps lines, but what they say must not be cut."""


@click.command()
@click.argument(
    "folder",
    required=False,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--impl", required=True, metavar="MODULE[:ATTRIBUTE]", help="The adapter of the implementation.")
@click.option("--release", "release_name", metavar="NAME", help="Kafka release (default: the newest committed one).")
@click.option("--message", help="The message, as FetchRequest.")
@click.option("--version", type=int, help="Its version.")
@click.option("--wire", metavar="HEX", help="Bytes to decode; if they are valid, their value is encoded again.")
@click.option("--value", metavar="JSON", help="A value in JSON form to encode.")
@click.option("--case", metavar="NAME", help="A case by its name, as the suite reports it.")
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

    --message may also be a wire type, as compact-string; its version is 0. The exit status is 0 if the implementation
    does what the reference expects, else 1; of a folder it is 0 if all cases are fixed, 1 if any still fails or cannot
    be read.
    """
    if folder is not None:
        if message or version is not None or wire or value or case or frame or stored or header:
            raise click.UsageError("FOLDER goes with --impl and --release alone: it says itself what to replay")
        raise SystemExit(0 if _replay_folder(folder, impl, release_name) else 1)
    if message is None or version is None:
        raise click.UsageError("give --message and --version, or a folder of found cases")
    if sum(given is not None for given in (wire, value, case)) + header != 1:
        raise click.UsageError("give one of --wire, --value, --case and --header")
    if (frame or stored) and (wire is None or frame == stored):
        raise click.UsageError("--frame and --stored go with --wire, one at a time")
    place = _Place(impl, release_name, message, version, around="frame" if frame else "stored" if stored else "")
    try:
        sound = _replay_one(place, (wire, value, case), header=header)
    except (AdapterError, DefinitionError, BridgeUnavailable) as error:
        raise click.ClickException(str(error)) from error
    raise SystemExit(0 if sound else 1)


class _Place(NamedTuple):
    """What is replayed: of which implementation, and which message or wire type."""

    impl: str
    release: str | None
    message: str
    version: int
    around: str
    """frame or stored, if the bytes have more around them than the message's own."""


def _replay_one(place: _Place, given: tuple[str | None, str | None, str | None], *, header: bool) -> bool:
    """A wire type alone, the version of a header, a frame, a stored message, or a message."""
    wire, value, _ = given
    release = load_release(place.release or newest_release())
    implementation = Implementation(load_adapter(place.impl, release))
    if place.message in primitives():
        if place.around or (wire is None and value is None):
            raise click.UsageError("a wire type is replayed by --wire or --value, without --frame and --stored")
        return replay_primitive(implementation, release, place.message, None if wire is None else _hex(wire), value)
    schema = release.schema(place.message, place.version)
    if header:
        return replay_header(implementation, release, schema)
    if place.around:
        again = replay_frame if place.around == "frame" else replay_stored
        return again(implementation, release, schema, _hex(wire or ""))
    return _replay_message(_offering(implementation, schema), release, schema, given)


def _replay_folder(folder: Path, impl: str, release: str | None) -> bool:
    try:
        return replay_folder(folder, impl, release)
    except (AdapterError, DefinitionError, BridgeUnavailable) as error:
        raise click.ClickException(str(error)) from error


def _replay_message(
    implementation: Implementation,
    release: Release,
    schema: MessageSchema,
    given: tuple[str | None, str | None, str | None],
) -> bool:
    """One message, from its bytes, its value, or the name of a case."""
    wire, value, case = given
    with IsolatedDecoder(implementation.adapter.spec, release.name) as decoder:
        console = Console(width=WIDTH, soft_wrap=True, highlight=False, markup=False, emoji=False)
        session = _Replay(console, schema, implementation, decoder)
        if wire is not None:
            return session.run_wire(_hex(wire))
        if value is not None:
            return session.run_value(_json(schema, value))
        return session.run_case(case or "")


def _offering(implementation: Implementation, schema: MessageSchema) -> Implementation:
    """The implementation, if it offers the message at all: nothing tested is not success."""
    if not offered(implementation, [schema]):
        raise click.ClickException(f"{implementation.name} does not offer {schema}: look at its supported()")
    return implementation


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise click.BadParameter(f"not hex: {error}", param_hint="--wire") from error


def _json(schema: MessageSchema, text: str) -> dict[str, Any]:
    try:
        return from_json(schema, json.loads(text))
    except (ValueError, NotJsonForm) as error:
        raise click.BadParameter(f"not the JSON form of a value: {error}", param_hint="--value") from error


class _Replay:
    """One replay: prints as it goes, and says whether everything was as expected."""

    def __init__(
        self, console: Console, schema: MessageSchema, implementation: Implementation, decoder: IsolatedDecoder
    ) -> None:
        self._console = console
        self._schema = schema
        self._implementation = implementation
        self._decoder = decoder

    def run_case(self, name: str) -> bool:
        """Run the deterministic case of that name, or the found case in that file."""
        if name.endswith(SUFFIX):
            return self._run_found(Path(name))
        if name.startswith(AFTER):
            return self._run_after(name)
        return self._run_variation(name)

    def _run_variation(self, name: str) -> bool:
        """Run the deterministic case of that name."""
        for variation in edge_cases(self._schema):
            if variation.name == name:
                return self.run_value(variation.value)
        for _, variation in self._refused_cases():
            if variation.name == name:
                return self.run_value(variation.value)
        for variation, whole in partial_cases(self._schema):
            if variation.name == name:
                return self._encode(variation.value, encode(self._schema, whole))
        wires = {case.name: case.wire for case in broken_cases(self._schema)}
        wires |= {case.name: case.wire for case in hostile_cases(self._schema)}
        if name in wires:
            return self.run_wire(wires[name])
        raise click.BadParameter(f"{self._schema} has no case {name!r}", param_hint="--case")

    def _run_after(self, name: str) -> bool:
        """What a failure leaves behind takes more than one call to see: as the suite does it."""
        made, schema = self._implementation, self._schema
        violations = (*check_residue_of_writing(made, schema), *check_residue_of_reading(made, self._decoder, schema))
        found = [each for each in violations if each.case == name]
        for each in found:
            self._console.print(f"{each.direction} {name}: expected {each.expected}, got {each.actual}")
        return not found

    def _refused_cases(self) -> Iterator[tuple[str, Variation]]:
        yield from unwritable_cases(self._schema)
        yield from open_cases(self._schema)
        yield from absent_cases(self._schema)

    def _run_found(self, file: Path) -> bool:
        try:
            found = read_found_case(file, self._schema)
        except BadFoundCase as error:
            raise click.BadParameter(str(error), param_hint="--case") from error
        return self.run_wire(found.content) if isinstance(found.content, bytes) else self.run_value(found.content)

    def run_value(self, value: dict[str, Any]) -> bool:
        """Encode a value, and decode its canonical bytes."""
        try:
            wire = encode(self._schema, value)
        except Unencodable as error:
            self._console.print(f"reference   refuses to encode: {error}")
            return self._encode(value, None)
        sound = self._encode_again(value)
        return self._decode(wire, value) and sound

    def run_wire(self, wire: bytes) -> bool:
        """Decode bytes, and encode their value if they are valid."""
        try:
            value = decode(self._schema, wire).value
        except Malformed as error:
            self._console.print(f"reference   does not accept: {error}")
            return self._decode_invalid(wire, error)
        sound = self._decode(wire, value)
        return self._encode_again(value) and sound

    def _encode_again(self, value: dict[str, Any]) -> bool:
        value = self._implementation.judged(value)
        return self._encode(value, encode(self._schema, value))

    def _encode(self, value: dict[str, Any], expected: bytes | None) -> bool:
        if not self._implementation.offers("encode", self._schema):
            return True
        outcome = self._implementation.encode(self._schema, value)
        self._console.print(f"{self._implementation.name} encodes   {outcome}")
        if outcome.kind in ABSENT:
            return True
        if expected is None:
            return outcome.kind in REFUSALS
        if outcome.wire != expected:
            self._console.print(f"expected   {expected.hex()}")
            return False
        return self._size_agrees(value, len(expected))

    def _size_agrees(self, value: dict[str, Any], expected: int) -> bool:
        """Whether the implementation announces the right size, if it announces any."""
        size = self._implementation.size(self._schema, value)
        if size == expected or (isinstance(size, Outcome) and size.kind in ABSENT):
            return True
        self._console.print(f"{self._implementation.name} announces {size}, expected {expected} bytes")
        return False

    def _decode(self, wire: bytes, value: dict[str, Any]) -> bool:
        self._show_spans(wire)
        if not self._implementation.offers("decode", self._schema):
            return True
        outcome = self._isolated(wire)
        self._show_decoded(outcome)
        if outcome.kind is not Kind.VALUE:
            return outcome.kind in ABSENT
        absent = self._implementation.takes_absent_fields
        found = difference(
            self._schema, self._implementation.judged(value), self._implementation.judged(outcome.value), absent=absent
        )
        if found is not None:
            self._console.print(f"differs at {found.path}: expected {found.expected!r}, got {found.actual!r}")
        return found is None and outcome.consumed in (None, len(wire))

    def _decode_invalid(self, wire: bytes, error: Malformed) -> bool:
        outcome = self._isolated(wire)
        self._show_decoded(outcome)
        if error.reason is not None:
            return outcome.kind in REFUSALS | ABSENT
        consumed = self._show_lenient(wire)
        if outcome.kind is Kind.VALUE and error.rule == "input.trailing-bytes":
            return outcome.consumed in (None, consumed)
        return outcome.kind in REFUSALS | ABSENT | {Kind.VALUE}

    def _show_lenient(self, wire: bytes) -> int | None:
        """What Apache Kafka makes of bytes that the protocol leaves open; the number of bytes it takes, if any."""
        try:
            value, consumed = decode_leniently(self._schema, wire)
        except CodecError as rejected:
            self._console.print(f"Apache Kafka rejects it: {rejected}")
            return None
        self._console.print(f"Apache Kafka accepts it: {consumed} bytes, {to_json(self._schema, value)}")
        return consumed

    def _isolated(self, wire: bytes) -> Outcome:
        [outcome] = self._decoder.decode_many([(self._schema, wire)])
        return outcome

    def _show_decoded(self, outcome: Outcome) -> None:
        consumed = f" ({outcome.consumed} bytes consumed)" if outcome.consumed is not None else ""
        self._console.print(f"{self._implementation.name} decodes   {outcome}{consumed}")

    def _show_spans(self, wire: bytes) -> None:
        """The bytes, one line for each thing that they say."""
        table = Table(box=None, pad_edge=False)
        for heading in ("offset", "bytes", "role", "field", "rule"):
            table.add_column(heading, no_wrap=True)
        for span in decode(self._schema, wire).spans:
            text = wire[span.start : span.end].hex()
            shown = text if len(text) <= MAXIMUM_PAYLOAD else f"{text[:MAXIMUM_PAYLOAD]}..."
            table.add_row(str(span.start), shown, span.role, span.path, span.rule)
        self._console.print(table)
