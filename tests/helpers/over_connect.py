"""Print the results of work over Spark Connect as JSON, from a process without another session.

    SPARK_REMOTE="local[2]" python -m tests.helpers.over_connect FOLDER

SPARK_TESTING lets PySpark choose a free port, as another server may have the usual one.
"""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from conformance.campaign.spark.corpus import build
from conformance.campaign.spark.engines import run_on_spark
from conformance.campaign.spark.spark_session import is_connect, spark_session
from conformance.campaign.spark.storage import Storage
from pyspark.sql import SparkSession

from conformance.commands.main import main
from tests.helpers.corpus import TINY
from tests.helpers.releases import NEWEST

ANSWERS = "answers.json"
PROPOSAL = "kip-893"
"""The definitions with the fewest vectors."""

CAMPAIGN = ("--impl", "tests.fakes.faulty_codecs:Honest", "--release", NEWEST, "--generate", "300")
MESSAGES = "HeartbeatResponse-v0,ApiVersionsRequest-v3"


def answers(session: SparkSession, folder: Path) -> dict[str, Any]:
    """Do all work of this project on Spark, in folders of its own, and return the results."""
    corpus = build(TINY, Storage(str(folder / "corpus")), partial(run_on_spark, session))
    words = (*CAMPAIGN, "--messages", MESSAGES, "--output", str(folder / "campaign"))
    main(["campaign", "run", *words], standalone_mode=False)
    main(["vectors", "build", "--release", PROPOSAL, "--output", str(folder / "vectors")], standalone_mode=False)
    return {"is connect": is_connect(session), "corpus": corpus["sha256"], "rows afterwards": session.range(3).count()}


if __name__ == "__main__":
    place = Path(sys.argv[1])
    with spark_session() as started:
        place.joinpath(ANSWERS).write_text(json.dumps(answers(started, place)), encoding="utf-8")
