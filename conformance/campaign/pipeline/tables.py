"""The tables of the pipeline in Arrow's form."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pyarrow as pa

from conformance.campaign.pipeline.engines import PIECE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.campaign.pipeline.engines import Columns, Row

TYPES = {
    "string": pa.string(),
    "binary": pa.binary(),
    "smallint": pa.int16(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "float": pa.float32(),
    "array<string>": pa.list_(pa.string()),
}
"""Arrow's types by Spark's names."""


def schema_of(columns: Columns) -> pa.Schema:
    """Return columns in Arrow's form."""
    return pa.schema([pa.field(name, TYPES[kind]) for name, kind in columns.items()])


def ddl_of(columns: Columns) -> str:
    """Return columns in the form of Spark's DDL."""
    return ", ".join(f"`{name}` {kind}" for name, kind in columns.items())


def pieces_of(rows: Iterable[Row], columns: Columns) -> Iterator[pa.RecordBatch]:
    """Yield rows as pieces of a table; a column that a row lacks is null there."""
    waiting, schema = iter(rows), schema_of(columns)
    while piece := list(islice(waiting, PIECE)):
        yield pa.RecordBatch.from_pylist(piece, schema=schema)


def rows_of(pieces: Iterable[pa.RecordBatch]) -> Iterator[Row]:
    """Yield the rows of pieces of a table."""
    for piece in pieces:
        yield from piece.to_pylist()
