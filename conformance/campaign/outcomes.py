"""The outcomes of a campaign as Parquet: a file for each task, a row for each outcome.

Files are in folders by implementation, as readers of datasets know them: the folder names it, and no column.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pyarrow as pa
from pyarrow import parquet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyarrow import Table

    from conformance.campaign.rows import Row

COLUMNS = pa.schema(
    [
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
"""The columns of `Row`, in its order, but for the implementation."""


class OutcomesFile:
    """The content of a file, which grows by the outcomes of one part after the other."""

    def __init__(self) -> None:
        self._buffer = io.BytesIO()
        self._writer = parquet.ParquetWriter(self._buffer, COLUMNS, compression="zstd")

    def add(self, rows: Iterable[Row]) -> None:
        """Add outcomes."""
        found = [row._asdict() for row in rows]
        if found:
            self._writer.write_table(pa.Table.from_pylist(found, schema=COLUMNS))

    def content(self) -> bytes:
        """Return it, when all are added."""
        self._writer.close()
        return self._buffer.getvalue()


def read_outcomes(content: bytes, implementation: str, columns: Sequence[str] | None) -> Table:
    """Return the outcomes in a file of an implementation, which is a column here."""
    found = parquet.read_table(pa.BufferReader(content), columns=columns and [*columns])
    return found.add_column(0, "implementation", pa.repeat(pa.scalar(implementation, pa.string()), found.num_rows))
