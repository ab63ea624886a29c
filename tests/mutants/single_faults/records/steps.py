"""The steps of a codec of records done in another way, and the codec as an adapter."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from tests.mutants.kit.rows import rows_of
from tests.mutants.single_faults.fault import Fault
from tests.mutants.ways.named import ways_at
from tests.second_codec.records import read_field, write_field
from tests.second_codec.steps import Input, Output
from tests.second_codec.ways import SOUND, NotTaken

READ, WRITE, DAMAGE = "read", "write", "damage"
SIDES = {READ: "decode", WRITE: "encode"}
Value = dict[str, Any]


FAMILY = "records"
SOUND_STEP = Fault(FAMILY, "")


@cache
def steps() -> dict[str, Fault]:
    """Return every fault and legal variant, by its name."""
    plain = [
        Fault(FAMILY, f"{kind}/{side}/{place}/{name}", side, kind == "legal", place, way)
        for (kind, side), table in tables().items()
        for place, ways in table.items()
        for name, way in ways.items()
        if kind != DAMAGE
    ]
    return {step.name: step for step in (*plain, *_in_contexts())}


def _in_contexts() -> Iterator[Fault]:
    for row in rows_of(__file__, "contexts.tsv"):
        side, place, name = row["side"], row["place"], row["name"]
        way = tables()[row["kind"], side][place][name]
        for context in row["contexts"].split():
            yield Fault(FAMILY, f"contexts/{side}/{place}/{name}/{context}", side, False, place, way, context)  # noqa: FBT003


Table = dict[str, dict[str, Any]]
"""Ways by place and name."""


@cache
def tables() -> Mapping[tuple[str, str], Table]:
    """Return the tables of faults, of legal variants and of damages, by kind and side."""
    found: dict[tuple[str, str], Table] = {}
    for row in rows_of(__file__, "places.tsv"):
        table = found.setdefault((row["kind"], row["side"]), {})
        for place in row["places"].split():
            ways = ways_at(row["ways"], place, SIDES[row["side"]])
            table.setdefault(place, {}).update({row["prefix"] + name: way for name, way in ways.items()})
    return found


def decode(data: bytes, step: Fault = SOUND_STEP) -> Value:
    """Return the value of a field.

    Raises:
        NotTaken: the bytes are invalid.
    """
    return read_field(Input(data, step.misstep if step.side == READ else SOUND))


def encode(value: Value, step: Fault = SOUND_STEP) -> bytes:
    """Return the bytes of a field.

    Raises:
        NotTaken: no writer may write the value.
    """
    return write_field(Output(step.misstep if step.side == WRITE else SOUND), value)


def faulty_codec(step: Fault = SOUND_STEP) -> PythonCodec:
    """Return the codec for the suite, with the step done otherwise on its side or on both."""
    return PythonCodec(
        LoadedAdapter(
            spec="",
            name=step.name or "sound",
            version="0",
            supported={"encode": {}, "decode": {}},
            encode_records=(lambda value: encode(value, step)) if step.side != READ else None,
            decode_records=(lambda data: decode(data, step)) if step.side != WRITE else None,
            rejections=(NotTaken,),
        )
    )
