"""The lines of the net, as tuples of texts, in the only module of the net to change in a redesign."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from conformance.codec.bridge.bridge_json import dumps
from conformance.codec.bridge.transport import JsonLinesProcess
from conformance.judge.case import AFTER_A_REFUSAL, Case, Event, Judged, LeftOpen, RulesTried, Tried, Violation
from conformance.judge.count_lines import Inconclusive
from conformance.judge.findings.results import Results

STATES: dict[Any, str] = {Judged: "judged", Inconclusive: "skipped", LeftOpen: "open"}


def digest(*parts: str | bytes | None) -> str:
    """Return a short hash of texts and bytes."""
    return sha256(repr(parts).encode(errors="surrogatepass")).hexdigest()[:12]


def of_case(events: Sequence[Event]) -> Iterator[tuple[str, ...]]:
    """Yield the calls and broken rules of a case, with name, target, direction, outcome, rules, field and state."""
    events = [event for event in events if not _is_of_leaks(event)]
    states = "+".join(sorted({STATES.get(type(event), "") for event in events} - {""}))
    tried = sorted({rule for event in events if isinstance(event, RulesTried) for rule in event.rules})
    rules = tried[0] if len(tried) == 1 else f"{len(tried)} rules {digest(*tried)}"
    for each in events:
        if isinstance(each, Tried):
            yield "call", *_about(each.case), each.ask.key, str(each.outcome.kind), rules, each.case.path, states
        elif isinstance(each, Violation):
            yield "broken", *_about(each.case), each.direction, each.outcome, each.rule, each.path, states


def _is_of_leaks(event: Event) -> bool:
    """Return whether an event counts state leaks, which it did for many of them before the first."""
    if isinstance(event, RulesTried):
        return event.rules == {"codec.stateless"}
    if isinstance(event, Inconclusive):
        return event.cases == AFTER_A_REFUSAL
    return isinstance(event, Judged) and event.category == AFTER_A_REFUSAL


def _about(case: Case) -> tuple[str, str, str, str]:
    target = f"{case.target.folder}/{case.target.message}-v{case.target.version}"
    return case.kind, case.name, target, digest(case.wire, case.value)


def of_results(results: Results) -> Iterator[tuple[str, ...]]:
    """Yield the findings, the causes and the findings below each cause."""
    for found in results.findings.ordered():
        yield "finding", *found.key, found.impact.name, " ".join(found.traits)
    for cause in results.causes:
        yield "cause", *cause.finding.key
        yield from (("follower", *link.finding.key, *link.cause.key, link.why) for link in cause.followers)


def of_vector(prefix: str, vector: dict[str, Any]) -> tuple[str, ...]:
    """Return a golden vector with id, hash, verdict and flags."""
    return "vector", f"{prefix}/{vector['id']}", digest(repr(vector)), vector["result"], *vector["flags"]


class Recorded(JsonLinesProcess):
    """A harness with hashed requests, without their ids, and without the one for another start of a process."""

    requests = sha256()

    def _packed(self, batch: Sequence[Any]) -> bytes:
        Recorded.requests.update(b"".join(dumps(each) for each in batch if each["op"] != "hello"))
        return super()._packed(batch)
