"""The speed of codecs of record batches on the same batches and in one run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.benchmark.codecs import best_of
from conformance.generate.records.building import batch, record
from reference import decode_records, encode_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.implementation.driver import Implementation

CODECS = ("none", "lz4")
RECORDS, SIZE = 100, 100
"""Records in a batch, and bytes in the value of each."""
BATCHES = 20


class Row(NamedTuple):
    """What one codec does with batches of one compression, in batches per second."""

    name: str
    compression: str
    encodes: float
    decodes: float


def records_speeds(implementation: Implementation) -> Iterator[Row]:
    """Measure the reference and an implementation, the latter through its adapter, on batches that both can write.

    Yields one row for each of them and each compression.
    """
    adapter = implementation.adapter
    assert adapter.encode_records is not None  # noqa: S101  # see `kafka-conformance bench records`
    assert adapter.decode_records is not None  # noqa: S101
    for compression in CODECS:
        yield _row("reference", compression, encode_records, decode_records)
        yield _row(implementation.name, compression, adapter.encode_records, adapter.decode_records)


def _row(name: str, compression: str, encode: Callable[[dict[str, Any]], bytes], decode: Callable[[bytes], Any]) -> Row:
    values = [_field(number, compression) for number in range(BATCHES)]
    wires = [encode_records(value) for value in values]
    return Row(name, compression, best_of(values, encode), best_of(wires, decode))


def _field(number: int, compression: str) -> dict[str, Any]:
    """Return a field of one batch; values compress by about half."""
    value = bytes((number + index * index) % 251 for index in range(SIZE // 2)) + bytes(SIZE // 2)
    held = [record(offset, key=b"key", value=value) for offset in range(RECORDS)]
    return {"batches": [batch(*held, compression=compression)], "partial": b""}
