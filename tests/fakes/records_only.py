"""Codecs of records alone, correct ones and others with one mistake each.

One of the correct ones hides a field and declares it.
"""

from typing import Any

import reference


class Records:
    """The reference's records."""

    name = "records only"
    rejections = (reference.Malformed, reference.Unencodable)

    def encode_records(self, value: dict[str, Any]) -> bytes:
        return reference.encode_records(value)

    def decode_records(self, data: bytes) -> dict[str, Any]:
        return reference.decode_records(data)


class DropsSequences(Records):
    """Does not read the base sequence."""

    def decode_records(self, data: bytes) -> dict[str, Any]:
        value = super().decode_records(data)
        for batch in value["batches"]:
            batch.pop("baseSequence", None)  # messages of magic 0 and 1 have none
        return value


class HidesSequences(DropsSequences):
    """Declares that it does not show the base sequence."""

    records = {"hidden": ["baseSequence"]}  # noqa: RUF012  # as in an adapter


class WritesEpochZero(Records):
    """Writes the same epoch of a leader for all batches."""

    def encode_records(self, value: dict[str, Any]) -> bytes:
        batches = [batch | {"partitionLeaderEpoch": 0} for batch in value["batches"]]
        return super().encode_records({**value, "batches": batches})


class RefusesAll(Records):
    """Refuses every field."""

    def decode_records(self, data: bytes) -> dict[str, Any]:  # as in the contract
        raise reference.Malformed("batch.crc", None, 0, "", "no batch at all")
