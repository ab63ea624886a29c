"""Codecs of records alone, correct ones and others with one mistake each.

One of the correct ones hides a field and declares it.
"""

from typing import Any, NoReturn

import reference
from tests.fakes.lies import lie


class Records:
    """The reference's records."""

    name = "records only"
    rejections = (reference.Malformed, reference.Unencodable)
    encode_records = staticmethod(reference.encode_records)
    decode_records = staticmethod(reference.decode_records)


def _dropped(data: bytes) -> dict[str, Any]:
    value = reference.decode_records(data)
    for batch in value["batches"]:
        batch.pop("baseSequence", None)  # messages of magic 0 and 1 have none
    return value


def _zeroed(value: dict[str, Any]) -> bytes:
    """Write the same epoch of a leader for all batches."""
    batches = [batch | {"partitionLeaderEpoch": 0} for batch in value["batches"]]
    return reference.encode_records({**value, "batches": batches})


def _refuse(_data: bytes) -> NoReturn:
    raise reference.Malformed("batch.crc", None, 0, "", "no batch at all")


DropsSequences = lie(Records, decode_records=_dropped)
HidesSequences = lie(DropsSequences, records={"hidden": ["baseSequence"]})
"""Declares that it does not show the base sequence."""
WritesEpochZero = lie(Records, encode_records=_zeroed)
RefusesAll = lie(Records, decode_records=_refuse)
