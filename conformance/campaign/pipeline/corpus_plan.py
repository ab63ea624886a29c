"""The plan of a corpus, its parameters and the division of the work, which follows from them alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeVar

from conformance import __version__
from reference import FieldSchema, load_release

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.campaign.pipeline.engines import Row
    from reference import MessageSchema

T = TypeVar("T")

BLOCK_ROWS = 2_000
"""The most rows of a block, all of one message version."""

PART_COST = 250_000
"""The approximate cost of one part: ten thousand rows, one second of one core."""

ROW_COST = 12
"""The cost of a row besides its fields, in fields."""


@dataclass(frozen=True)
class CorpusPlan:
    """All facts that determine the rows of a corpus."""

    release: str
    rows: int
    """The number of all rows. Message versions have equal shares; the first ones have one more for a remainder."""
    seed: str
    suite_version: str = __version__
    definitions: str = ""
    """A hash of the definitions, if they come from a folder: `Release.digest`."""

    def as_json(self) -> dict[str, Any]:
        """Return the parameters as they are in the manifest."""
        return {name: value for name, value in asdict(self).items() if value or name != "definitions"}


@lru_cache(maxsize=4)
def parts(parameters: CorpusPlan) -> tuple[tuple[Row, ...], ...]:
    """Return the blocks of a corpus, by message, version and first row, in parts of about equal cost."""
    blocks: list[Row] = []
    costs = []
    for schema, first, rows in shares(list(load_release(parameters.release).schemas()), parameters.rows):
        pair = {"message": schema.message, "version": schema.version}
        blocks.append({"block": len(blocks), **pair, "first": first, "rows": rows})
        costs.append(rows * (ROW_COST + width(schema.body)))
    return cut(blocks, costs, -(-sum(costs) // PART_COST))


def shares(schemas: Sequence[MessageSchema], total: int) -> Iterator[tuple[MessageSchema, int, int]]:
    """Yield schema, first row and number of rows of each block, with an equal share of the rows for each schema."""
    share, more = divmod(total, len(schemas))
    for number, schema in enumerate(schemas):
        rows = share + (number < more)
        for first in range(0, rows, BLOCK_ROWS):
            yield schema, first, min(BLOCK_ROWS, rows - first)


def width(field: FieldSchema) -> int:
    """Return the number of fields in a field or a message's body, including itself and fields of structs."""
    return 1 + sum(map(width, field.fields)) + (width(field.element) if field.element else 0)


def cut(items: Sequence[T], costs: Sequence[int], count: int) -> tuple[tuple[T, ...], ...]:
    """Cut items, in order, into at most `count` pieces of about equal cost, none of them empty."""
    whole = sum(costs)
    pieces: dict[int, list[T]] = {}
    for item, cost, end in zip(items, costs, accumulate(costs), strict=True):
        pieces.setdefault((2 * end - cost) * count // (2 * whole), []).append(item)
    return tuple(map(tuple, pieces.values()))
