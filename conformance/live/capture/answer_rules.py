"""Whether an answer is about what was asked, and about nothing else: the rows of `specs/answers.toml`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.codec.plain_values import short_repr
from conformance.judge.events import Expectation, Expected, wrote_such
from conformance.live.capture.constraints import versions_of
from conformance.live.capture.frame_verdict import BrokenRule
from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.live.capture.frame_verdict import JudgedFrame
    from reference.definitions.model import VersionRange

    Value = Mapping[str, Any]

RULE = "connection.answers-asked"
SHOWN = 3
"""How many names are shown that were not answered, or not asked."""


@dataclass(frozen=True)
class AnswerRule:
    """A row of the table.

    Attributes:
        api: its name.
        versions: the versions that it is about.
        asked, answered: the fields that name what is asked, and what is answered: one word for each level.
        where: the values of fields of the request without which the row says nothing.
    """

    api: str
    versions: VersionRange
    asked: tuple[str, ...]
    answered: tuple[str, ...]
    where: Mapping[str, Any]

    def differs(self, request: Value, response: Value) -> tuple[set[Any], set[Any]] | None:
        """Return what was not answered, and what was answered and not asked; None if there is neither.

        An answer with an error for all of it, and a request for everything that there is, tell nothing; nor does the
        answer to a Fetch that is throttled, which has no partitions.
        """
        if self.api == "Fetch" and response.get("ThrottleTimeMs"):
            return None
        if response.get("ErrorCode") or any(request.get(name) != value for name, value in self.where.items()):
            return None
        asked, answered = (frozenset(_keys(*each)) for each in ((request, self.asked), (response, self.answered)))
        if not asked or asked == answered:
            return None
        return set(asked - answered), set(answered - asked)


def is_asked(request: JudgedFrame, response: JudgedFrame) -> bool:
    """Return whether an answer that is not about what was asked would be told from others."""
    row = answers_of(response.name, response.version)
    is_read = request.value is not None and response.value is not None and response.asked is None
    return row is not None and is_read and any(_keys(request.value or {}, row.asked))


def departures_from(request: JudgedFrame, response: JudgedFrame) -> Iterator[BrokenRule]:
    """Yield where a response is not about what its request asks; nothing if one of them is not judged or departs."""
    row = answers_of(response.name, response.version)
    is_judged = not response.departures and response.asked is None
    if row is None or request.value is None or response.value is None or not is_judged:
        return
    found = row.differs(request.value, response.value)
    if found is not None:
        missing, more = (sorted(map(str, each))[:SHOWN] for each in found)
        text = "; ".join(filter(None, (_told("not answered", missing), _told("not asked", more))))
        path = row.answered[0].partition(".")[0]
        yield BrokenRule(RULE, path, Expectation(Expected.ANSWERS_ASKED), wrote_such(text))


def _told(what: str, names: list[str]) -> str:
    return f"{what}: {', '.join(short_repr(name) for name in names)}" if names else ""


def _keys(value: Value, words: tuple[str, ...]) -> Iterator[Any]:
    """Yield what the fields name, of several levels together."""
    array, _, name = words[0].partition(".")
    for element in value.get(array) or ():
        key = element.get(name) if name else element
        if len(words) == 1:
            yield key
        else:
            yield from ((key, inner) for inner in _keys(element, words[1:]))


def answers_of(api: str, version: int) -> AnswerRule | None:
    """Return the row about a version of an API; None: there is none."""
    return next((row for row in _table() if row.api == api and version in row.versions), None)


@cache
def _table() -> tuple[AnswerRule, ...]:
    return tuple(
        AnswerRule(
            entry["api"],
            versions_of(entry.get("versions", "0+")),
            tuple(entry["asked"].split()),
            tuple(entry["answered"].split()),
            entry.get("where", {}),
        )
        for entry in packaged_toml("specs", "answers.toml")["answer"]
    )
