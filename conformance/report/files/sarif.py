"""SARIF 2.1.0, causes of findings for code scanning.

Each cause is a result at a line of a file of the tested project. A new one is at the adapter, a known one at its entry
in the file of known failures. A fingerprint is made of the implementation, the rule, the outcome and the cluster, so
that a result stays the same from version to version. The weaknesses of rules are tags for GitHub, and a taxonomy for
SARIF. Rules with hostile bytes that end or exhaust a process have the severity of a denial of service.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.definitions.catalogue import CWE_SITE, catalogue
from conformance.judge.events import Expected
from conformance.report.facts import address_of, rule_page
from conformance.report.files.markdown import code, fenced
from conformance.report.words import causes_text, counted, details, follower_line, headline, sentence, title_of
from conformance.system.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.definitions.catalogue import Weakness
    from conformance.judge.findings.lines import FindingLine
    from conformance.report.facts import ReportedCause, RunReport

    Json = dict[str, Any]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
VERSION = "2.1.0"
TOOL = "kafka-wire-conformance"

LEVELS = {"must": "error", "should": "warning", "unspecified": "note"}
KNOWN_LEVEL = "note"

SEVERITY = 7.5
"""The CVSS score of a denial of service over a network, for code scanning."""

CWE = {"name": "CWE", "index": 0}
"""The reference of rules to the taxonomy of a run."""
WEAK = frozenset(("fatal", "invalid-accepted"))
"""The impacts of hostile bytes. Findings of any other impact are about valid messages, and no weaknesses."""


class SourceLine(NamedTuple):
    """A line of a file, counted from 1, and the path of the file from the top of the repository."""

    uri: str
    line: int = 1


if TYPE_CHECKING:
    Places = Callable[[RunReport, FindingLine], SourceLine]


def sarif(reports: Sequence[RunReport], places: Places, site: str = "") -> str:
    """Return the JSON text of some runs. Rules link to their pages of the published `site`, if there is one."""
    runs = [_run(report, places, site) for report in reports]
    return json.dumps({"$schema": SCHEMA, "version": VERSION, "runs": runs}, indent=2) + "\n"


def _run(report: RunReport, places: Places, site: str) -> Json:
    rules = sorted({cause.finding.rule for cause in report.all_causes})
    fatal = {finding.rule for finding in report.all_findings if finding.impact == "fatal"}
    weaknesses = sorted({weakness for rule in rules for weakness in _weaknesses(rule)})
    described = [_rule(rule, site, weaknesses, is_fatal=rule in fatal) for rule in rules]
    driver = {"name": TOOL, "version": report.suite, "rules": described}
    return {
        "tool": {"driver": {**driver, "supportedTaxonomies": [CWE]}},
        "taxonomies": [_taxonomy(weaknesses)],
        "automationDetails": {"id": printable(f"{TOOL}/{report.implementation}/{report.release}/")},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": report.extent.is_finished}],
        "results": [_result(report, cause, rules, places) for cause in report.all_causes],
        "properties": {
            "title": title_of(report),
            "findings": causes_text(report),
            "extent": printable(str(report.extent)),
            "notTested": [f"{what}: {why}" for what, why in report.parts],
            **({"baseRelease": printable(str(report.shared))} if report.shared.release else {}),
        },
    }


def _weaknesses(rule_id: str) -> tuple[Weakness, ...]:
    rule = catalogue().get(rule_id)
    return rule.weaknesses if rule else ()


def _taxonomy(weaknesses: Sequence[Weakness]) -> Json:
    return {
        "name": CWE["name"],
        "organization": "MITRE",
        "shortDescription": {"text": "The Common Weakness Enumeration"},
        "informationUri": CWE_SITE,
        "taxa": list(map(_taxon, weaknesses)),
    }


def _taxon(weakness: Weakness) -> Json:
    return {"id": str(weakness.number), "name": weakness.name, "helpUri": weakness.address}


def _rule(rule_id: str, site: str, weaknesses: Sequence[Weakness], *, is_fatal: bool) -> Json:
    rule = catalogue().get(rule_id)
    text = rule.text if rule else f"{rule_id} is not in this version's catalogue of rules."
    parts = [text, f"Sources: {', '.join(rule.sources)}" if rule else "", f"kafka-conformance rules {rule_id}"]
    described: Json = {
        "id": rule_id,
        "shortDescription": {"text": text},
        "fullDescription": {"text": text},
        "help": {"text": "\n\n".join(parts), "markdown": "\n\n".join([*map(printable, parts[:-1]), code(parts[-1])])},
        "defaultConfiguration": {"level": LEVELS[rule.level if rule else "must"]},
        "relationships": [_relationship(each, weaknesses) for each in _weaknesses(rule_id)],
        "properties": {"tags": ["kafka", "wire protocol", rule_id.partition(".")[0], *map(_tag, _weaknesses(rule_id))]},
    }
    if is_fatal:
        described["properties"]["security-severity"] = str(SEVERITY)
    return {**described, "helpUri": f"{site.rstrip('/')}/{rule_page(rule_id)}"} if site else described


def _relationship(weakness: Weakness, weaknesses: Sequence[Weakness]) -> Json:
    target = {"id": str(weakness.number), "index": weaknesses.index(weakness), "toolComponent": CWE}
    return {"target": target, "kinds": ["superset"]}


def _tag(weakness: Weakness) -> str:
    return f"external/cwe/cwe-{weakness.number:03}"


def _result(report: RunReport, cause: ReportedCause, rules: list[str], places: Places) -> Json:
    finding, known = cause.finding, cause.is_known
    fingerprint = address_of(report.implementation, *finding.key, finding.entry)
    result = {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "level": KNOWN_LEVEL if known else LEVELS[finding.level],
        "message": _message(report, cause),
        "locations": [_location(places(report, finding))],
        "partialFingerprints": {"primaryLocationLineHash": fingerprint, "finding/v1": fingerprint},
        "occurrenceCount": max(finding.count, 1),  # SARIF wants 1 or more; random cases are not counted
        "properties": _properties(finding),
    }
    if known:
        reason = printable(finding.reason)
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": reason}]
    return result


def _message(report: RunReport, cause: ReportedCause) -> Json:
    finding = cause.finding
    first, replay = sentence(report, finding), printable(finding.replay)
    lines = [headline(finding), *(line.text for line in details(finding) if line.text != replay)]
    lines += map(follower_line, cause.followers)
    again = [fenced(replay, "sh")] if replay else []
    text = "\n".join([f"{first}.", "", *lines, *([replay] if replay else [])])
    return {"text": text, "markdown": "\n\n".join([f"{code(first)}", fenced("\n".join(lines)), *again])}


def _properties(finding: FindingLine) -> Json:
    pairs = counted(len(finding.pairs), "message version")
    facts = {"impact": finding.impact, "outcome": finding.outcome, "pairs": pairs}
    facts |= {"amplification": str(finding.amplification)} if finding.amplification else {}
    labels = [weakness.label for weakness in _weaknesses(finding.rule)] if _is_weakness(finding) else []
    return {**facts, "cwe": labels} if labels else facts


def _is_weakness(finding: FindingLine) -> bool:
    # A writer is given a value and no bytes, so its accepting an invalid one is no weakness.
    return finding.impact in WEAK and finding.example.expectation.what != Expected.REFUSAL


def _location(place: SourceLine) -> Json:
    region = {"startLine": place.line}
    return {"physicalLocation": {"artifactLocation": {"uri": place.uri}, "region": region}}
