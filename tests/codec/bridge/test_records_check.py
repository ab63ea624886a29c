"""The check of `records` fields, on the replies of the reference with one mistake each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.codec.bridge.form_probes import Probe
from conformance.codec.bridge.loading import load_codec
from conformance.codec.bridge.records_check import FIELD, SMALLEST, records_diagnostics, records_probes
from conformance.codec.bridge.reply_check import answers_to
from conformance.codec.bridge.request_server import RequestServer
from conformance.codec.bridge.transcript import Diagnostic, line
from conformance.generate.record_building import changed, sealed_message
from conformance.targets import DECODE, ENCODE, EVERYTHING, Claims, RecordsField
from conformance.targets.record_claims import RecordsClaims
from reference import encode_records, load_release, records_to_json
from tests.codec.bridge.diagnostic_text import text_of
from tests.helpers.releases import BASE

Reply = dict[str, Any]
Change = Callable[[Probe, Reply], Reply]

FUNCTIONS = {DECODE: "decode_records", ENCODE: "encode_records"}
RELEASE = load_release(BASE)
HANDLER = RequestServer(load_codec("tests.fakes.records_only:Records", RELEASE), RELEASE)


def claims_of(*ways: str, **claims: Any) -> Claims:
    functions = frozenset(FUNCTIONS[way] for way in ways or FUNCTIONS)
    return replace(EVERYTHING, functions=functions, records=RecordsClaims.of(claims))


def answered(probe: Probe) -> Reply:
    reply = HANDLER.reply(line(0, probe.request).text)
    return {name: item for name, item in reply.items() if name != "id"}


def found(change: Change = lambda _, reply: reply, **claims: Any) -> list[Diagnostic]:
    claimed = claims_of(**claims)
    probes = records_probes(claimed)
    replies = [change(probe, answered(probe)) for probe in probes]
    return list(records_diagnostics(claimed, answers_to(probes, replies)))


def of_batch(change: Callable[[dict[str, Any]], None]) -> Change:
    """Change each shown batch or message."""

    def on_reply(_: Probe, reply: Reply) -> Reply:
        for one in reply.get("value", {}).get("batches", ()):
            change(one)
        return reply

    return on_reply


def in_place(one: dict[str, Any]) -> None:
    one["unusedAttributes"] <<= {0: 3, 1: 4, 2: 7}[one["magic"]]


def unsigned(one: dict[str, Any]) -> None:
    for record in one.get("records", ()):
        record["attributes"] &= 0xFF


def as_numbers(one: dict[str, Any]) -> None:
    one.update({name: int(one[name]) for name in ("baseOffset", "offset") if name in one})


def without_sequence(one: dict[str, Any]) -> None:
    one.pop("baseSequence", None)


def lowest_bits(probe: Probe, reply: Reply) -> Reply:
    """Write the number of unused attributes as if it were the attributes."""
    [one] = probe.content["batches"]
    if probe.wire is None or "wire" not in reply or not one["unusedAttributes"]:
        return reply
    wire, number = bytes.fromhex(reply["wire"]), one["unusedAttributes"]
    if one["magic"] == 2:
        return {**reply, "wire": changed(wire, "attributes", number).hex()}
    return {**reply, "wire": sealed_message(wire[:17] + bytes([number]) + wire[18:]).hex()}


def writes(name: str) -> Change:
    """Write the smallest batch in place of a value to be refused."""
    written = {"outcome": "bytes", "wire": encode_records(FIELD).hex()}
    return lambda probe, reply: written if probe.what == f"a value to be refused, {name}" else reply


def fails_on(name: str) -> Change:
    failure = {"outcome": "harness-error", "text": "KeyError: brotli"}
    return lambda probe, reply: failure if probe.what.endswith(name) else reply


MISTAKES: dict[str, Change] = {
    "unused-in-place": of_batch(in_place),
    "unused-in-the-lowest-bits": lowest_bits,
    "attributes-without-sign": of_batch(unsigned),
    "int64-as-number": of_batch(as_numbers),
    "a-member-left-out": of_batch(without_sequence),
    "partial-dropped": writes("incomplete-batch"),
    "unknown-codec-as-none": writes("codec-unknown"),
    "unknown-time-as-create": writes("timestamp-type-unknown"),
    "unknown-codec-in-own-code": fails_on("codec-unknown"),
    "null-in-own-code": fails_on("baseOffset-null"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_of_the_harness_is_told(mistake: str, snapshot: SnapshotAssertion) -> None:
    assert text_of(each for each in found(MISTAKES[mistake]) if not each.is_note) == snapshot


def test_a_sound_harness_has_no_diagnostic() -> None:
    assert found() == []


NOTES: dict[str, Change] = {
    "null-as-zero": writes("baseOffset-null"),
    "refuses": lambda probe, reply: (
        {"outcome": "rejected", "class": "E", "text": "no"} if probe.wire is not None else reply
    ),
    "int64-beyond-its-range": of_batch(lambda one: one.update(baseOffset="9" * 30)),
    "flag-lost": of_batch(lambda one: one.update(control=False)),
}


@pytest.mark.parametrize("deed", NOTES)
def test_a_deed_of_the_implementation_is_a_note(deed: str, snapshot: SnapshotAssertion) -> None:
    diagnostics = found(NOTES[deed])
    assert text_of(diagnostics) == snapshot
    assert [each for each in diagnostics if not each.is_note] == []


def test_an_implementation_without_a_place_for_a_value_is_sound() -> None:
    answer = {"outcome": "unrepresentable", "text": "no null"}
    assert found(lambda probe, reply: reply if probe.wire is not None else answer) == []


def asked(**claims: Any) -> list[str]:
    return [str(probe) for probe in records_probes(claims_of(**claims))]


@pytest.mark.parametrize("way", FUNCTIONS)
@pytest.mark.parametrize("magic", [0, 1, 2])
def test_each_magic_is_asked_with_each_attribute(way: str, magic: int) -> None:
    probes = records_probes(claims_of(way))
    batches = [probe.content["batches"][0] for probe in probes if probe.wire is not None]
    ours = [one for one in batches if one["magic"] == magic]
    codecs = {"none", "gzip", "snappy", "lz4"} | ({"zstd"} if magic == 2 else set())
    assert {one["compression"] for one in ours} == codecs
    assert {one.get("timestampType") for one in ours} == ({None} if magic == 0 else {"create", "log-append"})
    assert max(one["unusedAttributes"] for one in ours) == {0: 31, 1: 15, 2: 511}[magic]
    assert all(
        any(one.get(flag) for one in ours) == (magic == 2) for flag in ("transactional", "control", "deleteHorizon")
    )


@pytest.mark.parametrize(
    ("claims", "lacking"),
    [
        ({"codecs": ["none"]}, "gzip"),
        ({"legacy-message-sets": "no"}, "magic 0"),
        ({"reader": "broker"}, "decode-records of a message"),
    ],
)
def test_an_undeclared_part_is_not_asked(claims: dict[str, Any], lacking: str) -> None:
    assert [each for each in asked(**claims) if lacking in each] == []
    assert [each for each in asked() if lacking in each]


def test_readers_alone_of_message_sets_write_none() -> None:
    texts = asked(**{"legacy-message-sets": "read"})
    assert {each.partition(" ")[0] for each in texts if "magic 0" in each} == {"decode-records"}


WIRE = encode_records(FIELD).hex()
OTHER_EPOCH = f"{WIRE[:24]}00000000{WIRE[32:]}"


def problem(wire: str, **claims: Any) -> str | None:
    probe = Probe(ENCODE, RecordsField(), SMALLEST, FIELD, bytes.fromhex(WIRE))
    answers = answers_to([probe], [{"outcome": "bytes", "wire": wire}])
    diagnostics = list(records_diagnostics(claims_of(**claims), answers))
    return diagnostics[0].problem if diagnostics else None


def test_a_writer_with_a_leader_epoch_of_its_own_is_not_at_fault() -> None:
    assert problem(OTHER_EPOCH, **{"leader-epoch": "own"}) is None


def test_a_writer_with_an_argument_for_the_leader_epoch_writes_it() -> None:
    shown = problem(OTHER_EPOCH)
    assert shown is not None
    assert shown.endswith(f" {WIRE}, not {OTHER_EPOCH}")


@pytest.mark.parametrize("wire", [WIRE[:-2], OTHER_EPOCH[:-2], WIRE.replace("02", "03", 1), ""])
def test_other_bytes_are_a_fault_whatever_the_leader_epoch(wire: str) -> None:
    assert problem(wire, **{"leader-epoch": "own"}) is not None


def test_a_batch_in_another_compressor_is_sound() -> None:
    """Each compressor has bytes of its own."""
    value = records_to_json(FIELD)
    assert value["batches"][0]["compression"] == "none"
    compressed = next(each for each in records_probes(claims_of(DECODE)) if "in gzip" in str(each))
    probe = replace(compressed, way=ENCODE)
    reply = {"outcome": "bytes", "wire": probe.hex}
    assert list(records_diagnostics(claims_of(), answers_to([probe], [reply]))) == []
