"""A guided search as a campaign runs it: the cases of a pair, and what is learned from the calls that they cost."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from conformance.checks.hostile_bytes import HostileBytesCase
from conformance.findings.clusters import cluster_of
from conformance.generate.guided.novelty import Answer
from conformance.generate.guided.search import Search
from conformance.implementation.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.campaign.recording import Call
    from reference import MessageSchema

BATCH = 16
"""The inputs that are in flight together: what one of them shows is used from the next batch on."""

OF_TIME = frozenset((Kind.TIMED_OUT, Kind.NOT_RUN))
"""Outcomes that depend on the load of the machine. Nothing is learned from them."""

DIGITS = 12


class Guide:
    """The search in one pair.

    Args:
        schema: the message.
        seed: of the search.
        name: the beginning of the names of its cases. The rest is a hash of the bytes: implementations are given
            different inputs, and what has one name has the same bytes for all.
    """

    def __init__(self, schema: MessageSchema, seed: str, name: str) -> None:
        self._schema = schema
        self._name = name
        self._search = Search(schema, seed)

    def cases(self, count: int) -> list[HostileBytesCase]:
        """Return the next cases, at most so many."""
        return [
            HostileBytesCase(self._schema, self._named(wire), "", wire, deterministic=False)
            for wire in self._search.propose(count)
        ]

    def _named(self, wire: bytes) -> str:
        return f"{self._name}-{sha256(wire).hexdigest()[:DIGITS]}"

    def learn(self, case: HostileBytesCase, calls: Iterable[Call]) -> bool:
        """Take in the calls of a case, its own first; return whether it showed something new."""
        given = list(calls)
        lines = frozenset[int]().union(*(outcome.lines for _, outcome, _ in given if outcome.kind not in OF_TIME))
        return self._search.learn(case.data, case.verdict, _answers(case, given), lines)


def _answers(case: HostileBytesCase, calls: Iterable[Call]) -> Iterator[Answer]:
    """Yield an answer for the first call of each direction."""
    seen = set()
    for direction, outcome, _ in calls:
        if direction not in seen and outcome.kind not in OF_TIME:
            said = cluster_of(str(outcome.kind), case.schema.message, "", outcome.text) if outcome.text else ""
            yield Answer(direction, str(outcome.kind), said)
        seen.add(direction)
