"""Engines of the pipeline for tests."""

from collections.abc import Iterable, Iterator

from conformance.campaign.pipeline.engines import Row, Work, parts_of
from conformance.campaign.pipeline.processes import ProcessEngine


class HereEngine(ProcessEngine):
    """The engine of processes, with all parts in this process."""

    def __init__(self) -> None:
        super().__init__(1)

    def rows(self, plan: Iterable[Row], work: Work) -> Iterator[list[Row]]:
        for blocks in parts_of(plan):
            yield list(work.kernel(blocks))


HERE = HereEngine()
