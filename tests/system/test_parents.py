"""Processes of the suite end with their parent, also after `kill -9`."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from conformance.system.program_runs import run
from reference import newest_release
from tests.helpers.runs import LIARS, ROOT
from tests.helpers.survivors import SECONDS_TO_END, marked

NEWEST = newest_release()
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="descendants are found in /proc")

PYTHON = (sys.executable, "-c")
WORKERS = """
import time
from conformance.system.own_processes import worker_pool
with worker_pool(2) as pool:
    list(pool.map(time.sleep, [1000, 1000]))
"""
HOLDS_THE_LOCK = """
import re
from conformance.system.forks import Fork
def answers(requests, beat):
    for _ in requests:
        re.match("(a*)*b", "a" * 1000)
        yield ""
Fork(answers, {"run": 1000}).ask(b"")
"""
LOST = """
import os, time
from conformance.system.parents import end_with
if os.fork() == 0:
    end_with(0)  # of a process that is not the parent: so the true one has ended
    time.sleep(1000)
os._exit(6 + os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.parametrize(("program", "processes"), [(WORKERS, 4), (HOLDS_THE_LOCK, 2)], ids=["pool", "busy fork"])
def test_nothing_is_left_of_a_killed_process(program: str, processes: int) -> None:
    with marked((*PYTHON, program), ROOT) as started:
        started.wait_for(processes)
        assert started.kill() == {}


def test_process_without_its_parent_ends_at_once() -> None:
    assert run((*PYTHON, LOST), folder=ROOT).status == 7


KIO = "--impl=conformance.adapters.kio"
CHILD = f"{sys.executable} -m conformance.codec.bridge.child --impl conformance.adapters.kio --release {NEWEST}"
HARNESS = f"--impl=stdio:{CHILD}"
HANGS = f"--impl={LIARS}:Hangs"
SLEEPS = (sys.executable, "-c", "import time; time.sleep(1000)")
MATRIX = ("matrix", KIO, "--state={folder}/state", "--output={folder}/site")
SPARK = ("--master=local[2]",)
Commands = Mapping[str, tuple[tuple[str, ...], tuple[int, ...]]]
"""Commands, with the numbers of processes at which they are killed."""

COMMANDS: Commands = {
    "run": (("run", KIO, "-n0"), (2, 3, 4)),
    "run by workers": (("run", KIO, "-n2"), (2, 4, 7)),
    "run in a child": (("run", KIO, "-n0", "--isolation=always"), (2, 3, 4)),
    "run of a harness": (("run", HARNESS, "-n2"), (3, 6, 9)),
    "run of a codec that hangs": (("run", HANGS, "-n2", "--isolation=never"), (2, 3)),
    "watched run": (("run", KIO, "--watch"), (3, 4, 6)),
    "bridge check": (("bridge", "check", KIO), (2, 3, 4)),
    "matrix": (MATRIX, (2, 4, 6)),
    "matrix of workers": ((*MATRIX, "--", "-n2"), (4, 6, 9)),
    "broker": (("broker", f"--start={sys.executable} -m tests.fakes.lying_server Honest", "-n2"), (2, 5, 9)),
    "client": (("client", "--deadline=900", "--", *SLEEPS), (2, 3, 4)),
    "nightly": (("nightly", "--minutes=9", "--workers=2", "--state={folder}/state", KIO), (2, 5, 8)),
    "vectors build": (("vectors", "build", "--in-process", "--workers=2", "--output={folder}/vectors"), (2, 3, 4)),
    "vectors check": (("vectors", "check", "--workers=2"), (2, 3, 4)),
    "vectors run": (("vectors", "run", KIO), (2, 3, 4)),
    "prove-evolution": (("specs", "prove-evolution", "--workers=2"), (2, 3, 4)),
}

ON_SPARK: Commands = {
    "campaign": (("campaign", "run", KIO, "--generate=1000000", "--output={folder}/campaign", *SPARK), (2, 4, 6)),
    "corpus": (("corpus", "build", "--total=100000000", "--output={folder}/corpus", *SPARK), (2, 4, 5)),
    "nightly": (("nightly", "--minutes=9", "--state={folder}/state", KIO, *SPARK), (2, 4, 6)),
    "vectors build": (("vectors", "build", "--output={folder}/vectors", *SPARK), (2, 4, 5)),
}
SECONDS_OF_SPARK = 60.0
"""Spark's JVM first deletes its temporary files."""

STARTERS = ("run by workers", "matrix of workers", "nightly")
"""Commands whose processes start further ones."""


def command(words: Sequence[str], folder: Path) -> tuple[str, ...]:
    return (sys.executable, "-m", "conformance", *(word.replace("{folder}", str(folder)) for word in words))


def check_killed(name: str, folder: Path, commands: Commands, seconds: float = SECONDS_TO_END) -> None:
    words, moments = commands[name]
    for moment in moments:
        (own := folder / str(moment)).mkdir()
        with marked(command(words, own), ROOT) as started:
            started.wait_for(moment)
            assert started.kill(seconds) == {}, moment


@pytest.mark.nightly
@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_left_of_a_killed_command(tmp_path: Path, name: str) -> None:
    check_killed(name, tmp_path, COMMANDS)


@pytest.mark.nightly
@pytest.mark.spark
@pytest.mark.parametrize("name", ON_SPARK)
def test_nothing_is_left_of_a_killed_command_on_spark(tmp_path: Path, name: str) -> None:
    check_killed(name, tmp_path, ON_SPARK, SECONDS_OF_SPARK)


@pytest.mark.nightly
@pytest.mark.parametrize("name", STARTERS)
def test_nothing_is_left_of_a_killed_process_in_the_middle(tmp_path: Path, name: str) -> None:
    with marked(command(COMMANDS[name][0], tmp_path), ROOT) as started:
        assert started.kill_in_the_middle() == {}
        assert started.kill() == {}
