"""JUnit's XML, as Jenkins, GitLab and others read it.

Each run is a test suite. Each cause of findings is a test with one failure, and each cause of known failures a skipped
test with their reasons. Each other rule that cases have tried is a test that passes. What was not tested is said once,
in the output of the suite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

from conformance.report.areas import groups_of
from conformance.report.states import MEANINGS, State, rule_state
from conformance.report.words import causes_text, details, follower_line, headline, sentence, title_of, verdict_of
from conformance.system.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.report.facts import ReportedCause, RunReport

UNTRIED = (State.NOT_TESTED, State.NOT_OFFERED)

KEPT = {State.KEPT, State.PART}

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'


class Mark(NamedTuple):
    """The result of a test that did not pass, an element `failure`, `error` or `skipped`."""

    tag: str
    message: str
    text: str = ""
    type: str = ""


def junit(reports: Sequence[RunReport]) -> str:
    """Return the XML of some runs, in their order."""
    root = ET.Element("testsuites", name="kafka-wire-conformance")
    for report in reports:
        root.append(_suite(report))
    for name in ("tests", "failures", "errors"):  # Jenkins allows no others here
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ET.indent(root)
    return f"{DECLARATION}\n{ET.tostring(root, encoding='unicode')}\n"


def _suite(report: RunReport) -> ET.Element:
    suite = ET.Element("testsuite", name=title_of(report))
    properties = ET.SubElement(suite, "properties")
    for name, value in _properties(report):
        ET.SubElement(properties, "property", name=name, value=printable(value))
    for name, mark in _tests(report):
        test = ET.SubElement(suite, "testcase", classname=title_of(report), name=printable(name))
        if mark:
            _add(test, mark)
    suite.set("tests", str(len(suite.findall("testcase"))))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
    ET.SubElement(suite, "system-out").text = "\n".join(_output(report))
    return suite


def _add(test: ET.Element, mark: Mark) -> None:
    element = ET.SubElement(test, mark.tag)
    # A text, since older versions of the schema have no attribute for it.
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
    yield from (("extent", str(report.extent)), ("findings", causes_text(report)))
    if report.shared.release:
        yield "base release", str(report.shared)


def _tests(report: RunReport) -> Iterator[tuple[str, Mark | None]]:
    if not report.extent.is_complete:
        tag = "skipped" if report.extent.is_finished else "error"
        yield "the whole run", Mark(tag, f"this is not a whole run: {report.extent}", "", str(report.extent.state))
    yield "the adapter", _of_adapter(report)
    yield "the file of known failures", _of_known_failures(report)
    for error in report.errors:
        yield error.item, Mark("error", "an error of the suite itself", printable(error.text))
    for cause in report.causes:
        yield str(cause.finding.key), _failure(report, cause)
    for cause in report.known_causes:
        reasons = "\n".join(f"{headline(each)}: {printable(each.reason)}" for each in cause.findings)
        yield str(cause.finding.key), Mark("skipped", "known", reasons)
    for rule, state in _states(report):
        if state in KEPT:
            yield rule, None


def _of_adapter(report: RunReport) -> Mark | None:
    texts = [f"{kind}: {text} ({count} times)" for kind, text, count in report.faults]
    return Mark("error", texts[0], printable("\n".join(texts)), report.faults[0][0]) if texts else None


def _of_known_failures(report: RunReport) -> Mark | None:
    faults = [each.text for each in report.remarks if each.is_fault] or [f"stale: {entry}" for entry in report.stale]
    return Mark("failure", faults[0], printable("\n".join(faults)), "known failures") if faults else None


def _failure(report: RunReport, cause: ReportedCause) -> Mark:
    lines = [headline(cause.finding), *(line.text for line in details(cause.finding, report.tried_versions))]
    lines += [follower_line(finding) for finding in cause.followers]
    return Mark("failure", sentence(report, cause.finding), "\n".join(lines), cause.finding.outcome)


def _states(report: RunReport) -> Iterator[tuple[str, State]]:
    rules = {rule.id: rule for group in groups_of() for rule in group.rules if not rule.is_open}
    yield from ((rule_id, rule_state(report, rules[rule_id]).state) for rule_id in sorted(rules))


def _output(report: RunReport) -> Iterator[str]:
    for state in UNTRIED:
        rules = [rule for rule, found in _states(report) if found is state]
        if rules:
            yield f"{state}: {', '.join(rules)}. {MEANINGS[state]}"
    yield from (printable(f"not tested: {what} ({why})") for what, why in report.parts)
    yield str(verdict_of(report))
