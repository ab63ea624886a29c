"""The witnesses that `kafka-conformance specs diff --witness` prints: bytes that one side misreads or refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rich.text import Text

from conformance.campaign.proof.evolution_trial import breaks
from conformance.campaign.proof.evolution_witness import WITHOUT, Witness, witness_of
from conformance.campaign.proof.framed import framed
from reference import CodecError, to_json
from reference.evolution import Change, DefinitionSet, counterpart
from reference.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference import MessageSchema
    from reference.definitions.model import Definition

MAXIMUM_TEXT = 160
"""Characters of bytes and values of a witness that are shown."""

OF_HEADER = "evolution.header-version"
"""The rule whose witnesses have a header before the body."""

Witnesses = dict[Change, Witness | None]
"""By the change that may have one; None if it has none."""


def found_witnesses(old: DefinitionSet, new: DefinitionSet, changes: Iterable[Change]) -> Witnesses:
    """Look for bytes that show each change which is said to break something."""
    breaking = filter(breaks, changes)
    return {change: _sent(witness_of(change, _pairs(old, new, change)), old, change) for change in breaking}


def _sent(witness: Witness | None, old: DefinitionSet, change: Change) -> Witness | None:
    """Return the witness with the API and the version of its message in its header, if that shows the same."""
    header = witness.written.get("Header", {}) if witness and change.rule == OF_HEADER else {}
    if witness is None or witness.read is None or "RequestApiKey" not in header:
        return witness
    api = {
        "RequestApiKey": old.definitions[change.message].api_key,
        "RequestApiVersion": witness.writer.schema.version,
    }
    written = {**witness.written, "Header": {**header, **api}}
    try:
        wire = witness.writer.write(written)
        sent = replace(witness, wire=wire, written=written, read=witness.reader.read(wire))
    except CodecError:
        return witness
    return sent if sent.shows else witness


def _pairs(old: DefinitionSet, new: DefinitionSet, change: Change) -> Iterator[tuple[MessageSchema, MessageSchema]]:
    definition = old.definitions[change.message]
    if len(old.definitions) == len(new.definitions) == 1:
        new = DefinitionSet({change.message: next(iter(new.definitions.values()))})
    for version in definition.valid_versions:
        if other := counterpart(definition, version, old, new):
            if change.rule != OF_HEADER:
                yield resolve(definition, version), other
            elif (before := framed(definition, version, old)) and (after := framed(_named(new, other), version, new)):
                yield before, after


def _named(members: DefinitionSet, schema: MessageSchema) -> Definition:
    return next(each for each in members.definitions.values() if each.name == schema.message)


def witness_as_json(witness: Witness | None) -> dict[str, Any] | None:
    """Return a witness for a program."""
    if witness is None:
        return None
    writer, reader = witness.writer, witness.reader
    return {
        "version": writer.schema.version,
        "writer": writer.name,
        "wire": witness.wire.hex(),
        "written": to_json(writer.schema, witness.written),
        "read": None if witness.read is None else to_json(reader.schema, witness.read),
        "path": witness.path,
        "problem": witness.problem,
    }


def witness_lines(change: Change, witness: Witness | None) -> Iterator[Text]:
    """Yield the lines about the witness of a change."""
    if witness is None:
        yield Text(f"    no witness: {WITHOUT.get(change.rule, 'no bytes were found that show it')}", "dim")
        return
    writer, reader = witness.writer, witness.reader
    yield Text(f"    {writer.name} writes v{writer.schema.version}: {_cut(witness.wire.hex(' ')) or 'no bytes'}", "dim")
    yield Text(f"      {writer.name} means {_value_text(writer.schema, witness.written)}", "dim")
    if witness.read is not None:
        yield Text(f"      {reader.name} reads {_value_text(reader.schema, witness.read)}", "dim")
    yield Text(f"      {reader.name} {witness.problem}", "dim")


def _value_text(schema: MessageSchema, value: Any) -> str:
    return _cut(json.dumps(to_json(schema, value)))


def _cut(text: str) -> str:
    return text if len(text) <= MAXIMUM_TEXT else f"{text[:MAXIMUM_TEXT]}... ({len(text)} characters)"
