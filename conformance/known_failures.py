"""Known failures: departures that are understood, kept in a file, and let pass as long as they last.

    [[failure]]
    rule = "string.malformed-utf8"
    messages = "Fetch*"
    outcome = "value"
    reason = "decodes with errors=replace"
    link = "an issue, if there is one"

The file is a ratchet: an entry that no deterministic check meets any more fails the run, so it can only shrink.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from conformance.checks.outcomes import Kind
from conformance.rules import catalogue

if TYPE_CHECKING:
    from pathlib import Path

    from conformance.checks.violations import Violation

OUTCOMES = (*(str(kind) for kind in Kind), "consumed", "size", "header-version")
"""What an implementation may have done: see `Violation.outcome`."""

REQUIRED = ("rule", "messages", "outcome", "reason")
OPTIONAL = ("link", "release")


class BadKnownFailures(Exception):
    """A file of known failures that cannot be used; the text says where and why."""


@dataclass(frozen=True)
class KnownFailure:
    """One entry."""

    rule: str
    messages: str
    """A glob over names, or over pairs as `FetchRequest-v17`."""
    outcome: str
    reason: str
    link: str = ""
    release: str = "*"
    """A glob over releases, for what only some of them have."""

    def is_about(self, release: str) -> bool:
        """Whether it is about a run against that release."""
        return fnmatchcase(release, self.release)

    def covers(self, violation: Violation) -> bool:
        """Whether a violation is this one."""
        pair = f"{violation.message}-v{violation.version}"
        return (
            violation.rule == self.rule
            and violation.outcome == self.outcome
            and (fnmatchcase(violation.message, self.messages) or fnmatchcase(pair, self.messages))
        )

    def __str__(self) -> str:
        return f"{self.rule} ({self.outcome}) in {self.messages}"


def load_known_failures(path: Path) -> list[KnownFailure]:
    """Read a file of known failures.

    Raises:
        BadKnownFailures: no such file, no TOML, or an entry without what it needs.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadKnownFailures(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadKnownFailures(f"{path} is not TOML: {error}") from error
    entries = document.pop("failure", [])
    if document or not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        wrong = next(iter(document), "failure")
        raise BadKnownFailures(f"{path}: {wrong!r} is not what it should be; each entry begins with [[failure]]")
    return [_entry(path, number, entry) for number, entry in enumerate(entries, start=1)]


def _entry(path: Path, number: int, entry: dict[str, Any]) -> KnownFailure:
    place = f"{path}, entry {number}"
    for key in REQUIRED:
        if not isinstance(entry.get(key), str) or not entry[key].strip():
            raise BadKnownFailures(f"{place}: {key!r} is missing; an entry has {', '.join(REQUIRED)}")
    unknown = sorted(set(entry) - {*REQUIRED, *OPTIONAL})
    if unknown:
        raise BadKnownFailures(f"{place}: {unknown[0]!r} is no key of an entry")
    for key in OPTIONAL:
        if not isinstance(entry.get(key, ""), str):
            raise BadKnownFailures(f"{place}: {key!r} is {entry[key]!r}, not a text")
    if entry["outcome"] not in OUTCOMES:
        raise BadKnownFailures(f"{place}: there is no outcome {entry['outcome']!r}; there are {', '.join(OUTCOMES)}")
    if entry["rule"] not in catalogue():
        raise BadKnownFailures(f"{place}: there is no rule {entry['rule']!r}")
    return KnownFailure(**entry)
