"""The reports of a campaign, one for each implementation, as `--report` of a run writes them.

`kafka-conformance report` makes every form of them. Cases of a campaign are counted as a whole.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conformance import __version__
from conformance.judge.findings.causes import causes_of
from conformance.judge.findings.extent import COMPLETE
from conformance.judge.findings.known_failures import covers_all
from conformance.judge.findings.lines import AdapterFault, CaseCounts, Run
from conformance.judge.forms import as_json
from conformance.judge.subject import WAYS
from conformance.report.report_reading import report_from
from conformance.report.report_set import slug_of
from conformance.report.run_lines import finding_lines, summary_of
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.campaign.distil import Distilled
    from conformance.campaign.folder import Json
    from conformance.campaign.pipeline.storage import Storage
    from conformance.campaign.plan import CampaignSubject, Parameters
    from conformance.judge.findings.extent import Extent
    from conformance.judge.findings.finding import Finding
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.findings.lines import FindingLine, Line
    from conformance.report.facts import RunReport

REPORTS, SUFFIX = "reports", ".jsonl"


def write_reports(  # noqa: PLR0913, PLR0917  # what a report consists of
    folder: Storage,
    parameters: Parameters,
    manifest: Json,
    findings: Sequence[Distilled],
    listed: Sequence[KnownFailure] = (),
    extent: Extent = COMPLETE,
) -> None:
    """Write the report of each implementation of a campaign to its folder.

    `listed` has the entries of known failures, and `extent` says how much of a campaign it is.
    """
    for subject, totals in zip(parameters.subjects, manifest["implementations"], strict=True):
        own = [each for each in findings if each.subject == subject]
        lines = (json.dumps(as_json(line)) for line in _lines(parameters, subject, totals, own, listed, extent))
        name = f"{slug_of(subject.label)}{SUFFIX}"
        folder.within(REPORTS).write(name, "".join(f"{line}\n" for line in lines).encode())


def reports_in(folder: Storage) -> list[RunReport]:
    """Return the reports of a campaign, or none of a campaign of before, or raise BadReport."""
    return [
        report_from(content.decode().splitlines(), str(folder.within(f"{REPORTS}/{name}")))
        for name, content in folder.within(REPORTS).files(SUFFIX)
    ]


def _lines(  # noqa: PLR0913, PLR0917  # what a report consists of
    parameters: Parameters,
    subject: CampaignSubject,
    totals: Json,
    findings: Sequence[Distilled],
    listed: Sequence[KnownFailure],
    extent: Extent,
) -> Iterator[Line]:
    yield Run(
        suite=__version__,
        kind="codec",
        impl=subject.impl,
        release=parameters.release,
        implementation=subject.label.removesuffix(f" {subject.version}"),
        implementation_version=subject.version,
        options=["--release", parameters.release],
    )
    yield extent.line()
    for text in totals["faults"]:
        yield AdapterFault("campaign", text, 1)
    yield CaseCounts(
        {"campaign cases": totals["cases"]}, [(way, kind, count) for way, kind, count in totals["outcomes"]]
    )
    found = _findings(parameters, findings, listed)
    yield from found
    yield summary_of(found)


def _findings(
    parameters: Parameters, findings: Sequence[Distilled], listed: Sequence[KnownFailure]
) -> list[FindingLine]:
    release = load_release(parameters.release)
    by_key = {each.finding.key: each for each in findings}
    by_status: dict[bool, list[Finding]] = {False: [], True: []}
    for each in findings:
        by_status[covers_all(listed, each.finding)].append(each.finding)

    def facts(finding: Finding) -> dict[str, Any]:
        return by_key[finding.key].facts(release)

    def entries(finding: Finding) -> Iterator[tuple[KnownFailure, Finding]]:
        place = finding.example.message, finding.example.version
        yield next(entry for entry in listed if entry.covers_pair(finding.key, *place)), finding

    new, known = (causes_of(by_status[is_known], WAYS) for is_known in (False, True))
    return list(finding_lines(new, known, facts, entries))
