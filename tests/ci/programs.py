"""Runs of servers, clients, recorded sessions, consumers of the vectors, and the site of all reports."""

from __future__ import annotations

import re
import shlex
import sys
from typing import TYPE_CHECKING, NamedTuple

from conformance.codec.bridge.harness_errors import HarnessStartError
from conformance.system.terminal import echo
from conformance.vectors.enumeration.pairs import base_release
from reference import newest_release
from tests.ci.codecs import available_impls, foreign_codecs, python_codecs
from tests.ci.loop import BUILD, KAFKA_CONFORMANCE, REPORTS, ROOT, Loop, chosen, chosen_releases
from tests.programs.clients import CLIENTS
from tests.programs.servers import PASSWORD, SERVERS, USER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

PROGRAMS = ROOT / "tests" / "programs"
SESSIONS = ROOT / "tests" / "live" / "capture" / "sessions"
CONSUMERS = ROOT / "vectors" / "consumers"
AUTHENTICATED = re.compile(r"kafka-[\d.]+|kfake")
"""The servers that are tried with authentication as well."""


def run_servers(names: Iterable[str] | None, workers: int) -> None:
    """Start each server, test it, and throw it away."""
    newest = f"kafka-{newest_release()}"
    given = None if names is None else [newest if name == "kafka-newest" else name for name in names]
    loop = Loop()
    _run_servers(loop, chosen("server", given, SERVERS), workers)
    loop.end()


def _run_servers(loop: Loop, names: Iterable[str], workers: int) -> None:
    REPORTS.mkdir(parents=True, exist_ok=True)
    for name in names:
        if loop.can_run(name, SERVERS[name].needs):
            _run_server(loop, name, workers)


def _run_server(loop: Loop, name: str, workers: int) -> None:
    program, _, release = name.partition("-") if name.startswith("kafka-") else (name, "", newest_release())
    known = PROGRAMS / "servers" / "known_failures" / f"{program}.toml"
    start = shlex.join([sys.executable, "-m", "tests.programs.servers", name])
    test = [*KAFKA_CONFORMANCE, "broker", f"--release={release}", "-n", str(workers), f"--known-failures={known}"]
    once = ["--throw-away", "--memory", f"--report={REPORTS}/server-{name}.jsonl", "--start", start]
    loop.run(name, [*test, *once], text=BUILD / f"server-{name}.txt")
    if AUTHENTICATED.fullmatch(name):
        login = ["--start", f"{start} --sasl", "--sasl", "PLAIN", "--user", USER, "-k", "authentication"]
        loop.run(f"{name} (authentication)", [*test, *login], KAFKA_PASSWORD=PASSWORD)


def run_clients(names: Iterable[str] | None, cases: int, minutes: int, workers: int) -> None:
    """Test what each client writes, then what it does with sound answers and with hostile ones."""
    loop = Loop()
    for name in chosen("client", names, CLIENTS):
        if loop.can_run(name, CLIENTS[name].needs):
            _run_client(loop, name, ["-n", str(workers), "--cases", str(cases), "--minutes", str(minutes)])
    loop.end()


def _run_client(loop: Loop, name: str, answers: list[str]) -> None:
    try:
        program = CLIENTS[name].command()
    except HarnessStartError as error:
        echo(f"{name}: {error}", err=True)
        loop.failed.append(name)
        return
    known = PROGRAMS / "clients" / "known_failures" / f"{name}.toml"
    sound, hostile = ([*answers, "--deadline", seconds] for seconds in ("20", "40"))
    parts = {"": [], "-sound": [*sound, "--answers", "sound"], "-hostile": [*hostile, "--answers", "hostile"]}
    for part, options in parts.items():
        command = [*KAFKA_CONFORMANCE, "client", f"--known-failures={known}", *options, "--", *program]
        if not loop.run(name + part, command, text=BUILD / f"client-{name}{part}.txt", CLIENT_SECONDS="60"):
            return


def run_sessions(names: Iterable[str] | None) -> None:
    """Judge the recorded session of each client again."""
    loop = Loop()
    _run_sessions(loop, chosen("session", names, CLIENTS))
    loop.end()


def _run_sessions(loop: Loop, names: Iterable[str]) -> None:
    REPORTS.mkdir(parents=True, exist_ok=True)
    for name in names:
        known = PROGRAMS / "clients" / "known_failures" / f"{name}.toml"
        options = [f"--report={REPORTS}/client-{name}.jsonl", f"--known-failures={known}"]
        command = [*KAFKA_CONFORMANCE, "judge", str(SESSIONS / f"{name}.jsonl"), "--from", "client", *options]
        loop.run(name, command, text=BUILD / f"session-{name}.txt")


class Consumer(NamedTuple):
    """An example program that reads the vectors.

    Attributes:
        tool: what must be on the PATH.
        commands: in its folder; `{vectors}` is the folder of the vectors, and the releases.
    """

    tool: str
    commands: tuple[str, ...]


CRATES = f"{shlex.quote(sys.executable)} -m conformance.adapters.harnesses crates ."
EXAMPLES = {
    "go": Consumer("go", ("go run . --known known.txt {vectors}",)),
    "rust": Consumer("cargo", (CRATES, "cargo run --locked --quiet -- --known known.txt {vectors}")),
    "java": Consumer("mvn", ('mvn -q compile exec:java -Dexec.args="{vectors}"',)),
    "javascript": Consumer("npm", ("npm ci --silent --ignore-scripts", "node consume.mjs --known known.txt {vectors}")),
}
"""The examples by the folder of each."""


def run_consumers(names: Iterable[str] | None, vectors: str) -> None:
    """Run the example consumers of a folder of vectors."""
    loop = Loop()
    for name in chosen("consumer", names, EXAMPLES):
        if loop.can_run(f"the {name} consumer", (EXAMPLES[name].tool,)):
            commands = [shlex.split(each.format(vectors=vectors)) for each in EXAMPLES[name].commands]
            all(loop.run(name, command, folder=CONSUMERS / name) for command in commands)
    loop.end()


def default_vectors() -> str:
    """Return the arguments of a consumer for the vectors of this repository."""
    return f"../.. {base_release()}"


def report_site(reports: Path, docs: str | None) -> None:
    """Write the site of the reports in a folder."""
    files = chosen("report", None, sorted(map(str, reports.glob("*.jsonl"))))
    loop = Loop()
    link = [f"--docs={docs}"] if docs else []
    loop.run("site", [*KAFKA_CONFORMANCE, "report", *files, "--output", str(BUILD / "site"), *link])
    loop.end()


def run_site(releases: Iterable[str] | None, workers: int) -> None:
    """Test whatever can be run here, and write the site; new findings of a program are named, and shown."""
    options = [f"--release={release}" for release in chosen_releases(releases)]
    for file in _live_reports():
        file.unlink()
    live, loop = Loop(), Loop()
    _run_servers(live, SERVERS, workers)
    _run_sessions(live, CLIENTS)
    for name in live.failed:
        echo(f"with new findings, or left out: {name}")
    impls = available_impls(live, {**python_codecs(), **foreign_codecs()})
    reports = [f"--report={file}" for file in _live_reports()]
    command = [*KAFKA_CONFORMANCE, "matrix", *impls, *options, *reports, "-n", str(workers)]
    loop.run("site", [*command, f"--output={BUILD / 'site'}"])
    loop.end()


def _live_reports() -> Iterator[Path]:
    return iter(sorted([*REPORTS.glob("server-*.jsonl"), *REPORTS.glob("client-*.jsonl")]))
