"""Apache Kafka's own message classes, run in a JVM as the second opinion on every byte.

`build` compiles the program in `java/` against a release, once, into the user's cache. `ApacheKafkaJvm` is a run of it:

    with ApacheKafkaJvm("4.3.0") as kafka:
        [reply] = kafka.decode_many([("MetadataRequest", 9, bytes.fromhex("0001000000"))])

Replies are the JSON objects of the harness, unchanged; values are in the JSON form of the golden vectors. The harness
speaks the bridge protocol: `--impl="stdio:python -m conformance.adapters.harnesses.apache_kafka 4.3.0"` runs the suite
on it. With `--records client` it is Apache Kafka's consumer, with `--records broker` its broker, each with records
alone.
"""

from __future__ import annotations

import json
import os
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import click

from conformance.adapters.harnesses.java_programs import JVM_OPTIONS, archive_options, build_java
from conformance.adapters.harnesses.toolchains import tool
from conformance.codec.bridge.child_client import Client, Policy
from conformance.codec.bridge.protocol import hello_request
from conformance.codec.bridge.transport import DEFAULT_DEADLINE, JsonLinesProcess, program
from conformance.targets import DECODE, ENCODE, Ask, Body
from reference import ConformanceError, load_release, minimal, newest_release, releases
from reference.release import further_releases

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

MAIN_CLASS = "kafkawire.harness.Harness"

READERS = ("client", "broker")
"""Apache Kafka's readers of records, each an implementation of its own."""


class ApacheKafkaJvm(Client):
    """One JVM with the message classes of one release, and of further jars. It is not thread-safe."""

    def __init__(self, release: str, *, deadline: float = DEFAULT_DEADLINE, jars: Sequence[Path] = ()) -> None:
        self.release = release
        self._jars = tuple(jars)
        super().__init__(self._jvm, Policy.RAISE, deadline=deadline)

    def __enter__(self) -> Self:
        self.start()
        return self

    def _jvm(self, _request: object) -> JsonLinesProcess:
        return JsonLinesProcess(program(command(self.release, *self._jars)))

    def hello(self) -> dict[str, Any]:
        """Return the reply to `hello`.

        An example is `{"supports": {"encode": {"FetchRequest": [4]}, ...}, ...}`.
        """
        return self.ask(hello_request(load_release(self.release)))

    def encode_many(self, cases: Iterable[tuple[str, int, Mapping[str, Any]]]) -> list[dict[str, Any]]:
        """Encode values in JSON form with their messages and versions, with one reply for each, in order."""
        return self.exchange(
            {"op": "encode", "message": message, "version": version, "value": value}
            for message, version, value in cases
        )

    def decode_many(self, cases: Iterable[tuple[str, int, bytes]]) -> list[dict[str, Any]]:
        """Decode bytes with their messages and versions, with one reply for each, in order."""
        return self.exchange(
            {"op": "decode", "message": message, "version": version, "wire": wire.hex()}
            for message, version, wire in cases
        )

    def header_versions(self, cases: Iterable[tuple[str, int, int]]) -> list[dict[str, Any]]:
        """Return the reply with the header version for each direction, API key and version, in order."""
        return self.exchange(
            {"op": "header-version", "direction": direction, "apiKey": api_key, "version": version}
            for direction, api_key, version in cases
        )

    def exchange(self, requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Send any requests of the protocol and return their replies, in order.

        Some thousands at a time are best: very long lists of replies keep Python's garbage collector busy.

        Raises:
            HarnessStartError: java or mvn is missing, or the build failed.
            HarnessDiedError: the JVM ended; its standard error is in the text.
            HarnessTimeoutError: no reply came within the deadline.
        """
        return self.ask_many(list(requests))


def command(release: str, *jars: Path, canonical: bool = True) -> tuple[str, ...]:
    """Return the command of the harness for a release and further jars of messages, built if need be.

    With `canonical` the harness encodes each decoded value again for its reply. The suite ignores this part.

    Raises:
        HarnessStartError: java or mvn is missing, or the build failed.
    """
    known = (*releases(), *further_releases())
    modules = load_release(release).modules if release in known else ()  # the generator's: it has jars of its own
    harness = build_java("java", release, modules)
    class_path = os.pathsep.join(str(entry) for entry in (*jars, harness / "*"))
    java, program = tool("java"), ("-cp", class_path, MAIN_CLASS)
    archive = () if jars else archive_options(java, harness, program, partial(_each_message, release))
    option = () if canonical else ("-Dkafkawire.canonical=false",)
    return (java, *archive, *JVM_OPTIONS, *option, *program)


def _each_message(release: str) -> str:
    """Return requests to write and read a value of each message."""
    definitions = load_release(release)
    requests = [hello_request(definitions)]
    newest = {schema.message: schema for schema in definitions.schemas()}
    for body in map(Body, newest.values()):
        value = minimal(body.schema)
        requests += [Ask(ENCODE, body, value).request, Ask(DECODE, body, body.write(value)).request]
    return "".join(f"{json.dumps({'id': number, **request})}\n" for number, request in enumerate(requests))


@click.command()
@click.argument("release", default=newest_release)
@click.option("--records", "reader", type=click.Choice(READERS), help="Only records, as read by this one.")
def main(release: str, reader: str | None) -> None:
    """Replace this process by the harness of Apache Kafka in that release, built if need be."""
    try:
        words = command(release, canonical=False)
    except ConformanceError as error:
        raise click.ClickException(str(error)) from error
    if reader is not None:
        words += ("--records", reader)
    os.execv(words[0], words)  # noqa: S606  # our own command


if __name__ == "__main__":
    main()
