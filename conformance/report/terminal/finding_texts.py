"""The text of a finding on a terminal.

It has the rule, the place, the bytes and the replay line. Lines are wrapped to the width of the terminal, and coloured
if it has colours. They have no control characters.
"""

from __future__ import annotations

from collections import defaultdict
from io import StringIO
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.text import Text

from conformance.definitions.catalogue import Rule, catalogue
from conformance.judge.findings.wording import actual_text, expected_text, length_of
from conformance.judge.levels import level_of, sentence_of
from conformance.system.printable import printable
from conformance.system.terminal import new_console
from reference.definitions.model import ranges_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from conformance.judge.case import Violation
    from conformance.judge.findings.finding import Finding

MAXIMUM_HEX = 96
"""The highest number of hex digits shown, around the first difference."""

MINIMUM_HEX = 16
MAXIMUM_FIELDS = 5
"""The number of fields named of a finding; the report has all of them."""

AROUND_HEX = 30
"""The number of characters beside the hex digits of a line, like `expected  ...` and `... (70000 bytes)`."""

_HEX = frozenset("0123456789abcdef")

INDENT = 4

MINIMUM_WIDTH = 40
"""The smallest width of lines, also on a narrower terminal."""


def replay_line(impl: str, options: Sequence[str], violation: Violation) -> str:
    """Return the command to run this case again with these options."""
    return violation.case.replay_line(impl, options, violation.direction)


def rule_lines(violation: Violation) -> list[str]:
    """Return the text of a rule, its sources, and the command for an example."""
    rule: Rule | None = catalogue().get(violation.rule)
    if rule is None:
        return []
    return [
        sentence_of(violation.rule, violation.side, violation.outcome),
        f"source: {', '.join(rule.sources)}",
        f"example: kafka-conformance rules {rule.id}",
    ]


def headline(finding: Finding) -> str:
    """Return one line with the rule, level, outcome, cases and message versions of a finding."""
    level = level_of(finding.rule, finding.example.side, finding.outcome)
    pairs = f"{len(finding.pairs)} message version{'s' if len(finding.pairs) != 1 else ''}"
    times = f"{finding.count:,} case{'s' if finding.count != 1 else ''}" if finding.count else "random cases"
    return f"{finding.rule} ({level}), outcome {finding.outcome}: {times} in {pairs}"


def fields_line(finding: Finding) -> str:
    """Return the fields of a finding, each with its number of cases, the most frequent first."""
    totals = finding.totals
    named = [f"{field or 'the message'} {count:,}" for field, count in list(totals.items())[:MAXIMUM_FIELDS]]
    more = [f"and {len(totals) - MAXIMUM_FIELDS} more"] if len(totals) > MAXIMUM_FIELDS else []
    return "fields: " + ", ".join([*named, *more])


def common_line(finding: Finding) -> str:
    """Return the traits common to all values of a finding and to no accepted one, or "" if there are none."""
    traits = " and ".join(finding.traits)
    return f"in common: {traits}, in each of these cases and in none that passed" if traits else ""


def pairs_line(finding: Finding, tried: Mapping[str, Sequence[int]] | None = None) -> str:
    """Return the messages and versions of a finding, the first ones by name.

    Args:
        finding: the finding.
        tried: all tried versions of each message, named if they are more.
    """
    versions: defaultdict[str, list[int]] = defaultdict(list)
    for message, version in sorted(finding.fields):
        versions[message].append(version)
    named = []
    for message, numbers in list(versions.items())[:MAXIMUM_FIELDS]:
        others = (tried or {}).get(message, numbers)
        beside = f" (tried: v{_named_versions(others)})" if len(others) > len(numbers) else ""
        named.append(f"{message} v{_named_versions(numbers)}{beside}")
    more = [f"and {len(versions) - MAXIMUM_FIELDS} more messages"] if len(versions) > MAXIMUM_FIELDS else []
    return "versions: " + ", ".join([*named, *more])


def _named_versions(numbers: Sequence[int]) -> str:
    return "+".join(map(str, ranges_of(numbers)))


def comparison_lines(violation: Violation, width: int = MAXIMUM_HEX + AROUND_HEX) -> list[str]:
    """Return the lines with the expected and the actual side.

    A caret marks the first different byte, if both sides are bytes. Bytes are cut, so that no line is longer than
    `width`.
    """
    expected, actual = expected_text(violation.expectation), actual_text(violation.observation)
    size = max(MINIMUM_HEX, min(MAXIMUM_HEX, width - AROUND_HEX)) // 2 * 2
    if not (_is_hex(expected) and _is_hex(actual)):
        return [f"{side:<10}{_start(text, size)}" for side, text in (("expected", expected), ("actual", actual))]
    at = _first_difference(expected, actual)
    start = max(0, at - size // 2) // 2 * 2
    return [
        f"expected  {_window(expected, start, size)}",
        f"actual    {_window(actual, start, size)}",
        " " * (10 + (3 if start else 0) + at - start) + f"^^ byte {at // 2}",
    ]


def place_line(violation: Violation) -> str:
    """Return the direction, message, version, field and name of a case."""
    field = f", field {violation.path}" if violation.path else ""
    name = violation.case.name
    case = f", case {name}" if name and name != violation.path else ""
    return f"{violation.direction} {violation.message} v{violation.version}{field}{cut(case)}"


def _is_hex(text: str) -> bool:
    return len(text) % 2 == 0 and _HEX.issuperset(text)


def _first_difference(expected: str, actual: str) -> int:
    pairs = zip(expected, actual, strict=False)
    at = next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(expected), len(actual)))
    return at // 2 * 2


def _window(text: str, start: int, size: int) -> str:
    end = start + size
    return ("..." if start else "") + text[start:end] + (f"... ({len(text) // 2} bytes)" if end < len(text) else "")


def _start(text: str, size: int) -> str:
    """Return the start of a text.

    A text without spaces, for example bytes, is cut to one line.
    """
    return cut(text) if " " in text[:size] else cut(text, size)


def cut(text: str, maximum: int = 200) -> str:
    """Return a text, or its beginning with the length of the whole."""
    return text if len(text) <= maximum else f"{text[:maximum]}... ({length_of(text)} characters)"


class Lines:
    """Text for a terminal, gathered line by line."""

    def __init__(self, width: int, *, color: bool) -> None:
        self.width = max(width, MINIMUM_WIDTH)
        self._file = StringIO()
        self._console = new_console(
            file=self._file,
            width=self.width,
            force_terminal=color,
            no_color=not color,
            highlight=False,
            legacy_windows=False,
        )

    def rule(self, title: str) -> None:
        """Add a title, between lines to both sides."""
        self._console.rule(Text(printable(title), style="bold"), characters="=")

    def add(self, text: str = "", *, indent: int = 0, style: str = "") -> None:
        """Add one line, wrapped with a deeper indentation if it is too long."""
        for line in self._wrapped(printable(text), indent) or [""]:
            self._print(line, style)

    def add_whole(self, text: str, *, indent: int = 0, style: str = "") -> None:
        """Add one line without wrapping.

        A command must stay whole to be copied, and bytes must stand above their mark.
        """
        self._print(" " * indent + printable(text), style)

    def table(self, table: Table) -> None:
        """Add a table of rich."""
        self._console.print(table)

    def _wrapped(self, text: str, indent: int) -> list[str]:
        first, below = " " * indent, " " * (indent + INDENT)
        return wrap(text, self.width, initial_indent=first, subsequent_indent=below, break_on_hyphens=False)

    def _print(self, line: str, style: str) -> None:
        self._console.print(Text(line, style=style), soft_wrap=True)

    def __str__(self) -> str:
        return "".join(f"{line.rstrip()}\n" for line in self._file.getvalue().splitlines())
