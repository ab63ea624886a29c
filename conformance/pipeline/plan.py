"""What a corpus is made from, and how the work is cut: both follow from the parameters alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from conformance.__about__ import __version__
from reference import FieldSchema, MessageSchema, load_release

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

T = TypeVar("T")

FOLDER = "parts"

BLOCK_ROWS = 2_000
"""A block is what one hash is over: rows of one message and version, so many at most."""

PART_COST = 250_000
"""Of one part, about: ten thousand rows, a second of one core."""

ROW_COST = 12
"""What each row costs beside its fields, in fields."""


@dataclass(frozen=True)
class Parameters:
    """All that the rows of a corpus depend on."""

    release: str
    rows: int
    """In all; every (message, version) has its share, the first ones one more if it cannot be equal."""
    seed: str
    suite_version: str = __version__

    def as_json(self) -> dict[str, Any]:
        """As the manifest has them."""
        return asdict(self)


class Block(NamedTuple):
    """Rows `first` to `first + rows - 1` of a message at one version."""

    message: str
    version: int
    first: int
    rows: int


@lru_cache(maxsize=4)
def parts(parameters: Parameters) -> tuple[tuple[Block, ...], ...]:
    """The blocks of a corpus, by message, version and place, in parts of about equal cost."""
    schemas = list(load_release(parameters.release).schemas())
    share, more = divmod(parameters.rows, len(schemas))
    blocks, costs = [], []
    for number, schema in enumerate(schemas):
        rows, cost = share + (number < more), ROW_COST + width(schema)
        for first in range(0, rows, BLOCK_ROWS):
            block = Block(schema.message, schema.version, first, min(BLOCK_ROWS, rows - first))
            blocks.append(block)
            costs.append(block.rows * cost)
    return cut(blocks, costs, -(-sum(costs) // PART_COST))


def part_path(folder: Path, number: int) -> Path:
    """The file of a part in the folder of a corpus; its record has the suffix `.json`."""
    return folder / FOLDER / f"part-{number:06}.parquet"


def width(schema: MessageSchema) -> int:
    """How many fields a message has, those of its structs included."""
    return _fields(schema.body)


def _fields(field: FieldSchema) -> int:
    return 1 + sum(_fields(each) for each in field.fields) + (_fields(field.element) if field.element else 0)


def cut(items: Sequence[T], costs: Sequence[int], count: int) -> tuple[tuple[T, ...], ...]:
    """`items`, in order, in at most `count` pieces of about equal cost; none is empty."""
    whole = sum(costs)
    pieces: dict[int, list[T]] = {}
    for item, cost, end in zip(items, costs, accumulate(costs), strict=True):
        pieces.setdefault((2 * end - cost) * count // (2 * whole), []).append(item)
    return tuple(tuple(piece) for piece in pieces.values())
