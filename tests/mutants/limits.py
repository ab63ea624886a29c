"""Readers with undeclared limits."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from conformance.codec.session import Session
from conformance.judge.checks.size_cases import limit_cases, limited
from conformance.judge.engine import run
from tests.mutants.mutant import Mutant, mutants
from tests.mutants.single_faults.ways import more_than, refuse_if
from tests.second_codec.steps import ContentWay

if TYPE_CHECKING:
    from conformance.judge.case import Event

MOST_TAGS, MOST_BYTES = 64, 1 << 16


class LimitMutant(Mutant):
    """A codec with limits, tried on them alone."""

    def check(self, session: Session) -> Iterator["Event"]:
        """Yield the events of the limits of its messages."""
        for schema in limited(session, self.schemas()):
            yield from run(session, limit_cases(session, schema))


def _has_large(entries: list[tuple[int, Any]]) -> bool:
    return any(len(content) > MOST_BYTES for _, content in entries)


WAYS = {
    "few-tags": ContentWay(value=refuse_if(more_than(MOST_TAGS))),
    "small-tags": ContentWay(value=refuse_if(_has_large)),
}

MUTANTS = tuple(mutants(WAYS, LimitMutant))
"""Every mutant with limits."""
