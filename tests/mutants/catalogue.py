"""Every mutant of messages, a row of a table, and its fault beyond the steps of the second codec.

The suite must kill each of them, and blame it on its rule before any other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.session import Session
from conformance.judge.checks.size_cases import limit_cases, limited
from conformance.judge.engine import run
from reference import CodecError, MessageSchema
from tests.helpers.releases import BASE
from tests.mutants.mutant import Mutant, rows
from tests.mutants.schemas import SCHEMAS, zero_of
from tests.second_codec.ways import NotTaken

if TYPE_CHECKING:
    from conformance.judge.case import Event


class LimitMutant(Mutant):
    """A codec with limits, tried on them alone."""

    def check(self, session: Session) -> Iterator["Event"]:
        """Yield the events of the limits of its messages."""
        for schema in limited(session, self.schemas()):
            yield from run(session, limit_cases(session, schema))


@dataclass(frozen=True)
class KeepsRest(Mutant):
    """A byte written of a refused value goes before the next message."""

    def adapter(self) -> LoadedAdapter:
        sound, rest = super().adapter(), bytearray()

        def encode(schema: MessageSchema, value: dict[str, Any]) -> bytes:
            try:
                wire = self.write(schema, value)
            except (CodecError, NotTaken):
                rest.append(0)
                raise
            written = bytes(rest) + wire
            rest.clear()
            return written

        return replace(sound, encode=encode)


def _only_its_own(error: type[Exception]) -> Any:
    """Return the count of a reader that fails on bytes after a message."""

    def consumed(own: int, given: int) -> int:
        if own != given:
            raise error
        return own

    return consumed


_ABSENT = {"capabilities": ("absent-fields",)}
_KEPT = {**_ABSENT, "keeps_absent": True}
BEYOND: Mapping[str, Mapping[str, Any]] = {
    **{name: {"schema": schema} for name, schema in SCHEMAS.items()},
    "default-of-other-versions-not-restored": {**_ABSENT, "absent": zero_of},
    "fields-of-other-versions-dropped": _ABSENT,
    **dict.fromkeys(("nulls-of-other-versions-dropped", "nulls-of-other-versions-refused"), _KEPT),
    "fields-of-other-versions-refused": _KEPT,
    "size-one-short": {"size": lambda size: size - 1},
    "size-of-long-messages-short": {"size": lambda size: size - (size >= 128)},
    "what-follows-read-without-end": {"consumed": _only_its_own(RecursionError)},
    "consumed-counts-what-follows": {"consumed": lambda _own, given: given},
    "trailing-bytes-refused": {"consumed": _only_its_own(NotTaken)},
}
"""Faults of mutants beyond steps."""
KINDS = {
    "rest-of-a-refused-value-written": KeepsRest,
    **dict.fromkeys(("few-tags", "small-tags"), LimitMutant),
}


def mutants(table: str) -> Iterator[Mutant]:
    """Yield the mutants of a table."""
    for row in rows(table):
        of = KINDS.get(row.name, Mutant)
        release, beyond = row.release or BASE, BEYOND.get(row.name, {})
        yield of(row.name, row.rule, row.pairs, *row.missteps(), release=release, **beyond)


MUTANTS = tuple(mutants("bodies.tsv"))
LEGAL = tuple(mutants("legal.tsv"))
"""Codecs different from Apache Kafka where the protocol leaves it open: no findings, but lines of the profile."""
REFUSING = tuple(each for each in LEGAL if each.name.endswith("-refused"))
ACCEPTING = tuple(each for each in LEGAL if each not in REFUSING)
PROPOSED = tuple(each for each in mutants("proposals.tsv") if each.name != "long-strings-written")
"""Mutants of the drafts of KIP-482 and of KIP-625."""
(LENIENT,) = (each for each in mutants("proposals.tsv") if each not in PROPOSED)
"""A codec without a limit of strings, which the second draft of KIP-482 leaves open."""
