"""SARIF 2.1.0: findings as code scanning shows them, each at a line of a file of the project that is tested.

A new finding is shown where the adapter is, a known one at its entry of the file of known failures. Fingerprints are
made of the implementation, its rule, outcome and cluster, so that a finding stays the same from version to version.
The weaknesses of rules are tags as GitHub reads them, and a taxonomy as SARIF has it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.definitions.catalogue import CWE_SITE, catalogue
from conformance.judge.events import Expected
from conformance.report.facts import address_of
from conformance.report.files.words import counted, details, headline, title_of
from conformance.system.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.definitions.catalogue import Weakness
    from conformance.judge.findings.lines import FindingLine
    from conformance.report.facts import RunReport

    Json = dict[str, Any]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
VERSION = "2.1.0"
TOOL = "kafka-wire-conformance"

LEVELS = {"must": "error", "should": "warning", "unspecified": "note"}
KNOWN_LEVEL = "note"

CWE = {"name": "CWE", "index": 0}
"""The taxonomy of a run, as rules refer to it."""
WEAK = frozenset(("fatal", "invalid-accepted"))
"""The harms of hostile bytes; any other is a mistake about sound messages, and no weakness."""


class SourceLine(NamedTuple):
    """A line of a file: `uri` is relative to the top of the repository, lines count from 1."""

    uri: str
    line: int = 1


if TYPE_CHECKING:
    Places = Callable[[RunReport, FindingLine], SourceLine]


def sarif(reports: Sequence[RunReport], places: Places, site: str = "") -> str:
    """Return the JSON text of some runs.

    Args:
        reports: the runs, in their order.
        places: says where a finding is shown.
        site: the address of a published site; with it, each rule has the address of its page.
    """
    runs = [_run(report, places, site) for report in reports]
    return json.dumps({"$schema": SCHEMA, "version": VERSION, "runs": runs}, indent=2) + "\n"


def _run(report: RunReport, places: Places, site: str) -> Json:
    rules = sorted({finding.rule for finding in report.all_findings})
    weaknesses = sorted({weakness for rule in rules for weakness in _weaknesses(rule)})
    driver = {"name": TOOL, "version": report.suite, "rules": [_rule(rule, site, weaknesses) for rule in rules]}
    return {
        "tool": {"driver": {**driver, "supportedTaxonomies": [CWE]}},
        "taxonomies": [_taxonomy(weaknesses)],
        "automationDetails": {"id": printable(f"{TOOL}/{report.implementation}/{report.release}/")},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": report.extent.is_finished}],
        "results": [_result(report, finding, rules, places) for finding in report.all_findings],
        "properties": {
            "title": title_of(report),
            "extent": printable(str(report.extent)),
            "notTested": [f"{what}: {why}" for what, why in report.parts],
            **({"baseRelease": printable(str(report.shared))} if report.shared.release else {}),
        },
    }


def _weaknesses(rule_id: str) -> tuple[Weakness, ...]:
    rule = catalogue().get(rule_id)
    return rule.weaknesses if rule else ()


def _taxonomy(weaknesses: Sequence[Weakness]) -> Json:
    """Return the weaknesses of a run's rules, in the order of their numbers."""
    return {
        "name": CWE["name"],
        "organization": "MITRE",
        "shortDescription": {"text": "The Common Weakness Enumeration"},
        "informationUri": CWE_SITE,
        "taxa": list(map(_taxon, weaknesses)),
    }


def _taxon(weakness: Weakness) -> Json:
    return {"id": str(weakness.number), "name": weakness.name, "helpUri": weakness.address}


def _rule(rule_id: str, site: str, weaknesses: Sequence[Weakness]) -> Json:
    rule = catalogue().get(rule_id)
    text = rule.text if rule else f"{rule_id} is not in this version's catalogue of rules."
    sources = f"Sources: {', '.join(rule.sources)}" if rule else ""
    described = {
        "id": rule_id,
        "shortDescription": {"text": text},
        "help": {"text": f"{text}\n\n{sources}\n\nkafka-conformance rules {rule_id}"},
        "defaultConfiguration": {"level": LEVELS[rule.level if rule else "must"]},
        "relationships": [_relationship(each, weaknesses) for each in _weaknesses(rule_id)],
        "properties": {"tags": ["kafka", "wire protocol", rule_id.partition(".")[0], *map(_tag, _weaknesses(rule_id))]},
    }
    return {**described, "helpUri": f"{site.rstrip('/')}/{rule_page(rule_id)}"} if site else described


def _relationship(weakness: Weakness, weaknesses: Sequence[Weakness]) -> Json:
    target = {"id": str(weakness.number), "index": weaknesses.index(weakness), "toolComponent": CWE}
    return {"target": target, "kinds": ["superset"]}


def _tag(weakness: Weakness) -> str:
    """Return the tag by which GitHub's code scanning knows a weakness."""
    return f"external/cwe/cwe-{weakness.number:03}"


def rule_page(rule_id: str) -> str:
    """Return the address of a rule's page, relative to the site."""
    return f"rules/{rule_id}.html"


def _result(report: RunReport, finding: FindingLine, rules: list[str], places: Places) -> Json:
    known = finding.status == "known"
    fingerprint = address_of(report.implementation, *finding.key, finding.entry)
    result = {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "level": KNOWN_LEVEL if known else LEVELS[finding.level],
        "message": {"text": "\n".join([headline(finding), *details(finding)])},
        "locations": [_location(places(report, finding))],
        "partialFingerprints": {"primaryLocationLineHash": fingerprint, "finding/v1": fingerprint},
        "occurrenceCount": max(finding.count, 1),
        "properties": _properties(finding),
    }
    if known:
        reason = printable(finding.reason)
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": reason}]
    return result


def _properties(finding: FindingLine) -> Json:
    pairs = counted(len(finding.pairs), "message version")
    facts = {"impact": finding.impact, "outcome": finding.outcome, "pairs": pairs}
    facts |= {"amplification": str(finding.amplification)} if finding.amplification else {}
    labels = [weakness.label for weakness in _weaknesses(finding.rule)] if _is_weakness(finding) else []
    return {**facts, "cwe": labels} if labels else facts


def _is_weakness(finding: FindingLine) -> bool:
    """Return whether a finding is about hostile bytes; a writer that takes what has no bytes was given none."""
    return finding.impact in WEAK and finding.example.expectation.what != Expected.REFUSAL


def _location(place: SourceLine) -> Json:
    region = {"startLine": place.line}
    return {"physicalLocation": {"artifactLocation": {"uri": place.uri}, "region": region}}
