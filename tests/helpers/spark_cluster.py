"""A standalone cluster of Spark on the loopback interface, a master and its workers from PySpark's own jars."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pyspark

HOME = Path(pyspark.__file__).parent
LOOPBACK = "127.0.0.1"
DEADLINE = 120.0


class Cluster(NamedTuple):
    """A running cluster."""

    master: str
    workers: list[subprocess.Popen[bytes]]


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """Start a master and workers of one core each, and end them at the end.

    Their logs are in `folder`.
    """
    master = f"spark://{LOOPBACK}:{_free_port()}"
    started = [_start(folder, "master", "master.Master", "--port", master.rpartition(":")[2], "--webui-port", "0")]
    try:
        _wait(folder / "master.log", "I have been elected leader", 1)
        for number in range(workers):
            words = ("--webui-port", "0", "-c", "1", "-m", "1g", "-d", str(folder / f"work-{number}"), master)
            started.append(_start(folder, f"worker-{number}", "worker.Worker", *words))
        _wait(folder / "master.log", "Registering worker", workers)
        yield Cluster(master, started[1:])
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def _start(folder: Path, name: str, kind: str, *words: str) -> subprocess.Popen[bytes]:
    with (folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen(  # noqa: S603  # Spark's own script
            [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{kind}", "--host", LOOPBACK, *words],
            env={**os.environ, "SPARK_LOCAL_IP": LOOPBACK, "SPARK_HOME": str(HOME)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )


def _wait(log: Path, text: str, count: int) -> None:
    until = time.monotonic() + DEADLINE
    while log.read_text(encoding="utf-8", errors="replace").count(text) < count:
        if time.monotonic() > until:
            raise TimeoutError(f"{log} does not say {text!r} {count} times:\n{log.read_text()[-2000:]}")
        time.sleep(0.1)
