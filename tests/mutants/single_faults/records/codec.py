"""The codec as an adapter, sound or with one step done in another way."""

from __future__ import annotations

from conformance.codec.driver import Implementation
from conformance.codec.loaded_adapter import LoadedAdapter
from tests.mutants.single_faults.records.changes import Value
from tests.mutants.single_faults.records.reading import read_field
from tests.mutants.single_faults.records.switch import READ, SOUND, WRITE, Refused, Step, Switch
from tests.mutants.single_faults.records.writing import write_field


def decode(data: bytes, step: Step = SOUND) -> Value:
    """Return the value of a field.

    Raises:
        Refused: the bytes are invalid.
    """
    return read_field(data, Switch(step if step.side == READ else SOUND))


def encode(value: Value, step: Step = SOUND) -> bytes:
    """Return the bytes of a field.

    Raises:
        Refused: no writer may write the value.
    """
    return write_field(value, Switch(step if step.side == WRITE else SOUND))


def implementation(step: Step = SOUND) -> Implementation:
    """Return the codec as the suite drives it: the side on which a step is done otherwise, or both."""
    return Implementation(
        LoadedAdapter(
            spec="",
            name=step.name or "sound",
            version="0",
            supported={"encode": {}, "decode": {}},
            encode_records=(lambda value: encode(value, step)) if step.side != READ else None,
            decode_records=(lambda data: decode(data, step)) if step.side != WRITE else None,
            rejections=(Refused,),
        )
    )
