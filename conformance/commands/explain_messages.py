"""The explanation of a named message: its release, its prefix if it is stored, and what the bytes may be instead."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from conformance.commands.explain_guesses import named_bytes, note_readings
from conformance.report.explain.alone import explain_stored
from conformance.report.explain.plausibility import chance_bits
from conformance.report.explain.readings import MARGIN, BytesReading, bodies, is_sure, readings
from conformance.system.terminal import echo
from reference import CodecError, Release, Result, UnknownMessage, decode_prefixed, decode_record_leniently, judge
from reference.explained.bodies import explain_message
from reference.inputs.errors import BadInput

if TYPE_CHECKING:
    from conformance.definitions.defining_releases import Definitions
    from reference import MessageSchema
    from reference.explained.explanation import Explanation


def explain_named(definitions: Definitions, message: str, version: int, text: str) -> Explanation:
    """Return the explanation of the bytes of a message, after notes on what else they may be.

    The text of no bytes raises `click.BadParameter`, a message or version of no release `UnknownMessage`.
    """
    release, schema = _schema(definitions, message, version)
    try:
        data = named_bytes(text, partial(_is_valid, schema))
    except (ValueError, BadInput) as error:
        raise click.BadParameter(str(error), param_hint="BYTES") from error
    if _is_valid(schema, data):
        return explain_message(schema, data)
    if (stored := _stored(release, schema, data)) is not None:
        echo(f"note: taken for {stored.message} v{stored.version} with its prefix, as it is stored", err=True)
        return explain_stored(release, stored, data)
    note_readings(_better(definitions, schema, data))
    return explain_message(schema, data)


def _is_valid(schema: MessageSchema, data: bytes) -> bool:
    return judge(schema, data).result == Result.VALID


def _schema(definitions: Definitions, message: str, version: int) -> tuple[Release, MessageSchema]:
    first = definitions.among[0]
    name = next((name for name in first.messages if name.lower() == message.lower()), message)
    for release in definitions.among:
        try:
            schema = release.schema(name, version)
        except UnknownMessage:
            continue
        if release is not first:
            echo(f"note: {first.title} has no {name} v{version}; {release.title} is the newest that has it", err=True)
        return release, schema
    # The error is about the first release.
    return first, first.schema(name, version)


def _stored(release: Release, schema: MessageSchema, data: bytes) -> MessageSchema | None:
    try:
        if schema.stored_form == "record":
            return decode_record_leniently(release, data, source=release.source(schema.message)).schema
        if schema.stored_form == "prefixed":
            return decode_prefixed(release, schema.message, data).schema
    except (CodecError, UnknownMessage):
        is_prefix = schema.stored_form == "prefixed" and data[:2] == _prefix(schema).to_bytes(2, "big")
        return schema if is_prefix else None
    return None


def _prefix(schema: MessageSchema) -> int:
    return (schema.api_key or 0) if schema.kind == "coordinator-key" else schema.version


def _better(definitions: Definitions, schema: MessageSchema, data: bytes) -> list[BytesReading]:
    base = schema.message.removesuffix("Request").removesuffix("Response")
    names = {schema.message, f"{base}Request", f"{base}Response"}
    found = [*readings(definitions, data), *bodies(definitions, data, names.__contains__)]
    likely = {str(each): each for each in found if each.bits < chance_bits(data) - MARGIN / 2}
    ranked = sorted(likely.values(), key=lambda each: (each.message not in names, each.bits))
    return ranked[:1] if is_sure(ranked, data) else ranked
