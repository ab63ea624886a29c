"""The batches of a plan, each written as a whole to a folder of its own.

    batches/batch=0/kind=outcome/implementation=kio/….parquet

The parts of a batch follow from the plan alone. Each part has a row about itself, of kind `part`, with the number of its
other rows, the sum of their hashes, and the hash of the part in the plan. A batch counts if the sums of these rows are
those of the rows that are there. Every other batch is written anew: after an interruption, for example, or the loss of
a file.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.pipeline.engine import PART, Dataset
from conformance.campaign.pipeline.errors import JobFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from conformance.campaign.pipeline.engine import Columns, Engine, Given, Row, Work
    from conformance.campaign.pipeline.places import Place

BATCHES = "batches"
MOST = 500
"""The most parts of a batch. An interrupted batch is run again from its beginning."""

PLAN = "plan"
"""The column of a plan with the hash of the part."""

OF_PART = "part"
"""The kind of the row about a part."""

MODULUS = 1 << 64

FURTHER: Columns = {
    "kind": "string",
    "number": "bigint",
    "rows": "bigint",
    "hash": "bigint",
    "plan": "bigint",
    "problem": "string",
}
"""The columns of every batch. In a row about a part: its number, the count of its other rows, the sum of their hashes,
the hash of the part in the plan, and the reason why it has no rows."""

_SUMS = """
select batch,
       max(problem) as problem,
       sum(case when kind = 'part' then 1 else 0 end) as parts,
       sum(case when kind = 'part' then cast(plan as decimal(20, 0)) end) as plan,
       sum(case when kind = 'part' then rows end) as stated_rows,
       sum(case when kind = 'part' then cast(hash as decimal(20, 0)) end) as stated_hash,
       sum(case when hash is not null and kind <> 'part' then 1 else 0 end) as rows,
       sum(case when kind <> 'part' then cast(hash as decimal(20, 0)) end) as hash
from {batches} group by batch
"""


class PlannedPart(NamedTuple):
    """A part of a plan.

    Attributes:
        hash: a hash of the part and of all that its rows depend on, as a signed number of 64 bits.
        blocks: its blocks, without its number.
    """

    hash: int
    blocks: Sequence[Row]


def signed(digest: bytes) -> int:
    """Return the first eight bytes of a digest as a signed number."""
    return int.from_bytes(digest[:8], "big", signed=True)


def summed(hashes: Iterable[int]) -> int:
    """Return the sum of hashes modulo 2^64, as a signed number."""
    total = sum(hashes) % MODULUS
    return total - MODULUS if total >= MODULUS // 2 else total


class Batches(NamedTuple):
    """A plan in a folder.

    Attributes:
        folder: the folder.
        parts: all parts; part `n` has the number `n`.
        work: the work on them; its columns begin with those of `FURTHER`.
        folders: the columns with folders of their own, besides the batch.
        format: the format of the files.
        given: kept rows for the blocks.
    """

    folder: Place
    parts: Sequence[PlannedPart]
    work: Work
    folders: tuple[str, ...]
    format: str = "parquet"
    given: Given | None = None

    @property
    def dataset(self) -> Dataset:
        """All batches."""
        columns = {"batch": "int", **self.work.columns}
        return Dataset(self.folder.within(BATCHES), columns, ("batch", *self.folders), self.format)

    def write_missing(self, engine: Engine, shown: Callable[[int], object]) -> list[str]:
        """Write the batches that do not count, and return what was wrong with those that were there.

        Args:
            engine: runs the work.
            shown: called with the number of finished parts before each batch.

        Raises:
            JobFailed: the work failed, or a new batch does not count.
        """
        wrong = self.wrong(engine)
        for number, problem in wrong.items():
            shown(number * MOST)
            if problem is not None:
                self._write(engine, number)
                self._require(engine, number)
        return [f"batch {number} {problem}" for number, problem in wrong.items() if problem]

    def _require(self, engine: Engine, number: int) -> None:
        """Check that a new batch counts."""
        problem = self._problem(number, self._sums_of_one(engine, number))
        if problem is not None:
            raise JobFailed(self.work.about, f"batch {number} {problem}", self.work.advice)

    def _write(self, engine: Engine, number: int) -> None:
        plan = [
            {PART: MOST * number + place, PLAN: part.hash, **block}
            for place, part in enumerate(self._of(number))
            for block in part.blocks
        ]
        whole = self.dataset
        target = Dataset(
            whole.place.within(f"batch={number}"), self.work.columns, self.folders, self.format, whole.most
        )
        engine.write(plan, self.work, target, self.given)

    def _of(self, number: int) -> Iterator[PlannedPart]:
        return islice(self.parts, MOST * number, MOST * (number + 1))

    def wrong(self, engine: Engine) -> dict[int, str | None]:
        """Return what is wrong with each batch: None for nothing, and an empty text for one that is missing."""
        count = -(-len(self.parts) // MOST)
        there = {name for name in self.dataset.place.names() if name.startswith("batch=")}
        sums = self._sums(engine, sorted(there)) if there else {}
        return {
            number: self._problem(number, sums.get(number)) if f"batch={number}" in there else ""
            for number in range(count)
        }

    def _sums(self, engine: Engine, there: Sequence[str]) -> dict[int, Row]:
        """Return the sums of batches; one that cannot be read has none."""
        try:
            return {row["batch"]: row for row in engine.query(_SUMS, batches=self.dataset)}
        except JobFailed:
            pass
        numbers = [int(name.partition("=")[2]) for name in there]
        return {number: sums for number in numbers for sums in [self._sums_of_one(engine, number)] if sums}

    def _sums_of_one(self, engine: Engine, number: int) -> Row | None:
        """Return the sums of a batch, or None if it cannot be read."""
        whole = self.dataset
        one = whole._replace(place=whole.place.within(f"batch={number}"), folders=self.folders)
        try:
            return next(
                iter(engine.query(_SUMS.replace("batch", str(number), 1).replace(" group by batch", ""), batches=one))
            )
        except JobFailed:
            return None

    def _problem(self, number: int, sums: Row | None) -> str | None:
        if sums is None or not sums["parts"]:
            return "cannot be read; all machines must share its folder"
        if sums["problem"]:
            return str(sums["problem"])
        own = list(self._of(number))
        if int(sums["parts"]) != len(own) or int(sums["plan"]) != sum(part.hash for part in own):
            return "is not of this plan"
        differ = (int(sums["rows"] or 0) - int(sums["stated_rows"] or 0)) or (
            int(sums["hash"] or 0) - int(sums["stated_hash"] or 0)
        ) % MODULUS
        return "has other rows than its parts had" if differ else None
