"""The reduction of a campaign's violations to findings.

Each finding of an implementation has one case, the smallest one found.
"""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from conformance.campaign.attempts import TASKS, NotThisCampaign
from conformance.campaign.folder import FINDINGS
from conformance.campaign.history import FindingId
from conformance.campaign.spark.corpus_plan import RECORD
from conformance.codec.bridge.opening import open_session
from conformance.codec.outcome import Kind
from conformance.definitions.catalogue import catalogue
from conformance.judge.checks.all_cases import violation_of
from conformance.judge.checks.hostile_bytes import HostileBytesCase, cut_hang, hostile_cases, smaller_bytes
from conformance.judge.engine import violations
from conformance.judge.findings.finding import Finding, PartFinding, ordered
from conformance.judge.findings.wording import worded
from conformance.judge.forms import as_json
from conformance.report.files.found_cases import found_files
from conformance.report.terminal.finding_texts import replay_line
from reference import CodecError, load_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.campaign.attempts import Attempts
    from conformance.campaign.plan import CampaignSubject, Parameters
    from conformance.campaign.spark.storage import Storage
    from conformance.codec.session import Session
    from conformance.judge.case import Violation
    from conformance.judge.forms import Key
    from reference import Release

FOUND = "found"


class Distilled(NamedTuple):
    """One finding of one implementation, in its smallest case."""

    subject: CampaignSubject
    finding: Finding

    @property
    def known(self) -> FindingId:
        """The identity of the finding in all campaigns."""
        return FindingId(self.subject.label, *self.finding.key)

    def as_json(self, release: Release) -> dict[str, Any]:
        """Return the finding as an entry of findings.json."""
        finding = self.finding
        return {
            "implementation": self.subject.label,
            "version": self.subject.version,
            **finding.key._asdict(),
            "count": finding.count,
            "pairs": sorted(finding.pairs),
            "example": as_json(worded(finding.example.event())),
            "replay": self.replay(release),
        }

    def replay(self, release: Release) -> str:
        """Return the command to run its case."""
        return replay_line(self.subject.impl, ["--release", release.name], self.finding.example)


class KnownFindings(NamedTuple):
    """Findings reported earlier.

    Attributes:
        is_known: whether a finding needs neither a small case nor a file.
        cases: the folder for found cases; None for the campaign's own.
    """

    is_known: Callable[[Distilled], bool] = lambda _: False
    cases: Storage | None = None


EVERYTHING = KnownFindings()
"""No finding is known."""


def distil(
    folder: Storage,
    parameters: Parameters,
    found: Attempts,
    progress: Callable[[int, int], None],
    known: KnownFindings = EVERYTHING,
) -> list[Distilled]:
    """Find the smallest case of each finding of a finished campaign.

    Findings.json and the found cases are written.

    Args:
        folder: the campaign's folder.
        parameters: the campaign's parameters.
        found: the attempts that count.
        progress: called with the number of finished findings and of all.
        known: the findings reported earlier, and the folder for the cases of the others.
    """
    release = load_release(parameters.release)
    merged = [
        Distilled(subject, finding)
        for subject in parameters.subjects
        for finding in _findings(found, subject.label, release)
    ]
    fresh = [each for each in merged if not known.is_known(each)]
    done = count()
    for subject, own in _by_subject(fresh):
        with open_session(subject.spec, release, parameters.limits, isolate_all=True) as session:
            for finding in own:
                progress(next(done), len(fresh))
                finding.example = smallest(session, finding.example)
                finding.examples = [finding.example]
    _write_found(known.cases or folder.within(FOUND), fresh, release)
    document = [distilled.as_json(release) for distilled in merged]
    folder.write(FINDINGS, (json.dumps(document, indent=1) + "\n").encode())
    return merged


EXAMPLES = 20
"""Tasks whose example of a finding is considered. A large campaign has thousands of tasks."""


def _findings(found: Attempts, label: str, release: Release) -> list[Finding]:
    """Return the findings of one implementation over all tasks, in order."""
    by_key: dict[Key, list[Finding]] = {}
    for record in found.records:
        for event in record["findings"] if record["implementation"] == label else ():
            each = msgspec.convert(event, PartFinding)
            own = by_key.setdefault(each.key, [])
            if len(own) < EXAMPLES:
                own.append(Finding.of(each, _example(each, release, record["name"])))
            else:
                own[0].merge(Finding.of(each, own[0].example))
    return ordered([finding for own in by_key.values() for finding in own])


def _example(finding: PartFinding, release: Release, name: str) -> Violation:
    try:
        catalogue()[finding.key.rule]
        return violation_of(finding.example, release)
    except (ValueError, CodecError, KeyError) as error:
        problem = f"the record {TASKS}/{name}{RECORD} is damaged: {error}"
        raise NotThisCampaign(f"{problem}. Delete it, and run the campaign again.") from error


def smallest(session: Session, violation: Violation) -> Violation:
    """Return the smallest violation found with the same key.

    It breaks the same rule, with the same outcome and the same cluster of texts.

    The check of a value has reduced it already. For drawn bytes the deterministic inputs of the message are tried
    first, and then fewer of the bytes themselves. A hang is cut short.
    """
    case = violation.case
    if not isinstance(case, HostileBytesCase) or case.deterministic:
        return violation
    if violation.outcome == Kind.TIMED_OUT:  # each further try would take the whole deadline of a decode
        return cut_hang(session, violation)
    same = [each for each in violations(session, hostile_cases(session, case.schema)) if each.key == violation.key]
    if same:
        return min(same, key=lambda each: each.weight)
    return smaller_bytes(session, violation)


def _write_found(folder: Storage, done: list[Distilled], release: Release) -> None:
    for subject, findings in _by_subject(done):
        run = {"impl": subject.impl, "implementation": subject.label, "version": subject.version}
        for name, text in found_files(findings, run, release):
            folder.write(name, text.encode())


def _by_subject(done: list[Distilled]) -> Iterator[tuple[CampaignSubject, list[Finding]]]:
    for subject in dict.fromkeys(each.subject for each in done):
        yield subject, [each.finding for each in done if each.subject == subject]
