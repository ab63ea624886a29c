"""One run of the deterministic checks against a mutant, in this process, and what it shows of the mutant."""

from dataclasses import dataclass

from conformance.codec.driver import Implementation
from conformance.codec.session import Session
from conformance.codec.tally import Tally
from conformance.judge.engine import counted
from conformance.judge.findings.causes import causes_of
from conformance.judge.findings.finding import Findings
from conformance.judge.forms import Key
from conformance.judge.subject import WAYS
from tests.helpers.sessions import session_of
from tests.mutants import stored
from tests.mutants.evidence import AnyMutant
from tests.mutants.framing import FramingMutant
from tests.mutants.stored import StoredMutant


@dataclass(frozen=True)
class Run:
    """What was found in a mutant, and which rules were tried."""

    findings: Findings
    tried: frozenset[str]

    @property
    def blamed(self) -> list[Key]:
        """The causes of what was found, the gravest first."""
        return [cause.finding.key for cause in causes_of(self.findings.ordered(), WAYS)]

    @property
    def rules(self) -> set[str]:
        """The rules of all findings, causes or not."""
        return {finding.rule for finding in self.findings.ordered()}


def run_of(mutant: AnyMutant) -> Run:
    """Run the deterministic checks against a mutant, where it shows."""
    findings, tally = Findings(), Tally()
    for violation in counted(mutant.check(session_of_mutant(mutant)), tally):
        findings.add(violation)
    return Run(findings, frozenset(tally.tried))


def session_of_mutant(mutant: AnyMutant) -> Session:
    """A session with a mutant in this process, against the release on which it shows."""
    implementation = Implementation(mutant.adapter())
    match mutant:
        case FramingMutant(release=release):
            return session_of(implementation, release)
        case StoredMutant():
            return session_of(implementation, stored.RELEASE)
        case _:
            return session_of(implementation)
