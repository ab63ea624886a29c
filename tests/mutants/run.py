"""Runs of the deterministic checks, and of the vectors, against one mutant in this process."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.judge.engine import counted
from conformance.judge.findings.causes import Cause, causes_of
from conformance.judge.findings.finding import Findings
from conformance.judge.forms import Key
from conformance.judge.subject import WAYS
from conformance.judge.tally import Tally
from conformance.vectors.enumeration.record_vectors import RECORD_FILES
from conformance.vectors.tree.vector_files import read_tree
from conformance.vectors.tree.vector_paths import VectorGroup, committed_vectors, groups_of
from conformance.vectors.verification.runner import VectorResults, run_group
from tests.helpers.sessions import session_of
from tests.mutants.around import AroundMutant
from tests.mutants.evidence import AnyMutant
from tests.mutants.mutant import Mutant
from tests.mutants.records import RecordsMutant


@dataclass(frozen=True)
class Run:
    """The findings of a mutant, the tried rules, and the number of violations in each direction."""

    findings: Findings
    tried: frozenset[str]
    directions: Mapping[str, int]

    @cached_property
    def causes(self) -> list[Cause]:
        """The causes of the findings, the gravest first."""
        return causes_of(self.findings.ordered(), WAYS)

    @property
    def blamed(self) -> list[Key]:
        return [cause.finding.key for cause in self.causes]

    @property
    def rules(self) -> set[str]:
        """The rules of all findings, causes or not."""
        return {finding.rule for finding in self.findings.ordered()}


def run_of(mutant: AnyMutant) -> Run:
    """Run the deterministic checks against a mutant on its pairs."""
    findings, tally, directions = Findings(), Tally(), Counter[str]()
    for violation in counted(mutant.check(session_of_mutant(mutant)), tally):
        findings.add(violation)
        directions[violation.direction] += 1
    return Run(findings, frozenset(tally.tried), directions)


def session_of_mutant(mutant: AnyMutant) -> Session:
    """Return a session with a mutant in this process, against its release."""
    implementation = PythonCodec(mutant.adapter())
    return session_of(implementation, mutant.release if isinstance(mutant, AroundMutant) else None)


def vectors_of(mutant: AnyMutant) -> Iterator[VectorResults]:
    """Run the vectors of the pairs of a mutant, and yield the results so far after each group.

    To stop at the first group with a failure takes a fifth of the time.
    """
    results, session = VectorResults(), session_of(PythonCodec(mutant.adapter()))
    for group in _groups_for(mutant):
        run_group(session, group, results)
        yield results


@cache
def _vectors() -> Mapping[tuple[str, int], list[VectorGroup]]:
    """Return the committed vectors of each pair by message and version, others by the file's name and version 0."""
    groups: dict[tuple[str, int], list[VectorGroup]] = {}
    for group in groups_of(read_tree(committed_vectors())):
        groups.setdefault((group.message, group.version), []).append(group)
    return groups


def _groups_for(mutant: AnyMutant) -> Iterator[VectorGroup]:
    """Return the vectors of the pairs, or of the wire types, of a mutant."""
    if isinstance(mutant, RecordsMutant):
        pairs = [(name, 0) for name in RECORD_FILES]
    elif isinstance(mutant, AroundMutant):
        pairs = [*mutant.places]
    else:
        assert isinstance(mutant, Mutant)
        pairs = [(schema.message, schema.version) for schema in mutant.schemas()]
    for pair in pairs:
        yield from _vectors().get(pair, ())
