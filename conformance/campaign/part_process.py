"""The process that runs one part: a codec that ends it, or hangs it, ends no worker of Spark.

    python -m conformance.campaign.part_process DESCRIPTOR < request

The request is one JSON document: parameters, the part and its number, where the results go, and the cases whose writing
has ended such a process before. The descriptor is that of the journal. The reply is one line of JSON.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from conformance.campaign.folder import keep_part
from conformance.campaign.kernel import run_part
from conformance.campaign.plan import Block, Parameters, Part, Subject
from conformance.campaign.recording import Journal, Place
from conformance.pipeline.storage import Storage
from reference.errors import ConformanceError


def request_of(parameters: Parameters, part: Part, number: int, output: str, fatal: dict[Place, str]) -> str:
    """Return the request to run a part."""
    return json.dumps({
        "parameters": parameters.as_json(),
        "part": part,
        "number": number,
        "output": output,
        "fatal": [[*place, kind] for place, kind in fatal.items()],
    })  # fmt: skip


def main() -> None:
    """Run the part of the request on standard input."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what an adapter prints is no reply
    try:
        reply = _run(json.load(sys.stdin), Journal(int(sys.argv[1])))
    except ConformanceError as error:
        reply = {"error": str(error)}
    replies.write(json.dumps(reply) + "\n")
    replies.flush()


def _run(request: dict[str, Any], journal: Journal) -> dict[str, Any]:
    facts = dict(request["parameters"])
    facts["subjects"] = tuple(Subject(**subject) for subject in facts["subjects"])
    parameters = Parameters(**{**facts, "messages": tuple(facts["messages"])})
    index, blocks = request["part"]
    part = Part(index, tuple(Block(*block) for block in blocks))
    fatal = {Place(block, case): kind for block, case, kind in request["fatal"]}
    corpus = Storage(parameters.corpus) if parameters.corpus else None
    result = run_part(parameters, part, corpus, journal, fatal)
    return keep_part(Storage(request["output"]), request["number"], part, result)


if __name__ == "__main__":
    main()
