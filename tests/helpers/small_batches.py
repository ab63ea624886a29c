"""The command with small parts, and batches of four of them.

    BATCHES=1 python -m tests.helpers.small_batches campaign run --generate 100 ...

BATCHES is the number of batches until this process is killed, if it is set.
"""

import os
import signal
from collections.abc import Sequence

from conformance.campaign import plan
from conformance.campaign.pipeline import batches
from conformance.campaign.pipeline.engines import Row
from conformance.commands.main import main

BATCHES = "BATCHES"
REQUIRE = batches.Batches._require


def counted(own: batches.Batches, number: int, sums: Sequence[Row]) -> None:
    """Check a new batch, and end this process if it is the last one."""
    REQUIRE(own, number, sums)
    if os.environ.get(BATCHES) == str(number + 1):
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    plan.PART_COST, batches.MOST = 300, 4
    batches.Batches._require = counted  # type: ignore[method-assign, assignment]
    main(prog_name="kafka-conformance")
