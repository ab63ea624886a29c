"""The faults of codecs of records, and the results by an input of its own, the suite's checks and the vectors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache, partial
from random import Random
from typing import Any

from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.checks.generated_records import generated_records
from conformance.judge.checks.record_cases import records_value_cases
from conformance.judge.checks.unencodable_record_cases import unencodable_records_cases
from conformance.judge.engine import violations
from conformance.judge.findings.causes import causes_of
from conformance.judge.findings.finding import Findings
from conformance.judge.kinds import CodecCase
from conformance.judge.subject import WAYS
from conformance.targets import RECORD_GROUPS, records_difference
from conformance.vectors.enumeration.record_vectors import RECORD_FILES
from conformance.vectors.tree.vector_files import read_tree
from conformance.vectors.tree.vector_paths import VectorGroup, committed_vectors, groups_of
from conformance.vectors.verification.runner import VectorResults, run_group
from reference import Result, judge_records, records_from_json, records_to_json
from reference.records.records_field import PARTIAL
from tests.helpers.sessions import session_of
from tests.mutants.records import hostile_cases
from tests.mutants.single_faults.fault import Fault, Seen
from tests.mutants.single_faults.judging import UNSEEN
from tests.mutants.single_faults.records.inputs import inputs
from tests.mutants.single_faults.records.reach import Steps, does, steps_of_reading, steps_of_writing
from tests.mutants.single_faults.records.steps import READ, Value, decode, encode, faulty_codec, steps
from tests.mutants.single_faults.records.unwritable import unwritable_values
from tests.mutants.single_faults.records.values import large_values, values
from tests.second_codec.ways import NotTaken

Check = Callable[[Session], Iterator[Any]]
SMALL = 2_048
"""The most bytes of a value in the first attempt."""
EXAMPLES, SEED, BLOCK = 20, 34, 64
"""The number of random fields of each group, their seed, and the bytes of a draw."""


class RecordFaults:
    """The family of the faults of codecs of records."""

    def faults(self) -> Sequence[Fault]:
        """Return all faults, legal variants among them."""
        return [*steps().values()]

    def seen(self, fault: Fault) -> Seen:
        """Return the results of a fault, untried if it differs on no input."""
        if shown_by(fault) is None:
            return UNSEEN
        fixed = _by_checks(fault, fixed_checks(fault))
        generated = "" if fixed else _by_checks(fault, [generated_check])
        vectors = vectors_failed(fault)
        return Seen(True, fixed, generated, vectors, fixed or generated or vectors)  # noqa: FBT003  # differs


def shown_by(step: Fault) -> str | None:
    """Return the first input to tell a step from the sound one, bytes in hex or a value, or None.

    Bytes left open by the format have no weight for a fault, and the only weight for a legal variant.
    """
    if step.side == READ:
        return next((wire.hex() for wire in _misread(step)), None)
    return next((json.dumps(records_to_json(value)) for value in _miswritten(step)), None)


def _misread(step: Fault) -> Iterator[bytes]:
    for wire, _ in inputs(step.place):
        if does(steps_of_reading(wire), step) and _outcome(decode, wire, step) != _sound(wire):
            is_open = judge_records(wire).result is Result.UNSPECIFIED
            if is_open == step.legal:
                yield wire


@cache
def _sound(wire: bytes) -> Any:
    return _outcome(decode, wire)


def _outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result, or None if the input is refused or the codec breaks off."""
    try:
        return function(*arguments)
    except (NotTaken, ArithmeticError, LookupError, TypeError, ValueError):
        return None


def _miswritten(step: Fault) -> Iterator[Value]:
    for value, right, done in _written():
        if not does(done, step):
            continue
        wire = _outcome(encode, deepcopy(value), step)
        if wire != right and (step.legal or not _is_as_good(value, right, wire)):
            yield value


@cache
def _written() -> tuple[tuple[Value, bytes | None, Steps], ...]:
    """Return values, their bytes (None for refused ones), and the steps of their writing."""
    every = (*values(), *unwritable_values(), *large_values())
    return tuple((value, _outcome(encode, deepcopy(value)), steps_of_writing(value)) for value in every)


def _is_as_good(value: Value, right: bytes | None, wire: bytes | None) -> bool:
    """Return whether bytes are a sound stream of the same records, or an uncompressed batch."""
    if right is None or wire is None or all(batch["compression"] == "none" for batch in value["batches"]):
        return False
    verdict = judge_records(wire)
    if verdict.value is None or not set(verdict.rules) <= set(judge_records(right).rules):
        return False
    return records_difference(_without_codec(value), _without_codec(verdict.value)) is None


def _without_codec(value: Value) -> Value:
    plain = [batch | ({"compression": ""} if "records" in batch else {}) for batch in value["batches"]]
    return value | {"batches": plain}


def fixed_checks(step: Fault) -> Iterator[Check]:
    """Yield the deterministic checks of the step, group by group, with large values last, as they take longest."""
    for group in RECORD_GROUPS:
        yield partial(_check_small, step, group)
        yield partial(_check_bytes, step, group)
    yield _check_unencodable
    for group in RECORD_GROUPS:
        yield partial(_check_edges, step, group)


def _check_small(step: Fault, group: str, session: Session) -> Iterator[Any]:
    yield from violations(session, [case for case in _edges(step, session, group) if len(case.input) <= SMALL])


def _check_edges(step: Fault, group: str, session: Session) -> Iterator[Any]:
    yield from violations(session, _edges(step, session, group))


def _check_unencodable(session: Session) -> Iterator[Any]:
    for group in RECORD_GROUPS:
        yield from violations(session, unencodable_records_cases(session, group))


def _check_bytes(step: Fault, group: str, session: Session) -> Iterator[Any]:
    if "decode_records" in session.claims.functions:
        cases = hostile_cases(session.release.name, group)
        taken = [case for case in cases if case.is_base or does(steps_of_reading(case.input), step)]
        yield from violations(session, taken)


def _edges(step: Fault, session: Session, group: str) -> list[CodecCase]:
    pairs = zip(records_value_cases(session, group), _steps_of_edges(group, step.side), strict=True)
    return [case for case, done in pairs if does(done, step)]


@cache
def _steps_of_edges(group: str, side: str) -> Sequence[Steps]:
    cases = records_value_cases(session_of(faulty_codec()), group)
    return [steps_of_reading(case.input) if side == READ else steps_of_writing(case.content) for case in cases]


def generated_check(session: Session) -> Iterator[Any]:
    """Yield the result of the first random field with a finding."""
    random = Random(SEED)  # noqa: S311  # no secret
    for number in range(EXAMPLES * len(RECORD_GROUPS)):
        group = RECORD_GROUPS[number % len(RECORD_GROUPS)]
        events = generated_records(session, group, lambda _: random.randbytes(BLOCK))
        found = [event for event in events if isinstance(event, Violation)]
        if found:
            yield from found
            return


def _by_checks(step: Fault, checks: Any) -> str:
    """Return the cause of the first finding, of the first group with one."""
    session = session_of(faulty_codec(step))
    for check in checks:
        findings = Findings()
        for violation in check(session):
            findings.add(violation)
        causes = causes_of(findings.ordered(), WAYS)
        if causes:
            return causes[0].finding.key.rule
    return ""


@cache
def _vectors() -> tuple[VectorGroup, ...]:
    """Return the committed vectors of records, in the order of their files."""
    groups = [group for group in groups_of(read_tree(committed_vectors())) if group.message in RECORD_FILES]
    return tuple(sorted(groups, key=lambda group: list(RECORD_FILES).index(group.message)))


def vectors_failed(step: Fault) -> str:
    """Return the id of the first failed vector, or an empty text."""
    session, results, done = session_of(faulty_codec(step)), VectorResults(), _steps_of_vectors(step.side)
    for group in _vectors():
        vectors = [vector for vector in group.vectors if does(done[f"{group.prefix}/{vector['id']}"], step)]
        run_group(session, group._replace(content=group.content | {"vectors": vectors}), results)
        if results.failures:
            return results.failures[0].id
    return ""


@cache
def _steps_of_vectors(side: str) -> dict[str, Steps]:
    """Return the steps of reading each vector, or of writing its value, by its whole id."""
    return {
        f"{group.prefix}/{vector['id']}": _steps_of_vector(vector, side)
        for group in _vectors()
        for vector in group.vectors
    }


def _steps_of_vector(vector: dict[str, Any], side: str) -> Steps:
    if side == READ:
        return steps_of_reading(bytes.fromhex(vector["wire"])) if "wire" in vector else frozenset()
    if "value" not in vector:
        return frozenset()
    value = records_from_json(vector["value"])
    return steps_of_writing(value) | steps_of_writing(value | {PARTIAL: b""})
