"""Print the results of work over Spark Connect as JSON, from a process without another session.

    SPARK_REMOTE="local[2]" python -m tests.helpers.over_connect FOLDER

SPARK_TESTING lets PySpark choose a free port, as another server may have the usual one.
"""

import json
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from conformance.campaign.pipeline.session import is_connect, spark_session
from conformance.commands.main import main
from tests.helpers.releases import BASE, NEWEST

ANSWERS = "answers.json"
PROPOSAL = "kip-893"
"""The definitions with the fewest vectors."""

CAMPAIGN = ("--impl", "tests.fakes.faulty_codecs:Honest", "--release", NEWEST, "--generate", "300")
MESSAGES = "HeartbeatResponse-v0,ApiVersionsRequest-v3"


def answers(session: SparkSession, folder: Path) -> dict[str, Any]:
    """Do all work of this project on Spark, in folders of its own, and return facts about the session."""
    campaign = str(folder / "campaign")
    for words in (
        ("corpus", "build", "--total", "300", "--release", BASE, "--output", str(folder / "corpus")),
        ("corpus", "check", str(folder / "corpus")),
        ("campaign", "run", *CAMPAIGN, "--messages", MESSAGES, "--output", campaign),
        ("campaign", "compare", campaign),
        ("vectors", "build", "--release", PROPOSAL, "--output", str(folder / "vectors")),
    ):
        main(words, standalone_mode=False)
    return {"is connect": is_connect(session), "rows afterwards": session.range(3).count()}


if __name__ == "__main__":
    place = Path(sys.argv[1])
    with spark_session() as started:
        place.joinpath(ANSWERS).write_text(json.dumps(answers(started, place)), encoding="utf-8")
