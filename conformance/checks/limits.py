"""Checks on sizes: how large a value may be that a reader takes, against the limits that it declares.

The sizes of a sort are tried upwards, up to beyond the declared limit; between the largest that is taken and the
smallest that is not, the limit is looked for. To refuse what is beyond a declared limit is legal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.catalogue.rules import SURVIVAL
from conformance.engine.judgement import NOT_COMPARED, Conclusion, Due, judge
from conformance.findings.events import ACCEPTANCE
from conformance.findings.events import SURVIVAL as SURVIVES
from conformance.findings.trials import Beyond, Judged, LeftOpen, RulesTried, Sized, Skipped
from conformance.findings.violations import Blame, CodecCase
from conformance.generate.records.building import batch, record, records_of, wire
from conformance.generate.sized_values import sized_values
from conformance.generate.sizes import DECOMPRESSED
from conformance.implementation.asks import DECODE, Ask
from conformance.implementation.limits import SMALLEST, STEPS
from conformance.implementation.outcome import ABSENT, REFUSALS
from conformance.implementation.targets import Body, RecordsField
from reference import MessageSchema, Result, encode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import Direction
    from conformance.findings.trials import Event, Standing
    from conformance.implementation.asks import Answers
    from conformance.implementation.driver import Implementation
    from conformance.implementation.outcome import Outcome
    from conformance.implementation.session import Session

SORT = "values at limits"
RULE, LEFT_OPEN = "limit.declared", "codec.beyond-bound"

NAME = re.compile(r"limit-([a-z-]+?)(?:-(\d+))?")


@dataclass(frozen=True)
class LimitCase(CodecCase):
    """The sizes of one sort in one message, or in a field of record batches; one of them if it has a `size`."""

    kind: ClassVar[str] = "limit"
    directions: ClassVar[tuple[Direction, ...]] = (DECODE,)
    of: Body | RecordsField
    limit: str
    size: int = 0
    path: str = ""

    @property
    def target(self) -> Body | RecordsField:
        """The target."""
        return self.of

    @property
    def name(self) -> str:  # type: ignore[override]  # nobody writes it
        """The name of the limit, and the size."""
        return f"limit-{self.limit}-{self.size}" if self.size else f"limit-{self.limit}"

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:  # noqa: ARG002
        """To read the value of the next size."""
        if not self.target.is_offered(session.implementation, DECODE):
            return ()
        size = self._next(session, answers)
        return () if size is None else (Ask(DECODE, self.target, self._wire_of(size), name=str(size)),)

    def _next(self, session: Session, answers: Answers) -> int | None:
        """Return the next size; None: the limit is found, or there is none."""
        if self.size:
            return None if answers else self.size
        found = self._found(session, answers)
        limits = session.implementation.limits
        return None if found.other is not None else limits.next_size(self.limit, found.taken, found.refused)

    def _found(self, session: Session, answers: Answers) -> _Found:
        taken, refused, other = 0, None, None
        for size, outcome in sorted((int(name), outcome) for name, outcome in answers.items()):
            conclusion = self._conclusion(session, size, outcome)
            if conclusion is Conclusion.KEPT:
                taken = size
            elif conclusion is Conclusion.REFUSED and refused is None:
                refused = size
            elif conclusion not in {Conclusion.REFUSED, Conclusion.NO_ANSWER}:
                other = size
        return _Found(taken, refused, other)

    def _conclusion(self, session: Session, size: int, outcome: Outcome) -> Conclusion:
        value = _made(self.target, self.limit, size) if isinstance(self.target, Body) else NOT_COMPARED
        return judge(session.implementation, self.target, Due(Result.VALID, value=value), outcome).conclusion

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:  # noqa: ARG002
        """Judge where the limit is."""
        if not answers or any(outcome.kind in ABSENT for outcome in answers.values()):
            return
        if not self.size and answers[str(SMALLEST)].kind in REFUSALS:
            yield Skipped(SORT, str(self.target))
            return
        found, declared = self._found(session, answers), session.implementation.limits.declared.get(self.limit)
        yield Judged(SORT, len(answers))
        yield RulesTried.of(RULE)
        if not self.size:
            yield Sized(self.limit, found.taken, found.refused or -1, -1 if declared is None else declared)
        if found.other is not None:
            outcome = answers[str(found.other)]
            yield replace(self, size=found.other).violation(Blame(SURVIVAL), outcome, SURVIVES, DECODE)
        if found.refused is not None:
            yield self._refused(found.refused, declared, answers[str(found.refused)])

    def _refused(self, size: int, declared: int | None, outcome: Outcome) -> Event:
        if declared is not None and size > declared:
            return Beyond(self.limit)
        if self.limit == DECOMPRESSED:
            return LeftOpen((LEFT_OPEN,), accepts=False)
        return replace(self, size=size).violation(Blame(RULE), outcome, ACCEPTANCE, DECODE)

    def _wire_of(self, size: int) -> bytes:
        if isinstance(self.target, Body):
            return encode(self.target.schema, _made(self.target, self.limit, size))
        return _compressed(size)

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is read alone
        """Return the name: the bytes are many."""
        return ["--case", self.name]


@dataclass(frozen=True)
class _Found:
    taken: int
    refused: int | None
    other: int | None
    """A size with which the reader ends, or reads another value."""


def _made(target: Body, limit: str, size: int) -> dict[str, Any]:
    return sized_values(target.schema)[limit](size)


RANDOM, ZEROS = 64, 960


def _compressed(size: int) -> bytes:
    """Return a batch out of whose gzip stream so many bytes come, about fifteen times as many as go in: no bomb."""
    around, source = len(records_of(record(value=bytes(size)))) - size, Random(size)  # noqa: S311  # it is no secret
    pieces = (source.randbytes(RANDOM) + bytes(ZEROS) for _ in range(size // (RANDOM + ZEROS) + 1))
    return wire(batch(record(value=b"".join(pieces)[: size - around]), compression="gzip"))


def limit_schemas(implementation: Implementation, schemas: Sequence[MessageSchema]) -> dict[str, MessageSchema]:
    """Return for each limit the message in which it is tried: of those that are read the one of the fewest fields."""
    chosen: dict[str, MessageSchema] = {}
    for schema in sorted(schemas, key=lambda schema: (len(schema.fields), -schema.version)):
        if implementation.offers(DECODE, schema):
            chosen = {**dict.fromkeys(sized_values(schema), schema), **chosen}
    return chosen


PLACES = "limits"


def limited(session: Session, schemas: Sequence[MessageSchema]) -> list[MessageSchema]:
    """Return the messages in which limits are tried in this session."""
    chosen = session.once(PLACES, lambda: limit_schemas(session.implementation, schemas))
    return sorted(set(chosen.values()), key=str)


def limit_cases(session: Session, schema: MessageSchema) -> Iterator[LimitCase]:
    """Yield the limits that are tried in a message: see `limit_schemas`."""
    chosen: dict[str, MessageSchema] = session.once(PLACES, dict)
    yield from (LimitCase(Body(schema), limit) for limit, other in chosen.items() if other == schema)


def records_limit_cases(session: Session, group: str) -> Iterator[LimitCase]:
    """Yield the limit of what comes out of a stream, with the records of gzip."""
    if group == "gzip" and group in session.implementation.records.codecs:
        yield LimitCase(RecordsField(session.release.name), DECOMPRESSED)


def limit_named(target: Body | RecordsField, name: str) -> LimitCase | None:
    """Return the case of a name, as `limit-tags-65`; None: it is none."""
    match = NAME.fullmatch(name)
    return None if match is None or match[1] not in STEPS else LimitCase(target, match[1], int(match[2] or 0))
