"""Results of made-up runs, from violations for the ratchet."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from conformance.codec.bridge.loading import load_codec
from conformance.codec.python_codec import PythonCodec
from conformance.codec.selection import NOTHING_SHARED, Selection, offered
from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.findings.known_failures import KnownFailure
from conformance.judge.findings.lines import Run
from conformance.judge.findings.ratchet import RunScope
from conformance.judge.findings.results import Results
from conformance.judge.recording import record
from conformance.judge.subject import WAYS
from conformance.report.facts import RunReport
from conformance.report.report_reading import report_of
from conformance.report.run_lines import EndedRun, lines_of
from conformance.suite.codec_run import without_shared
from conformance.suite.subjects import CodecSubject
from reference import load_release, newest_release, primitives
from tests.helpers.adapters import load_adapter
from tests.helpers.cases import read_violation, violation


def failing(messages: Iterable[str], version: int = 0, *, by_search: bool = False) -> list[Violation]:
    return [violation("null.not-written", message, version, deterministic=not by_search) for message in messages]


@cache
def scope_of(release: str = "", base: str = "", known_of_base: tuple[KnownFailure, ...] = ()) -> RunScope:
    chosen = load_release(release or newest_release())
    codec = load_codec("conformance.adapters.reference", chosen)
    whole = Selection(offered(codec.claims, chosen.schemas()), primitives())
    selection = without_shared(whole, codec.claims, chosen, load_release(base) if base else None)
    return RunScope(selection.schemas, selection.shared, known_of_base, CodecSubject(Session(codec, chosen)))


def harness_scope_of(release: str) -> RunScope:
    """Return the scope of a harness with nothing but pairs of the release."""
    scope = scope_of(release)
    pairs: dict[str, frozenset[int]] = {}
    for schema in scope.schemas:
        pairs[schema.message] = pairs.get(schema.message, frozenset()) | {schema.version}
    adapter = load_adapter("conformance.adapters.reference", scope.subject.release)
    adapter = replace(adapter, spec="stdio:harness", supported={"encode": pairs, "decode": pairs})
    subject = CodecSubject(Session(PythonCodec(adapter), scope.subject.release))
    return replace(scope, subject=subject, shared=NOTHING_SHARED)


def entry(*messages: str, **changes: Any) -> KnownFailure:
    return KnownFailure("null.not-written", messages, **{"outcome": "bytes", "reason": "because", **changes})


def requests_of(scope: RunScope) -> list[str]:
    """Return eleven requests tested by the run, one more than a glob may hide."""
    return sorted({message for message, version in scope.tested if version == 0 and message.endswith("Request")})[:11]


def results_of(scope: RunScope, entries: Sequence[KnownFailure], violations: Iterable[Violation]) -> Results:
    """Return the results of a run over a scope, one item for each violation."""
    known = [entry for entry in entries if entry.is_about(scope.subject.release.name)]
    return results_from(known, ([met] for met in violations))


def results_from(known: Sequence[KnownFailure], items: Iterable[Iterable[Violation]]) -> Results:
    """Return the results of a run with these violations in its items."""
    results = Results(known, read_violation, ways=WAYS)
    for item in items:
        record(results, "test_edge_values", "", item)
    return results


ABOUT = Run(
    suite="0.1.0",
    kind="codec",
    impl="my.adapter",
    release=newest_release(),
    implementation="mine",
    implementation_version="1",
)
"""The first line of a made-up run."""


def reported(results: Results, **facts: Any) -> RunReport:
    """Return the facts of a run with these results, and further facts of `EndedRun`."""
    return report_of(lines_of(EndedRun(**{"run": ABOUT, "results": results, **facts})))
