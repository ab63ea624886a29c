"""Runs of the suite on codecs: each against each release, the newest one first.

Older releases leave to the run on the newest one what is the same in both.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from conformance import adapters
from conformance.adapters.harnesses.libraries import BUILDERS, ForeignLibrary
from reference import newest_release, proposals
from tests.ci.loop import BUILD, KAFKA_CONFORMANCE, REPORTS, ROOT, Loop, chosen, chosen_releases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

PACKAGE = ROOT / "conformance" / "adapters"
TOOLS = {"go": "go", "rust": "cargo", "javascript": "npm"}
"""The tool of each language of harnesses."""

FIXED = "not hypothesis"


@dataclass(frozen=True)
class Codec:
    """A codec as a row of a loop.

    Attributes:
        name: also the name of its output.
        impl: its adapter, with `{release}` for a codec that is one release itself.
        known_failures: its file of expected findings.
        tools: what must be on the PATH.
        newest, older: the expression of the tests, against the newest release and against others.
        reported: whether its findings belong on the site.
    """

    name: str
    impl: str
    known_failures: Path | None = None
    tools: tuple[str, ...] = ()
    newest: str = ""
    older: str = ""
    reported: bool = False

    def command(self, release: str, *, based: bool, workers: int) -> list[str]:
        """Return the command of a run; `based`: the newest release has been run."""
        tests = self.newest if release == newest_release() else self.older
        options = [f"--impl={self.impl.format(release=release)}", f"--release={release}", "-n", str(workers)]
        options += [f"--base-release={newest_release()}"] if based and "{release}" not in self.impl else []
        options += ["-m", tests] if tests else []
        options += [f"--known-failures={self.known_failures}"] if self.known_failures else []
        options += [f"--report={REPORTS / self.name}-{release}.jsonl"] if self.reported else []
        return [*KAFKA_CONFORMANCE, "run", *options]


def python_codecs() -> dict[str, Codec]:
    """Return the codecs in Python that have an adapter and known failures, by name."""
    names = sorted(file.parent.name for file in PACKAGE.glob("*/known_failures.toml"))
    return {name: _python_codec(name) for name in names}


def _python_codec(name: str) -> Codec:
    known = PACKAGE / name / "known_failures.toml"
    return Codec(name, f"conformance.adapters.{name}", known, older=FIXED, reported=True)


def foreign_codecs() -> dict[str, Codec]:
    """Return the libraries of other languages, by name."""
    libraries = {name: each for name, each in vars(adapters).items() if isinstance(each, ForeignLibrary)}
    return {name: _foreign_codec(name, TOOLS[each.language]) for name, each in libraries.items()}


def _foreign_codec(name: str, tool: str) -> Codec:
    known = PACKAGE / "known_failures" / f"{name}.toml"
    return Codec(name, f"conformance.adapters.{name}", known, (tool,), FIXED, FIXED, reported=True)


def apache_kafka(*, records: bool) -> dict[str, Codec]:
    """Return Apache Kafka itself, as a codec of messages or as the two readers of its records."""
    names = {f"apache_kafka_{reader}": f" --records {reader}" for reader in ("client", "broker")}
    program = f"stdio:{shlex.quote(sys.executable)} -m conformance.adapters.harnesses.apache_kafka {{release}}"
    return {
        name: Codec(name, program + option, PACKAGE / "known_failures" / f"{name}.toml")
        for name, option in (names if records else {"apache_kafka": ""}).items()
    }


KINDS: dict[str, Callable[[], dict[str, Codec]]] = {
    "python": python_codecs,
    "foreign": foreign_codecs,
    "reference": lambda: {"reference": Codec("reference", "conformance.adapters.reference")},
    "apache-kafka": lambda: apache_kafka(records=False),
    "apache-kafka-records": lambda: apache_kafka(records=True),
}
"""The functions for the codecs of each kind, by name."""


def run_codecs(kind: str, names: Iterable[str] | None, given: Iterable[str] | None, workers: int) -> None:
    """Run the suite on codecs of a kind; the reference reads proposals as well."""
    codecs = KINDS[kind]()
    wanted = [codecs[name] for name in chosen("codec", names, codecs)]
    definitions = [*chosen_releases(given), *(proposals() if kind == "reference" else [])]
    REPORTS.mkdir(parents=True, exist_ok=True)
    loop = Loop()
    for codec in wanted:
        if loop.can_run(codec.name, codec.tools):
            _run_codec(loop, codec, definitions, workers)
    loop.end()


def _run_codec(loop: Loop, codec: Codec, definitions: list[str], workers: int) -> None:
    has_base = definitions[0] == newest_release()
    for place, release in enumerate(definitions):
        command = codec.command(release, based=has_base and place > 0, workers=workers)
        loop.run(f"{codec.name}-{release}", command, text=BUILD / f"{codec.name}-{release}.txt")


def update_known_failures(names: Iterable[str] | None, given: Iterable[str] | None, workers: int) -> None:
    """Rewrite the known failures of codecs in Python, release by release."""
    codecs, loop = python_codecs(), Loop()
    definitions = chosen_releases(given)
    has_base = definitions[0] == newest_release()
    for name in chosen("codec", names, codecs):
        codec = Codec(name, codecs[name].impl, codecs[name].known_failures, newest=FIXED, older=FIXED)
        for place, release in enumerate(definitions):
            command = codec.command(release, based=has_base and place > 0, workers=workers)
            loop.run(f"{name}-{release}", [*command, "--update-known-failures"])
    loop.end()


def check_published_releases(workers: int) -> None:
    """Import every published release, and run a part of the suite on the reference against each."""
    loop = Loop()
    loop.run("specs releases", [*KAFKA_CONFORMANCE, "specs", "releases"])
    for release in chosen("published release", None, _imported_releases()):
        command = Codec("reference", "conformance.adapters.reference").command(release, based=False, workers=workers)
        loop.run(release, [*command, "--smoke", "-q"])
    loop.end()


def _imported_releases() -> Iterator[str]:
    listed = [*KAFKA_CONFORMANCE, "specs", "releases", "--offline", "--json"]
    done = subprocess.run(listed, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)  # noqa: S603
    return (row["release"] for row in json.loads(done.stdout) if not row["problem"])


def prove(given: Iterable[str] | None, records: int | None) -> None:
    """Compare the reference with the jars of each release."""
    loop = Loop()
    for release in chosen_releases(given):
        options = ["--records", str(records)] if records else []
        loop.run(release, [*KAFKA_CONFORMANCE, "prove", "--release", release, *options])
    loop.end()


def build_harnesses() -> None:
    """Build the harness of each language that is installed here."""
    loop = Loop()
    for language in BUILDERS:
        if loop.can_run(f"the harness of {language}", (TOOLS[language],)):
            loop.run(language, [sys.executable, "-m", "conformance.adapters.harnesses", "build", language])
    loop.end()


def available_impls(loop: Loop, codecs: dict[str, Codec], names: Iterable[str] | None = None) -> list[str]:
    """Return the options for the codecs whose tools are here."""
    wanted = [codecs[name] for name in chosen("codec", names, codecs)]
    return [f"--impl={codec.impl}" for codec in wanted if loop.can_run(codec.name, codec.tools)]


def bench_harnesses(names: Iterable[str] | None) -> None:
    """Measure operations per second through each harness that can be built here."""
    loop = Loop()
    impls = chosen("harness", None, available_impls(loop, foreign_codecs(), names))
    loop.run("bench harness", [*KAFKA_CONFORMANCE, "bench", "harness", *impls])
    loop.end()
