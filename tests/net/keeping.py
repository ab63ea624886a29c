"""The lines of one subject by its items, one test of the suite after the other, as in a run of the suite."""

import resource
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from conformance.codec.bridge import hello
from conformance.codec.bridge.isolation import DecodeLimits
from conformance.codec.bridge.opening import open_session
from conformance.codec.selection import offered, other_names, parse_selection, select, select_others
from conformance.codec.session import Session
from conformance.judge.case import Case, Event, Tried
from conformance.judge.checks.check_list import BODIES, CHECKS, RECORDS, WIRE_TYPES, kinds_of, offered_others
from conformance.judge.engine import counted, run
from conformance.judge.recording import record
from conformance.judge.tally import Tally
from conformance.suite.subjects import CodecSubject
from conformance.vectors.tree.vector_files import read_tree
from conformance.vectors.tree.vector_paths import committed_vectors, groups_of
from reference import load_release, newest_release, primitives
from tests.mutants.run import session_of_mutant
from tests.net.comparison import MACHINE_OUTCOMES, UNANSWERED
from tests.net.lines import Recorded, of_case, of_results, of_vector
from tests.net.subjects import RECORDED, Subject, drawn_mutants, is_drawn

SECONDS = 20.0
"""The deadline of a call, so long that a busy machine changes no outcome."""

MUTANTS, VECTORS = "mutants", "vectors"
"""The subjects without an adapter of their own."""

Line = tuple[str, ...]


def kept(subject: Subject, messages: list[str], *, whole: bool) -> tuple[list[str], float]:
    """Return the lines of a subject, and the CPU seconds of this process and its ended children."""
    special = {MUTANTS: of_mutants, VECTORS: of_vectors}
    found = special[subject.name]() if subject.name in special else of_subject(subject, messages, whole=whole)
    lines = ["\t".join(map(_escaped, (subject.name, *line))) for line in found]
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return lines, sum(each.ru_utime + each.ru_stime for each in used)


def _escaped(text: str) -> str:
    return text.encode("unicode_escape").decode()


def of_subject(subject: Subject, messages: list[str], *, whole: bool) -> Iterator[Line]:
    """Run the deterministic checks, and yield the lines of all cases, findings and requests."""
    if subject.name in RECORDED:
        hello.JsonLinesProcess = Recorded  # type: ignore[attr-defined]  # in a process of the net's own
    limits = DecodeLimits(deadline=SECONDS)
    with open_session(subject.spec, load_release(newest_release()), limits) as session:
        results, lines = CodecSubject(session).results([]), list[Line]()
        for test, item, checks in _items(session, messages, whole=whole or subject.is_whole):
            events = (event for check in checks for event in run(session, check.cases(session, item)))
            record(results, test, str(item), _noted(events, lines))
            yield from lines
            if subject.name in RECORDED:
                # One hash for all so far would not tell which item changed.
                yield "requests", test, str(item), Recorded.requests.hexdigest(), answered(lines)
                Recorded.requests = sha256()
            lines.clear()
        yield from of_results(results)


def answered(lines: Iterable[Line]) -> str:
    """Return the word of the requests of an item with an unanswered case, else nothing."""
    return UNANSWERED if any(line[6] in MACHINE_OUTCOMES for line in lines) else ""


def of_mutants() -> Iterator[Line]:
    """Run the checks of each drawn mutant where it shows, and yield the lines, each with the mutant's name."""
    for mutant in drawn_mutants():
        session, lines = session_of_mutant(mutant), list[Line]()
        results = CodecSubject(session).results([])
        for violation in counted(_noted(mutant.check(session), lines), Tally()):
            results.findings.add(violation)
        yield from ((line[0], mutant.name, *line[1:]) for line in (*lines, *of_results(results)))


def of_vectors() -> Iterator[Line]:
    """Yield a line for each golden vector of the tree."""
    for group in groups_of(read_tree(committed_vectors())):
        yield from (of_vector(group.prefix, vector) for vector in group.vectors)


def _items(session: Session, messages: list[str], *, whole: bool) -> Iterator[tuple[str, Any, list[Any]]]:
    """Yield the items of the suite, each with the checks of one test."""
    selectors, claims = parse_selection(messages), session.claims
    schemas = offered(claims, select([*session.release.schemas()], selectors, other_names()))
    others = offered_others(claims, select_others(selectors))
    kinds: Mapping[Any, frozenset[str]] = {
        **{schema: _kinds(schema, whole=whole or is_drawn(str(schema))) for schema in schemas},
        **{name: frozenset({WIRE_TYPES if name in primitives() else RECORDS}) for name in others},
    }
    for item, of in kinds.items():
        tests = defaultdict[str, list[Any]](list)
        for check in CHECKS:
            if check.of in of:
                tests[check.test].append(check)
        yield from ((test, item, checks) for test, checks in tests.items())


def _kinds(schema: Any, *, whole: bool) -> frozenset[str]:
    return kinds_of(schema) if whole else kinds_of(schema) - {BODIES}


def _noted(events: Iterable[Event], lines: list[Line]) -> Iterator[Event]:
    """Yield events unchanged, and add the lines of each case when the next one begins."""
    case: Case | None = None
    kept = list[Event]()
    for event in events:
        if isinstance(event, Tried) and event.case is not case:
            lines += of_case(kept)
            case, kept = event.case, []
        kept.append(event)
        yield event
    lines += of_case(kept)
