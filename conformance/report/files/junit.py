"""JUnit's XML, as Jenkins, GitLab and others read it.

Each run is a test suite, and each rule a test. A rule with new findings is a failure. A rule with known findings only
is skipped, with their reasons. Untested rules are skipped too, so that they are visible. Rules for unspecified input
cannot fail and are left out.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

from conformance.definitions.catalogue import Rule, catalogue
from conformance.judge.levels import UNKNOWN_LEVEL
from conformance.report.areas import groups_of
from conformance.report.files.words import details, headline, title_of
from conformance.report.states import MEANINGS, State, rule_state
from conformance.system.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.judge.findings.lines import FindingLine
    from conformance.report.facts import RunReport

UNTRIED = {State.NOT_TESTED, State.NOT_OFFERED}
SILENT = {State.NOT_APPLICABLE, State.SHARED}
"""The states without a test.

The rule concerns another kind of program, or the run of the base release has its result.
"""

FOUND = {State.FINDING, State.KNOWN}

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'


class Mark(NamedTuple):
    """The result of a test, an element `failure`, `error` or `skipped`."""

    tag: str
    message: str
    text: str = ""
    type: str = ""


def junit(reports: Sequence[RunReport]) -> str:
    """Return the XML of some runs, in their order."""
    root = ET.Element("testsuites", name="kafka-wire-conformance")
    for report in reports:
        root.append(_suite(report))
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ET.indent(root)
    return f"{DECLARATION}\n{ET.tostring(root, encoding='unicode')}\n"


def _suite(report: RunReport) -> ET.Element:
    suite = ET.Element("testsuite", name=title_of(report))
    properties = ET.SubElement(suite, "properties")
    for name, value in _properties(report):
        ET.SubElement(properties, "property", name=name, value=printable(value))
    for name, marks in _tests(report):
        test = ET.SubElement(suite, "testcase", classname=title_of(report), name=printable(name))
        for mark in marks:
            _add(test, mark)
    suite.set("tests", str(len(suite.findall("testcase"))))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len([test for test in suite.findall("testcase") if test.find(tag) is not None])))
    return suite


def _add(test: ET.Element, mark: Mark) -> None:
    """Add a mark to a test.

    The reason for skipping is a text, since older versions of the schema have no attribute for it.
    """
    element = ET.SubElement(test, mark.tag)
    if mark.tag == "skipped":
        element.text = "\n".join(filter(None, (printable(mark.message), mark.text)))
        return
    element.set("message", printable(mark.message))
    element.text = mark.text
    if mark.type:
        element.set("type", printable(mark.type))


def _properties(report: RunReport) -> Iterator[tuple[str, str]]:
    yield from (("implementation", report.implementation), ("version", report.version), ("impl", report.impl))
    yield from (("release", report.release), ("suite", report.suite), ("report", report.source))
    yield "extent", str(report.extent)
    if report.shared.release:
        yield "base release", str(report.shared)


def _tests(report: RunReport) -> Iterator[tuple[str, list[Mark]]]:
    """Yield the name and the marks of each test.

    Tests of the run itself come first, then the rules, then the parts of the suite not offered by the adapter.
    """
    if not report.extent.is_complete:
        tag = "skipped" if report.extent.is_finished else "error"
        yield "the whole run", [Mark(tag, f"this is not a whole run: {report.extent}", "", str(report.extent.state))]
    yield "the adapter", [Mark("error", f"{text} ({count} times)", "", kind) for kind, text, count in report.faults]
    stale = [Mark("failure", f"no longer fails: {entry}", "", "stale") for entry in report.stale]
    yield "the file of known failures", stale
    for item in report.errors:
        yield item, [Mark("error", "an error of the suite itself")]
    findings = _by_rule(report)
    for rule in _rules(findings):
        state = rule_state(report, rule).state
        if state in FOUND or (not rule.is_open and state not in SILENT):
            yield rule.id, _marks(state, findings.get(rule.id, []))
    for part, why in report.parts:
        yield part, [Mark("skipped", f"not tested: {why}")]


def _by_rule(report: RunReport) -> dict[str, list[FindingLine]]:
    ordered = sorted(report.all_findings, key=lambda finding: finding.rule)
    return {rule: list(findings) for rule, findings in groupby(ordered, key=lambda finding: finding.rule)}


def _rules(findings: Iterable[str]) -> list[Rule]:
    """Return the rules for implementations, and other rules with findings, by id."""
    grouped = {rule.id: rule for group in groups_of() for rule in group.rules}
    others = {rule: catalogue().get(rule, Rule(rule, UNKNOWN_LEVEL, "", "", ())) for rule in findings}
    return [rule for _, rule in sorted({**others, **grouped}.items())]


def _marks(state: State, findings: list[FindingLine]) -> list[Mark]:
    """Return the marks of a rule, or none if it was tried and kept."""
    if state is State.FINDING:
        new = [finding for finding in findings if finding.status == "new"]
        return [Mark("failure", headline(each), "\n".join(details(each)), each.outcome) for each in new]
    if state is State.KNOWN:
        return [Mark("skipped", "known failures", "\n".join(f"{headline(each)}: {each.reason}" for each in findings))]
    return [Mark("skipped", f"{state}: {MEANINGS[state]}")] if state in UNTRIED else []
