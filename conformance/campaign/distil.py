"""From all violations of a campaign to one smallest case for each finding of each implementation."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.blame.reduction import reduced_bytes
from conformance.bridge.isolation import Limits
from conformance.bridge.opening import open_session
from conformance.campaign.folder import findings_of
from conformance.checks.cases import violation_of
from conformance.checks.hostile_bytes import HostileBytesCase, cut_hang, hostile_cases
from conformance.engine.run import violations
from conformance.findings.finding import ENDS, Finding, ordered
from conformance.findings.forms import as_json
from conformance.findings.report.texts import replay_line
from conformance.findings.report.wording import worded
from conformance.implementation.outcome import Kind
from conformance.suite.found_cases import found_files
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.campaign.plan import Parameters, Subject
    from conformance.findings.violations import Violation
    from conformance.implementation.session import Session
    from conformance.pipeline.storage import Storage
    from reference import Release

FINDINGS = "findings.json"
FOUND = "found"

SECONDS = 10.0
"""The time for one finding: each attempt on bytes that end a process costs a new one."""


class Distilled(NamedTuple):
    """One finding of one implementation, in its smallest case."""

    subject: Subject
    finding: Finding

    def as_json(self, release: Release) -> dict[str, Any]:
        """Return it as it is in findings.json."""
        finding = self.finding
        return {
            "implementation": self.subject.label,
            "version": self.subject.version,
            **finding.key._asdict(),
            "count": finding.count,
            "pairs": sorted(finding.pairs),
            "example": as_json(worded(finding.example.event())),
            "replay": replay_line(self.subject.impl, ["--release", release.name], finding.example),
        }


def distil(folder: Storage, parameters: Parameters, progress: Callable[[int, int], None]) -> list[Distilled]:
    """Find the smallest case of each finding of a finished campaign; write findings.json and the found cases.

    `progress` is called with the number of findings that are done, and of all.
    """
    release = load_release(parameters.release)
    merged = [(subject, _findings(folder, index, release)) for index, subject in enumerate(parameters.subjects)]
    count = sum(len(findings) for _, findings in merged)
    done: list[Distilled] = []
    for subject, findings in merged:
        if not findings:
            continue
        limits = Limits(parameters.memory, parameters.deadline)
        with open_session(subject.spec, release, limits) as session:
            may_end = any(_ends_writer(finding.example) for finding in findings)
            for finding in findings:
                progress(len(done), count)
                if not may_end:
                    finding.example = smallest(session, finding.example)
                finding.examples = [finding.example]
                done.append(Distilled(subject, finding))
    _write(folder, done, release)
    return done


def _ends_writer(violation: Violation) -> bool:
    """Return whether writing the case ends a process: an implementation that does so is not tried in this one."""
    return violation.direction == "encode" and violation.outcome in ENDS


def _findings(folder: Storage, index: int, release: Release) -> list[Finding]:
    """Return the findings of one implementation over all parts, in order."""
    found = [each for subject, each in findings_of(folder) if subject == index]
    return ordered([Finding.of(each, violation_of(each.example, release)) for each in found])


def smallest(session: Session, violation: Violation) -> Violation:
    """Return the smallest case found that breaks the same rule with the same outcome, and of which the same is said.

    Values are reduced by their check. For bytes that were drawn the deterministic inputs of the message are tried, and
    then fewer of the bytes themselves; a hang is cut short.
    """
    case = violation.case
    if not isinstance(case, HostileBytesCase) or case.deterministic:
        return violation
    if violation.outcome == Kind.TIMED_OUT:
        return cut_hang(session, violation)
    alike = [each for each in violations(session, hostile_cases(session, case.schema)) if each.key == violation.key]
    if alike:
        return min(alike, key=lambda each: each.weight)
    return _shortened(session, violation, case)


def _shortened(session: Session, violation: Violation, case: HostileBytesCase) -> Violation:
    until = time.monotonic() + SECONDS
    best = violation

    def fails(wire: bytes) -> bool:
        nonlocal best
        if time.monotonic() > until:
            return False
        shorter = HostileBytesCase(case.schema, case.name, "", wire, deterministic=False)
        same = next((each for each in violations(session, [shorter]) if each.key == violation.key), None)
        best = same or best
        return same is not None

    reduced_bytes(case.data, fails)
    return best


def _write(folder: Storage, done: list[Distilled], release: Release) -> None:
    for subject, findings in _by_subject(done):
        run = {"impl": subject.impl, "implementation": subject.label, "version": subject.version}
        for name, text in found_files(findings, run, release):
            folder.write(f"{FOUND}/{name}", text.encode())
    document = [distilled.as_json(release) for distilled in done]
    folder.write(FINDINGS, (json.dumps(document, indent=1) + "\n").encode())


def _by_subject(done: list[Distilled]) -> Iterator[tuple[Subject, list[Finding]]]:
    for subject in dict.fromkeys(each.subject for each in done):
        yield subject, [each.finding for each in done if each.subject == subject]
