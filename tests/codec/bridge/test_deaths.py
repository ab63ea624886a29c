"""A run in which a harness dies again and again, each time with processes left behind and a flood of last words."""

import json
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from conformance.codec.bridge.memory import MEBIBYTE
from conformance.system.program_runs import run

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no subreapers")
DEATHS, MOST_MEMORY = 200, 300 * MEBIBYTE
MARK = "1000.0200"
"""The seconds that its processes sleep, by which they are told from all others."""

DIES_ON_THE_SECOND = f"""
while read -r line; do
    id=${{line#*\\"id\\":}}; id=${{id%%[,\\}}]*}}
    if [ "$answered" ]; then
        sleep {MARK} &
        (setsid sleep {MARK} &)
        head -c 1000000 /dev/zero >&2
        kill -ABRT $$
    fi
    answered=yes
    echo "{{\\"id\\":$id,\\"outcome\\":\\"fine\\"}}"
done
"""

RUN = f"""
import json
from conformance.codec.bridge.child_client import Client, Policy
from conformance.codec.bridge.memory import peak_memory
from conformance.codec.bridge.transport import JsonLinesProcess, program

def start(request):
    return JsonLinesProcess(program(("/bin/sh", "-c", {DIES_ON_THE_SECOND!r})))

with Client(start, Policy.LOCK_STEP, deadline=60.0) as client:
    outcomes = [reply["outcome"] for _ in range({DEATHS} // 10) for reply in client.ask_many([{{}}] * 20)]
print(json.dumps([outcomes, peak_memory()]))
"""


def sleepers() -> list[list[str]]:
    """Return the commands of the processes left behind."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has just ended
            found.append(path.read_text(encoding="utf-8", errors="replace").split("\0"))
    return [command for command in found if command[:2] == ["sleep", MARK]]


@LINUX
@pytest.mark.slow
def test_of_two_hundred_deaths_no_process_and_no_memory_is_left() -> None:
    done = run((sys.executable, "-c", RUN))
    assert done.status == 0, done.text
    outcomes, peak = json.loads(done.output)
    assert outcomes == ["fine", "crashed"] * DEATHS
    assert peak < MOST_MEMORY
    assert sleepers() == []
