"""The engines of the pipeline, either Spark or processes of this machine.

A plan is a list of blocks, each a row with the number of its part. A kernel is a pure function from blocks, in the
order of the plan, to rows. An engine gives it all blocks of a part together, with others or without. So the rows depend
on the plan alone, and not on the engine, the number of its workers, or their order.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from conformance.campaign.pipeline.storage import Storage

Row = dict[str, Any]
"""Values by column, each a number, a text, bytes, a list of texts, or None."""

Columns = dict[str, str]
"""Spark's types by column, such as `string` and `bigint`."""

PART = "part"

BATCH = "batch"

PIECE = 4_000
"""The most rows of a piece of a table."""

AGAIN = "Run the same command again."
GO_ON = "The same command goes on from the batches that are kept."


def parts_of(blocks: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield the blocks of each part of a plan."""
    return (list(own) for _, own in groupby(blocks, key=itemgetter(PART)))


class Work(NamedTuple):
    """The work on blocks.

    Attributes:
        kernel: makes rows of blocks; it must be picklable.
        columns: the columns of its rows, in order.
        about: a noun for errors and for Spark's UI: `corpus of 4.3.0`.
        advice: the way to continue after a failure.
    """

    kernel: Callable[[Iterable[Row]], Iterator[Row]]
    columns: Columns
    about: str
    advice: str = AGAIN


class Dataset(NamedTuple):
    """Rows in a folder.

    Attributes:
        columns: the columns, those with folders of their own included.
        folders: the columns with folders of their own, the outermost first.
        format: the format of the files, as Spark names it.
        most: the most rows of a file.
    """

    place: Storage
    columns: Columns
    folders: tuple[str, ...] = ()
    format: str = "parquet"
    most: int = 5_000_000

    @property
    def pattern(self) -> str:
        """The files, as a pattern of paths in the folder."""
        return "/".join([*(f"{name}=*" for name in self.folders), "*.parquet"])


class KeptRows(NamedTuple):
    """Kept rows for the blocks of a plan, with a query that joins them, as `{given}`, to the blocks, as `{plan}`."""

    dataset: Dataset
    sql: str


class Engine(Protocol):
    """Runs work, and queries over kept rows."""

    name: str
    """For its user, like `Spark 4.3.0`."""
    formats: Sequence[str]
    """The formats that it reads and writes."""

    def rows(self, plan: Iterable[Row], work: Work) -> Iterator[list[Row]]:
        """Yield the rows of some blocks after each other, in any order. The plan is read as far as work can begin."""

    def write(self, plan: Sequence[Row], work: Work, target: Dataset, given: KeptRows | None = None) -> None:
        """Write the rows of a plan, and replace whatever the target had.

        Raises:
            JobFailed: the work failed; the target may have anything then.
        """

    def query(self, sql: str, **datasets: Dataset) -> list[Row]:
        """Return the rows of a query over datasets, each as `{name}` in the text."""

    def publish(self, sql: str, target: Dataset, **datasets: Dataset) -> None:
        """Write the rows of a query, and replace whatever the target had."""

    def reduced(self, work: Work, sql: str, **datasets: Dataset) -> list[Row]:
        """Return the rows made of those of a query, piece by piece in any order."""

    def done(self) -> int:
        """Return the number of finished parts of the current work."""
