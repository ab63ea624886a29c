"""The results of the suite's fixed cases and the golden vectors for one codec."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.findings.causes import causes_of
from conformance.judge.findings.finding import Findings
from conformance.judge.subject import WAYS
from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import VectorFile, VectorGroup, committed_vectors, groups_of
from conformance.vectors.verification.runner import VectorResults, run_group
from reference import Release
from tests.helpers.sessions import session_of
from tests.mutants.single_faults.fault import Seen

Check = Callable[[Session], Iterator[Violation]]


def seen_by(adapter: LoadedAdapter, release: Release, check: Check, files: Iterable[VectorFile]) -> Seen:
    """Return the results of a codec with a difference, without generated cases, as these families have none."""
    findings, first = Findings(), ""
    for violation in check(session_of(PythonCodec(adapter), release)):
        findings.add(violation)
        first = first or violation.rule
    causes = causes_of(findings.ordered(), WAYS)
    named = causes[0].finding.rule if causes else ""
    return Seen(differs=True, fixed=first, generated="", vectors=failed_vector(adapter, release, files), first=named)


UNSEEN = Seen(differs=False, fixed="", generated="", vectors="", first="")
"""The results of a fault without a difference on any input."""


def failed_vector(adapter: LoadedAdapter, release: Release, files: Iterable[VectorFile]) -> str:
    """Return the id of the first vector failed by the codec, or an empty text."""
    session, results = Session(PythonCodec(adapter), release), VectorResults()
    for file in files:
        for group in groups(file):
            run_group(session, group, results)
            if results.failures:
                return results.failures[0].id
    return ""


@cache
def groups(file: VectorFile) -> tuple[VectorGroup, ...]:
    """Return the committed groups of a file, of an older release only if they differ there."""
    path = committed_vectors() / file.path
    return tuple(groups_of({file.path: read_file(path)})) if path.exists() else ()
