"""The outcomes of a campaign as Parquet files.

There is a file for each task, and a row for each outcome. The files are in a folder for each implementation, as readers
of datasets expect. The folder names the implementation, and no column does.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pyarrow as pa
from pyarrow import parquet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyarrow import Table

    from conformance.campaign.outcome_rows import Row

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
        pa.field("error", pa.string()),
        pa.field("milliseconds", pa.float32(), nullable=False),
        pa.field("bytes", pa.int64()),
    ]
)
"""The columns of `Row`, in its order, without the implementation."""


ROW_GROUP = 1 << 17
"""The number of outcomes to write together. Smaller groups compress less and are slower to read."""


class OutcomesFile:
    """The content of a file of outcomes, extended part by part."""

    def __init__(self) -> None:
        self._buffer = io.BytesIO()
        self._writer = parquet.ParquetWriter(self._buffer, COLUMNS, compression="zstd")
        self._waiting = list[pa.Table]()

    def add(self, rows: Iterable[Row]) -> None:
        """Add outcomes."""
        self._add(pa.Table.from_pylist([row._asdict() for row in rows], schema=COLUMNS))

    def add_file(self, content: bytes) -> None:
        """Add the outcomes of another file."""
        for batch in parquet.ParquetFile(pa.BufferReader(content)).iter_batches(ROW_GROUP):
            self._add(pa.Table.from_batches([batch]))

    def content(self) -> bytes:
        """Return the content after all outcomes were added."""
        self._write()
        self._writer.close()
        return self._buffer.getvalue()

    def _add(self, table: pa.Table) -> None:
        self._waiting.append(table)
        if sum(each.num_rows for each in self._waiting) >= ROW_GROUP:
            self._write()

    def _write(self) -> None:
        whole = pa.concat_tables(self._waiting) if self._waiting else COLUMNS.empty_table()
        self._waiting.clear()
        if whole.num_rows:
            self._writer.write_table(whole, row_group_size=ROW_GROUP)


def read_outcomes(content: bytes, implementation: str, columns: Sequence[str] | None) -> Table:
    """Return the outcomes in an implementation's file.

    The implementation becomes the first column.
    """
    found = parquet.read_table(pa.BufferReader(content), columns=columns and [*columns])
    return found.add_column(0, "implementation", pa.repeat(pa.scalar(implementation, pa.string()), found.num_rows))
