"""Engines of the pipeline for tests."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from conformance.campaign.pipeline.engines import PART, Row, Work
from conformance.campaign.pipeline.processes import ProcessEngine


class HereEngine(ProcessEngine):
    """The engine of processes, with all parts in this process."""

    def __init__(self) -> None:
        super().__init__(1)

    def rows(self, plan: Iterable[Row], work: Work) -> Iterator[list[Row]]:
        for _, blocks in groupby(plan, key=itemgetter(PART)):
            yield list(work.kernel(list(blocks)))


HERE = HereEngine()
