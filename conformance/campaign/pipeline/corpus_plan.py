"""The plan of a corpus, its parameters and the division of the work.

The division depends on the parameters only.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from conformance import __version__
from reference import FieldSchema, load_release

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference import MessageSchema

T = TypeVar("T")

BLOCK_ROWS = 2_000
"""The most rows of a block. The rows of a block have one message version, and one hash."""

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
        facts = asdict(self)
        return facts if self.definitions else {name: facts[name] for name in facts if name != "definitions"}


class Block(NamedTuple):
    """Rows `first` to `first + rows - 1` of a message version."""

    message: str
    version: int
    first: int
    rows: int


@lru_cache(maxsize=4)
def parts(parameters: CorpusPlan) -> tuple[tuple[Block, ...], ...]:
    """Return the blocks of a corpus in parts of about equal cost.

    They are ordered by message, version and first row.
    """
    blocks, costs = [], []
    for schema, first, rows in shares(list(load_release(parameters.release).schemas()), parameters.rows):
        blocks.append(Block(schema.message, schema.version, first, rows))
        costs.append(rows * (ROW_COST + width(schema.body)))
    return cut(blocks, costs, -(-sum(costs) // PART_COST))


def shares(schemas: Sequence[MessageSchema], total: int) -> Iterator[tuple[MessageSchema, int, int]]:
    """Yield the schema, the first row and the number of rows of each block.

    All schemas have an equal share of the rows.
    """
    share, more = divmod(total, len(schemas))
    for number, schema in enumerate(schemas):
        rows = share + (number < more)
        for first in range(0, rows, BLOCK_ROWS):
            yield schema, first, min(BLOCK_ROWS, rows - first)


def width(field: FieldSchema) -> int:
    """Return the number of fields in a field, including itself.

    Fields of structs count too. The field may be a message's body.
    """
    return 1 + sum(map(width, field.fields)) + (width(field.element) if field.element else 0)


def cut(items: Sequence[T], costs: Sequence[int], count: int) -> tuple[tuple[T, ...], ...]:
    """Cut `items`, in order, into at most `count` pieces of about equal cost.

    No piece is empty.
    """
    whole = sum(costs)
    pieces: dict[int, list[T]] = {}
    for item, cost, end in zip(items, costs, accumulate(costs), strict=True):
        pieces.setdefault((2 * end - cost) * count // (2 * whole), []).append(item)
    return tuple(tuple(piece) for piece in pieces.values())
