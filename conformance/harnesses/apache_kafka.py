"""Apache Kafka's own message classes, run in a JVM: the second opinion on every byte.

`build` compiles the program in `java/` against a release, once, into the user's cache. `ApacheKafka` is a run of it:

    with ApacheKafka("4.3.0") as kafka:
        [reply] = kafka.decode_many([("MetadataRequest", 9, bytes.fromhex("0001000000"))])

Replies are the JSON objects of the harness as they come; values are in the JSON form of the golden vectors. It speaks
the protocol of the bridge: `--impl="stdio:python -m conformance.harnesses.apache_kafka 4.3.0"` runs the suite on it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click
import platformdirs

from conformance.bridge.json_lines import DEFAULT_DEADLINE, JsonLinesProcess
from conformance.bridge.protocol import hello_request
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType

NEWEST_RELEASE = "4.3.0"
MAIN_CLASS = "kafkawire.harness.Harness"
JVM_OPTIONS = ("-Xmx1g", "-XX:+UseSerialGC")


class HarnessUnavailableError(Exception):
    """The harness cannot be built or started here; the text says what is missing."""


class ApacheKafka:
    """One JVM with the message classes of one release. Not for use by several threads at a time."""

    def __init__(self, release: str = NEWEST_RELEASE, *, deadline: float = DEFAULT_DEADLINE) -> None:
        self.release = release
        self._deadline = deadline
        self._process: JsonLinesProcess | None = None

    def __enter__(self) -> Self:
        self._process = JsonLinesProcess(command(self.release), deadline=self._deadline)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None

    def hello(self) -> dict[str, Any]:
        """Return what the harness is and has, as `{"supports": {"encode": {"FetchRequest": [4]}, ...}, ...}`."""
        [reply] = self.exchange([hello_request(load_release(self.release))])
        return reply

    def encode_many(self, cases: Iterable[tuple[str, int, Mapping[str, Any]]]) -> list[dict[str, Any]]:
        """Encode (message, version, value in JSON form); one reply for each case, in order."""
        return self.exchange(
            {"op": "encode", "message": message, "version": version, "value": value}
            for message, version, value in cases
        )

    def decode_many(self, cases: Iterable[tuple[str, int, bytes]]) -> list[dict[str, Any]]:
        """Decode (message, version, wire); one reply for each case, in order."""
        return self.exchange(
            {"op": "decode", "message": message, "version": version, "wire": wire.hex()}
            for message, version, wire in cases
        )

    def header_versions(self, cases: Iterable[tuple[str, int, int]]) -> list[dict[str, Any]]:
        """Ask for the header versions of (direction, API key, API version); one reply for each case, in order."""
        return self.exchange(
            {"op": "header-version", "direction": direction, "apiKey": api_key, "version": version}
            for direction, api_key, version in cases
        )

    def encode_primitives(self, cases: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
        """Encode (name of a wire type, value in JSON form); one reply for each case, in order."""
        return self.exchange({"op": "encode-primitive", "name": name, "value": value} for name, value in cases)

    def decode_primitives(self, cases: Iterable[tuple[str, bytes]]) -> list[dict[str, Any]]:
        """Decode (name of a wire type, wire); one reply for each case, in order."""
        return self.exchange({"op": "decode-primitive", "name": name, "wire": wire.hex()} for name, wire in cases)

    def exchange(self, requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Send any requests of the protocol and return their replies, in order.

        Some thousands at a time are best: very long lists of replies keep Python's garbage collector busy.

        Raises:
            HarnessDiedError: the JVM ended; what it wrote to standard error is in the text.
            HarnessTimeoutError: no reply came for as long as the deadline.
        """
        if self._process is None:
            raise RuntimeError("ApacheKafka is a context manager: use it in a `with` statement")
        return self._process.exchange(requests)


def command(release: str) -> tuple[str, ...]:
    """The command that starts the harness for a release, built if need be.

    Raises:
        HarnessUnavailableError: java or mvn is missing, or the build failed.
    """
    return (_tool("java"), *JVM_OPTIONS, "-cp", str(build(release) / "*"), MAIN_CLASS)


def build(release: str) -> Path:
    """Return a folder with the harness for a release and all its jars, built by Maven if it is not in the cache.

    The cache is keyed by release and sources, and a folder appears there only when it is complete.

    Raises:
        HarnessUnavailableError: java or mvn is missing, or the build failed.
    """
    with resources.as_file(resources.files("conformance.harnesses") / "java") as sources:
        cache = Path(platformdirs.user_cache_dir("kafka-wire-conformance")) / "harnesses"
        finished = cache / f"java-{release}-{_digest(sources)}"
        if finished.is_dir():
            return finished
        cache.mkdir(parents=True, exist_ok=True)
        with _only_one_build(cache):
            if not finished.is_dir():
                _build_into(finished, release, sources)
    return finished


def _build_into(finished: Path, release: str, sources: Path) -> None:
    with tempfile.TemporaryDirectory(dir=finished.parent, prefix="building-") as scratch:
        project = Path(scratch) / "project"
        shutil.copytree(sources, project, ignore=shutil.ignore_patterns("target"))
        command = (_tool("mvn"), "--batch-mode", "--quiet", f"-Dkafka.version={release}", "package")
        run = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
        if run.returncode != 0:
            raise HarnessUnavailableError(
                f"Maven could not build the Java harness for Apache Kafka {release}:\n{run.stdout}{run.stderr}"
            )
        (project / "target" / "harness").replace(finished)


def _digest(sources: Path) -> str:
    """Hash what the build depends on, names and contents."""
    files = sorted([sources / "pom.xml", *(sources / "src").rglob("*.java")])
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.relative_to(sources).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


@contextmanager
def _only_one_build(cache: Path) -> Iterator[None]:
    """Let one process build at a time: Maven's local repository does not stand concurrent downloads."""
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise HarnessUnavailableError(
            f"{name} is not on the PATH ({os.environ.get('PATH', '')}): "
            "the Apache Kafka harness needs Java 17 or later and Maven"
        )
    return path


@click.command()
@click.argument("release", default=NEWEST_RELEASE)
def main(release: str) -> None:
    """Become the harness of Apache Kafka in that release, built if need be."""
    try:
        words = command(release)
    except HarnessUnavailableError as error:
        raise click.ClickException(str(error)) from error
    os.execv(words[0], words)  # noqa: S606  # our own command


if __name__ == "__main__":
    main()
