"""Known failures, kept in a file.

They are expected, and a run passes if it finds no others.

    [[failure]]
    rule = "string.malformed-utf8"
    messages = ["FetchRequest", "FetchResponse-v4..17"]
    outcome = "rejected"
    pattern = "UnicodeDecodeError: *"
    reason = "raises another exception than its own; see issue 7"
    link = "an issue, if there is one"

Without a pattern an entry covers any text of the implementation. Messages and versions are patterns, too, as `Fetch*`
or `FetchRequest-v1[2-7]`.

The file is a ratchet: an entry without a matching deterministic case fails the run. See
conformance/judge/findings/.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from conformance.codec.selection import BadSelection, Selector, parse_selection
from conformance.definitions.catalogue import catalogue
from conformance.targets.outcome import Kind
from reference import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.toml_text import read_toml

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from conformance.judge.case import Violation
    from conformance.judge.findings.finding import Finding
    from conformance.judge.forms import Key, Pair

OUTCOMES = (*(str(kind) for kind in Kind), "consumed", "size", "header-version")
"""The possible outcomes of an entry, as `Violation.outcome`."""

REQUIRED = ("rule", "messages", "outcome", "reason")
TEXTS = ("rule", "outcome", "pattern", "reason", "link", "release")
OPTIONAL = ("pattern", "link", "release", "at_most", "sometimes")

EVERY_RELEASE = "*"
ANY_CLUSTER = "*"

PLACEHOLDER = "not yet explained"
"""The reason of an entry added by --update-known-failures; every run warns until somebody writes the reason."""

MAXIMUM_SHOWN = 3
"""The number of patterns of an entry in the summary."""


class BadKnownFailures(ConformanceError):
    """An invalid file of known failures.

    The text has the place and the problem.
    """


@dataclass(frozen=True)
class KnownFailure:
    """One entry."""

    rule: str
    messages: tuple[str, ...]
    """Globs over names, over names with a range of versions, or over pairs as `FetchRequest-v17`."""
    outcome: str
    reason: str
    link: str = ""
    release: str = EVERY_RELEASE
    """A glob over releases, for failures in some of them only."""
    at_most: int | None = None
    """The number of messages that one of its globs may cover, if more than `ratchet.MAXIMUM_MESSAGES`."""
    sometimes: bool = False
    """Whether it occurs in some runs only, as where an implementation reads memory of others; never stale."""
    pattern: str = ANY_CLUSTER
    """A glob over clusters: see `conformance.judge.clusters`."""

    def is_about(self, release: str) -> bool:
        """Return whether it applies to a run against a release."""
        return fnmatchcase(release, self.release)

    def covers(self, violation: Violation) -> bool:
        """Return whether it covers a violation."""
        return self.covers_pair(violation.key, violation.message, violation.version)

    def covers_pair(self, key: Key, message: str, version: int) -> bool:
        """Return whether it covers a finding in one message and version."""
        return (
            (key.rule, key.outcome) == (self.rule, self.outcome)
            and fnmatchcase(key.cluster, self.pattern)
            and matches_any(self.messages, message, version)
        )

    @property
    def is_explained(self) -> bool:
        """Return whether it has a reason of its own."""
        return self.reason != PLACEHOLDER

    @property
    def shown_messages(self) -> str:
        """Return its first patterns, and the number of the others."""
        more = len(self.messages) - MAXIMUM_SHOWN
        return ", ".join(self.messages[:MAXIMUM_SHOWN]) + (f" and {more} more" if more > 0 else "")

    def __str__(self) -> str:
        return f"{self.what} in {', '.join(self.messages)}"

    @property
    def what(self) -> str:
        """The rule and the outcome, and the pattern if there is one."""
        return f"{self.rule} ({self.outcome})" + (f": {self.pattern}" if self.pattern != ANY_CLUSTER else "")


def covers_all(entries: Iterable[KnownFailure], finding: Finding) -> bool:
    """Return whether a finding is covered in each of its messages and versions."""
    own = list(entries)
    return all(any(entry.covers_pair(finding.key, *pair) for entry in own) for pair in finding.fields)


def load_known_failures(path: Path) -> list[KnownFailure]:
    """Read a file of known failures.

    Raises:
        BadKnownFailures: there is no such file, it is no TOML, or an entry lacks a required key.
    """
    try:
        document = read_toml(path)
    except FileNotFoundError as error:
        hint = "--update-known-failures writes it"
        raise BadKnownFailures(f"{path}: {error.strerror}; {hint}") from error
    except OSError as error:
        raise BadKnownFailures(f"{path}: {error.strerror}") from error
    except BadInput as error:
        raise BadKnownFailures(str(error)) from error
    entries = document.pop("failure", [])
    if document or not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        wrong = next(iter(document), "failure")
        raise BadKnownFailures(f"{path}: {wrong!r} is not a list of entries; each entry begins with [[failure]]")
    return [_entry(path, number, entry) for number, entry in enumerate(entries, start=1)]


def _entry(path: Path, number: int, entry: dict[str, Any]) -> KnownFailure:
    place = f"{path}, entry {number}"
    for key in REQUIRED:
        if not entry.get(key) or (key in TEXTS and not _is_text(entry[key])):
            raise BadKnownFailures(f"{place}: {key!r} is missing; an entry has {', '.join(REQUIRED)}")
    unknown = sorted(set(entry) - {*REQUIRED, *OPTIONAL})
    if unknown:
        raise BadKnownFailures(f"{place}: {unknown[0]!r} is not a key of an entry")
    for key in TEXTS:
        if not isinstance(entry.get(key, ""), str):
            raise BadKnownFailures(f"{place}: {key!r} is {entry[key]!r}, not a text")
    if entry["outcome"] not in OUTCOMES:
        raise BadKnownFailures(f"{place}: there is no outcome {entry['outcome']!r}; there are {', '.join(OUTCOMES)}")
    if entry["rule"] not in catalogue():
        raise BadKnownFailures(f"{place}: there is no rule {entry['rule']!r}")
    at_most = entry.get("at_most")
    if at_most is not None and (type(at_most) is not int or at_most < 1):
        raise BadKnownFailures(f"{place}: 'at_most' is {at_most!r}, not a number of messages")
    if not isinstance(entry.get("sometimes", False), bool):
        raise BadKnownFailures(f"{place}: 'sometimes' is {entry['sometimes']!r}, not true or false")
    return KnownFailure(**{**entry, "messages": _patterns(place, entry["messages"])})


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _patterns(place: str, messages: Any) -> tuple[str, ...]:
    """Return one pattern, or a list of them, as a tuple."""
    patterns = messages if isinstance(messages, list) else [messages]
    if not all(_is_text(pattern) for pattern in patterns):
        raise BadKnownFailures(f"{place}: 'messages' is {messages!r}, not a glob over messages or a list of globs")
    for pattern in patterns:
        try:
            check_pattern(pattern)
        except BadSelection as error:
            raise BadKnownFailures(f"{place}, 'messages': {error}") from error
    return tuple(patterns)


@cache
def _selector(pattern: str) -> Selector:
    selector, *others = parse_selection([pattern])
    if others:
        raise BadSelection(f"{pattern!r}: globs are the members of a list, not separated by commas")
    return selector


def check_pattern(pattern: str) -> None:
    """Check the syntax of a pattern.

    Raises:
        BadSelection: it is empty, has a comma in it, or its versions run backwards.
    """
    _selector(pattern)


@cache
def matches(pattern: str, message: str, version: int) -> bool:
    """Return whether a pattern matches a pair.

    It is a glob over names, with or without versions, or over pairs.
    """
    return _selector(pattern).matches(message, version) or fnmatchcase(f"{message}-v{version}", pattern)


@cache
def matches_any(patterns: tuple[str, ...], message: str, version: int) -> bool:
    """Return whether one of some patterns matches a pair."""
    return any(matches(pattern, message, version) for pattern in patterns)


def patterns_for(pairs: Iterable[Pair], offered: Collection[Pair]) -> list[str]:
    """Return patterns that match exactly these pairs.

    It is a name if all offered versions are in, else ranges of versions. Versions without an offer do not interrupt a
    range.
    """
    matched = set(pairs)
    return [
        pattern
        for message, group in groupby(sorted({*matched, *offered}), key=lambda pair: pair[0])
        for pattern in _of_message(message, [pair[1] for pair in group], matched)
    ]


def _of_message(message: str, versions: list[int], matched: set[Pair]) -> Iterator[str]:
    runs = [(hit, list(run)) for hit, run in groupby(versions, key=lambda version: (message, version) in matched)]
    if [hit for hit, _ in runs] == [True]:
        yield message
        return
    for hit, run in runs:
        if hit:
            yield f"{message}-v{run[0]}" + (f"..{run[-1]}" if len(run) > 1 else "")
