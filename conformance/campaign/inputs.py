"""The cases of a campaign's blocks, generated, of a corpus, or the deterministic ones of every run of the suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.campaign.pipeline.corpus_plan import BLOCK_ROWS, shares
from conformance.campaign.pipeline.corpus_rows import made_wire, row_name
from conformance.campaign.pipeline.engines import Dataset, KeptRows
from conformance.campaign.plan import FIXED, KEPT, MADE, MOVED, OTHER, TaskBlock
from conformance.generate.moves import moved_wire

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.campaign.pipeline.corpus import CorpusFacts
    from conformance.campaign.pipeline.storage import Storage
    from reference import MessageSchema


def kept_blocks(facts: CorpusFacts, schemas: Sequence[MessageSchema]) -> Iterator[TaskBlock]:
    """Yield the blocks of a corpus in some messages and versions."""
    chosen = {(schema.message, schema.version) for schema in schemas}
    for (message, version), rows in facts.rows.items():
        for first in range(0, rows if (message, version) in chosen else 0, BLOCK_ROWS):
            yield TaskBlock(KEPT, message, version, first, min(BLOCK_ROWS, rows - first))


def kept_rows(corpus: Storage, release: str) -> KeptRows:
    """Return the rows of a corpus for the blocks of a plan."""
    columns = {"id": "string", "release": "string", "message": "string", "version": "smallint", "wire": "binary"}
    return KeptRows(Dataset(corpus.within("parts"), columns), _JOINED.replace("$release", release))


_JOINED = """
select p.*, g.name, g.wire, g.position from {plan} p left join (
    select message, version, wire, regexp_extract(id, '[^/]+$', 0) as name,
           cast(regexp_extract(id, '[0-9]+$', 0) as bigint) as position
    from {given} where release = '$release'
) g on p.kind = 'kept' and g.message = p.message and g.version = p.version
    and g.position >= p.first and g.position < p.first + p.rows
"""


def made_blocks(schemas: Sequence[MessageSchema], cases: int, kind: str = MADE) -> Iterator[TaskBlock]:
    """Yield the blocks of generated cases, with equal shares for message versions, as in a corpus."""
    for schema, first, rows in shares(schemas, cases) if schemas else ():
        yield TaskBlock(kind, schema.message, schema.version, first, rows)


def fixed_blocks(schemas: Sequence[MessageSchema], others: Sequence[str]) -> Iterator[TaskBlock]:
    """Yield a block of deterministic cases for each message version, wire type and group of record batches."""
    for schema in schemas:
        yield TaskBlock(FIXED, schema.message, schema.version)
    yield from (TaskBlock(OTHER, name, 0) for name in others)


def generated(schema: MessageSchema, block: TaskBlock, seed: str) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each generated case of a block."""
    for index in range(block.first, block.first + block.rows):
        if block.kind == MOVED:
            yield f"{MOVED}-{index}", moved_wire(schema, index, seed)
        else:
            yield row_name(index), made_wire(schema, index, seed)
