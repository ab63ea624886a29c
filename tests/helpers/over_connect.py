"""All work of this project over Spark Connect, in a process without another session.

    SPARK_REMOTE="local[2]" python -m tests.helpers.over_connect FOLDER

SPARK_TESTING lets PySpark choose a free port, as another server may have the usual one.
"""

import sys
from pathlib import Path

from conformance.campaign.pipeline.spark_session import is_connect, spark_session
from conformance.commands.main import main
from tests.helpers.releases import BASE, NEWEST

PROPOSAL = "kip-893"
"""The definitions with the fewest vectors."""

CASES = ("--release", NEWEST, "--messages", "HeartbeatResponse-v0,ApiVersionsRequest-v3", "--generate", "300")


def work(folder: Path) -> None:
    """Run the commands in a folder."""
    corpus, campaign, vectors = (str(folder / name) for name in ("corpus", "campaign", "vectors"))
    for words in (
        ("corpus", "build", "--total", "300", "--release", BASE, "--output", corpus),
        ("corpus", "check", corpus),
        ("campaign", "run", "--impl", "tests.fakes.faulty_codecs:Honest", *CASES, "--output", campaign),
        ("campaign", "compare", campaign),
        ("vectors", "build", "--release", PROPOSAL, "--output", vectors),
    ):
        main(words, standalone_mode=False)


if __name__ == "__main__":
    with spark_session() as session:
        work(Path(sys.argv[1]))
        print(f"rows afterwards: {session.range(3).count()}; connected: {is_connect(session)}")  # noqa: T201  # a program
