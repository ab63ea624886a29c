"""Replay of what is no body alone: a wire type, a frame, a stored message, the version of a header.

The checks of the suite run again on the one case, and what they find is printed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from conformance.adapter import FrameContent
from conformance.blame.frames import FrameSubject
from conformance.bridge.isolation import IsolatedDecoder
from conformance.checks.framing import check_broken_frames, check_frame, check_header_version, read_by_reference
from conformance.checks.primitives import check_primitive_value, check_primitive_wires
from conformance.checks.stored import (
    StoredSubject,
    check_broken_stored,
    check_stored_value,
    is_stored,
    read_stored_by_reference,
)
from conformance.findings.report.texts import comparison_lines, place_line, rule_lines
from conformance.findings.tally import Tally
from conformance.implementation.targets import stored_form
from reference import CodecError, Malformed, NotJsonForm, primitive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.findings.violations import Violation
    from conformance.implementation.driver import Implementation
    from reference import MessageSchema, Release


def replay_primitive(
    implementation: Implementation, release: Release, name: str, wire: bytes | None, value: str | None
) -> bool:
    """One value or some bytes of a wire type; whether everything is as expected."""
    each = primitive(name)
    _refuse_untested(implementation, *(["encode_primitive"] if wire is None else []), "decode_primitive")
    if value is not None:
        try:
            own = each.from_json(json.loads(value))
        except (ValueError, NotJsonForm) as error:
            raise click.BadParameter(f"not the JSON form of {name}: {error}", param_hint="--value") from error
        return _report(check_primitive_value(implementation, each, own))
    with IsolatedDecoder(implementation.adapter.spec, release.name) as decoder:
        return _report(check_primitive_wires(implementation, decoder, each, [wire or b""]))


def replay_frame(implementation: Implementation, release: Release, schema: MessageSchema, wire: bytes) -> bool:
    """A whole request or response, written and read."""
    _refuse_untested(implementation, "encode_frame", "decode_frame")
    _refuse_without_header(schema)
    with IsolatedDecoder(implementation.adapter.spec, release.name) as decoder:
        return _report(_check_frame(FrameSubject(implementation, decoder, release, schema), wire))


def _check_frame(subject: FrameSubject, wire: bytes) -> Iterator[Violation]:
    """What the suite asks of a frame, if it is sound, or of these bytes, if they are none."""
    schema = subject.schema
    try:
        frame = read_by_reference(subject.release, schema, wire)
    except Malformed as error:
        click.echo(f"reference   does not accept: {error}")
        yield from check_broken_frames(subject, {"replayed": wire})
        return
    except CodecError as error:
        raise click.BadParameter(f"no frame of {schema}: {error}", param_hint="--wire") from error
    if (frame.api_key, frame.api_version) != (schema.api_key, schema.version):
        other = f"API key {frame.api_key}, version {frame.api_version}"
        raise click.BadParameter(f"no frame of {schema}, but one of {other}", param_hint="--wire")
    content = FrameContent(frame.correlation_id, frame.client_id, frame.value, frame.header_tags)
    yield from check_frame(subject, content)


def replay_stored(implementation: Implementation, release: Release, schema: MessageSchema, wire: bytes) -> bool:
    """A message as it is stored, written and read."""
    if not is_stored(schema):
        raise click.BadParameter(f"{schema} is not stored: it has no prefix and no record", param_hint="--message")
    form = stored_form(schema)
    _refuse_untested(implementation, f"encode_{form}", f"decode_{form}")
    with IsolatedDecoder(implementation.adapter.spec, release.name) as decoder:
        return _report(_check_stored(StoredSubject(implementation, decoder, release, schema), wire))


def _check_stored(subject: StoredSubject, wire: bytes) -> Iterator[Violation]:
    """What the suite asks of a stored message, if these bytes are a sound one, or of the bytes, if they are none."""
    try:
        stored = read_stored_by_reference(subject.release, subject.schema, wire)
    except Malformed as error:
        click.echo(f"reference   does not accept: {error}")
        yield from check_broken_stored(subject, {"replayed": wire})
        return
    if stored.schema != subject.schema:
        raise click.BadParameter(f"no {subject.schema}, but {stored.schema}", param_hint="--wire")
    yield from check_stored_value(subject, stored.value)


def replay_header(implementation: Implementation, release: Release, schema: MessageSchema) -> bool:
    """Which header goes before a message."""
    _refuse_untested(implementation, "header_version")
    _refuse_without_header(schema)
    return _report(check_header_version(implementation, release, schema, Tally()))


def _refuse_untested(implementation: Implementation, *functions: str) -> None:
    """See that the adapter has one of these functions: nothing tested is not success."""
    if all(getattr(implementation.adapter, name) is None for name in functions):
        raise click.ClickException(f"the adapter of {implementation.name} has no {' and no '.join(functions)}")


def _refuse_without_header(schema: MessageSchema) -> None:
    if schema.kind not in {"request", "response"}:
        raise click.BadParameter(f"{schema} is neither a request nor a response", param_hint="--message")


def _report(violations: Iterable[Violation]) -> bool:
    """Print what was found; whether it was nothing."""
    found = list(violations)
    for violation in found:
        click.echo(f"{violation.rule}, outcome {violation.outcome}")
        for line in (*rule_lines(violation.rule), place_line(violation), *comparison_lines(violation)):
            click.echo(f"    {line}")
    if not found:
        click.echo("as expected")
    return not found
