"""Apache Kafka's own message classes, run in a JVM: the second opinion on every byte.

`build` compiles the program in `java/` against a release, once, into the user's cache. `ApacheKafka` is a run of it:

    with ApacheKafka("4.3.0") as kafka:
        [reply] = kafka.decode_many([("MetadataRequest", 9, bytes.fromhex("0001000000"))])

Replies are the JSON objects of the harness as they come; values are in the JSON form of the golden vectors. It speaks
the protocol of the bridge: `--impl="stdio:python -m conformance.harnesses.apache_kafka 4.3.0"` runs the suite on it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self

import click

from conformance.bridge.protocol import hello_request
from conformance.bridge.transport import DEFAULT_DEADLINE, JsonLinesProcess
from conformance.harnesses.building import JVM_OPTIONS, HarnessUnavailableError, build_java, tool
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

NEWEST_RELEASE = "4.3.0"
MAIN_CLASS = "kafkawire.harness.Harness"


class ApacheKafka:
    """One JVM with the message classes of one release, and of further jars. Not for several threads at a time."""

    def __init__(
        self, release: str = NEWEST_RELEASE, *, deadline: float = DEFAULT_DEADLINE, jars: Sequence[Path] = ()
    ) -> None:
        self.release = release
        self._jars = tuple(jars)
        self._deadline = deadline
        self._process: JsonLinesProcess | None = None

    def __enter__(self) -> Self:
        self._process = JsonLinesProcess(command(self.release, *self._jars), deadline=self._deadline)
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


def command(release: str, *jars: Path) -> tuple[str, ...]:
    """The command that starts the harness for a release, built if need be, with further jars of message classes.

    Raises:
        HarnessUnavailableError: java or mvn is missing, or the build failed.
    """
    class_path = os.pathsep.join(str(each) for each in (*jars, build(release) / "*"))
    return (tool("java"), *JVM_OPTIONS, "-cp", class_path, MAIN_CLASS)


def build(release: str) -> Path:
    """Return a folder with the harness for a release and all its jars, built by Maven if it is not in the cache.

    Raises:
        HarnessUnavailableError: java or mvn is missing, or the build failed.
    """
    return build_java("java", release)


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
