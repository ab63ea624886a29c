"""Properties of every field, read unchanged and with each byte explained."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reference import (
    Result,
    decode_records,
    encode_records,
    judge_records,
    records_from_json,
    records_layers,
    records_to_json,
)
from reference.records.reading import Reading, default_limit
from reference.records.records_field import read_field
from reference.wire.stream import LenientReader
from tests.reference.records.strategies import fields


@given(fields)
def test_field_is_read_as_it_was_written(value: dict[str, Any]) -> None:
    """This holds for the strict reader and for the oracle, with the written bytes as its canonical ones."""
    data = encode_records(value)
    verdict = judge_records(data)
    assert decode_records(data) == value
    assert (verdict.result, verdict.value, verdict.canonical) == (Result.VALID, value, data)


@given(fields)
def test_json_form_leads_back(value: dict[str, Any]) -> None:
    assert records_from_json(records_to_json(value)) == value


@given(fields)
def test_every_byte_of_every_layer_is_explained_once(value: dict[str, Any]) -> None:
    for layer in records_layers(encode_records(value)):
        spans = layer.spans
        assert [first.end for first in spans][:-1] == [second.start for second in spans][1:]
        assert not spans or (spans[0].start, spans[-1].end) == (0, len(layer.wire))
        assert bool(spans) == bool(layer.wire)


@given(fields)
def test_layers_are_the_field_and_its_compressed_streams(value: dict[str, Any]) -> None:
    streams = [held for held in value["batches"] if held["compression"] != "none"]
    assert len(records_layers(encode_records(value))) == 1 + len(streams)


@given(st.data(), fields)
def test_tracing_reader_and_fast_reader_read_the_same(data: st.DataObject, value: dict[str, Any]) -> None:
    """This holds for damaged bytes too, as the fast path leaves unusual ones to the rules."""
    wire = bytearray(encode_records(value))
    if wire:
        wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.integers(0, 255))
    readings = [outcome(bytes(wire), trace=trace) for trace in (False, True)]
    assert readings[0] == readings[1]


def outcome(wire: bytes, *, trace: bool) -> tuple[str, object]:
    reader = LenientReader(wire, trace=trace)
    try:
        value: object = read_field(Reading(reader, default_limit(wire), check_crc=False))
    except Exception as error:  # noqa: BLE001  # of any class: both readers raise the same
        value = repr(error)
    return repr(reader.deviations), value
