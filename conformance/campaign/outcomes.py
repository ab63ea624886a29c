"""The outcomes of a campaign as Parquet: a file for each part, a row for each outcome."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pyarrow as pa
from pyarrow import parquet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.campaign.rows import Row

COLUMNS = pa.schema(
    [
        pa.field("implementation", pa.string(), nullable=False),
        pa.field("id", pa.string(), nullable=False),
        pa.field("message", pa.string(), nullable=False),
        pa.field("version", pa.int16(), nullable=False),
        pa.field("direction", pa.string(), nullable=False),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("rule", pa.string()),
        pa.field("place", pa.string()),
        pa.field("result", pa.string()),
        pa.field("reason", pa.string()),
        pa.field("open", pa.string()),
        pa.field("reading", pa.string()),
        pa.field("said", pa.string()),
        pa.field("milliseconds", pa.float32(), nullable=False),
        pa.field("bytes", pa.int64()),
    ]
)
"""The columns of `Row`, in its order."""


def as_parquet(rows: Iterable[Row]) -> bytes:
    """Return the content of a file with these outcomes."""
    buffer = io.BytesIO()
    table = pa.Table.from_pylist([row._asdict() for row in rows], schema=COLUMNS)
    parquet.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()
