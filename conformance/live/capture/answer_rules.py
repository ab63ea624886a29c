"""Checks that an answer has the requested names and no others, by `specs/answers.toml`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.judge.events import Expectation, Expected, wrote_such
from conformance.live.capture.constraints import versions_of
from conformance.live.capture.frame_verdict import BrokenRule
from conformance.targets.plain_values import short_repr
from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.live.capture.frame_verdict import JudgedFrame
    from reference.definitions.model import VersionRange

    Value = Mapping[str, Any]

RULE = "connection.answers-asked"
SHOWN = 3


@dataclass(frozen=True)
class AnswerRule:
    """A row of the table.

    Attributes:
        asked, answered: the fields with requested names, and with answered ones, as one word for each level.
        where: required values of fields of the request; with others the row does not apply.
    """

    api: str
    versions: VersionRange
    asked: tuple[str, ...]
    answered: tuple[str, ...]
    where: Mapping[str, Any]

    def differs(self, request: Value, response: Value) -> tuple[set[Any], set[Any]] | None:
        """Return the names without an answer and those without a request, or None if there are neither.

        Nothing follows from an answer with one error for all of it, or from a request for everything.
        """
        # A throttled answer to Fetch has no partitions, so nothing follows from it either.
        if self.api == "Fetch" and response.get("ThrottleTimeMs"):
            return None
        if response.get("ErrorCode") or any(request.get(name) != value for name, value in self.where.items()):
            return None
        requested, answered = (frozenset(_keys(*each)) for each in ((request, self.asked), (response, self.answered)))
        if not requested or requested == answered:
            return None
        return set(requested - answered), set(answered - requested)


def is_asked(request: JudgedFrame, response: JudgedFrame) -> bool:
    """Return whether a row has the API's version, both sides are readable, and the request has names."""
    row = answers_of(response.name, response.version)
    is_read = request.value is not None and response.value is not None and response.asked is None
    return row is not None and is_read and any(_keys(request.value or {}, row.asked))


def departures_from(request: JudgedFrame, response: JudgedFrame) -> Iterator[BrokenRule]:
    """Yield the departure of a response from the names in its request, if both are judged and break no other rule."""
    row = answers_of(response.name, response.version)
    is_judged = not response.departures and response.asked is None
    if row is None or request.value is None or response.value is None or not is_judged:
        return
    found = row.differs(request.value, response.value)
    if found is not None:
        missing, more = (sorted(map(str, each))[:SHOWN] for each in found)
        text = "; ".join(filter(None, (_listed("not answered", missing), _listed("not asked", more))))
        path = row.answered[0].partition(".")[0]
        yield BrokenRule(RULE, path, Expectation(Expected.ANSWERS_ASKED), wrote_such(text))


def _listed(what: str, names: list[str]) -> str:
    return f"{what}: {', '.join(short_repr(name) for name in names)}" if names else ""


def _keys(value: Value, words: tuple[str, ...]) -> Iterator[Any]:
    """Yield the names in the fields, those of several levels as tuples."""
    array, _, name = words[0].partition(".")
    for element in value.get(array) or ():
        key = element.get(name) if name else element
        if len(words) == 1:
            yield key
        else:
            yield from ((key, inner) for inner in _keys(element, words[1:]))


def answers_of(api: str, version: int) -> AnswerRule | None:
    """Return the row about a version of an API, or None if there is none."""
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
