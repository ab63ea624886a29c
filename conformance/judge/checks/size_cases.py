"""Checks on the largest accepted sizes, against the limits declared by the reader.

The sizes of a limit are tried upwards, until beyond the declared limit. A bisection between the largest accepted size
and the smallest refused one finds the limit. To refuse a size beyond a declared limit is legal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.codec.session import DECODE, Ask
from conformance.codec.targets import Body, RecordsField
from conformance.definitions.catalogue import SURVIVAL
from conformance.generate.origin import LIMIT, CaseOrigin, origin_of
from conformance.generate.records.building import batch, record, records_of, wire
from conformance.generate.sized_values import sized_values
from conformance.generate.sizes import DECOMPRESSED
from conformance.judge.case import Beyond, CodecCase, Judged, LeftOpen, RulesTried, Skipped
from conformance.judge.events import ACCEPTANCE, Differs, value_at
from conformance.judge.events import SURVIVAL as SURVIVES
from conformance.judge.forms import Limit
from conformance.judge.judgement import NOT_COMPARED, Conclusion, Due, Judgement, judge
from conformance.judge.standing import Blame
from reference import MessageSchema, Result, encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.adapter import Direction
    from conformance.codec.declared_limits import LimitSearch
    from conformance.codec.driver import Implementation
    from conformance.codec.outcome import Outcome
    from conformance.codec.session import Answers, Session
    from conformance.judge.case import Event, Violation
    from conformance.judge.standing import Standing

CATEGORY = "values at limits"
RULE, LEFT_OPEN = "limit.declared", "codec.beyond-bound"


@dataclass(frozen=True)
class LimitCase(CodecCase):
    """The sizes of one limit in one message, or in a field of record batches.

    With a `size` it is one of them.
    """

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
        return CaseOrigin(self.limit, LIMIT, place=str(self.size or ""), sign="-").name

    def requests(self, session: Session, answers: Answers, standing: Standing) -> Sequence[Ask]:
        """Return the request to read the value of the next size."""
        if not self.target.is_offered(session.implementation, DECODE):
            return ()
        search = self._search(session, answers, standing)
        size = search.next_size if not self.size else None if answers else self.size
        return () if size is None else (Ask(DECODE, self.target, self._wire_of(size), name=str(size)),)

    def _search(self, session: Session, answers: Answers, standing: Standing) -> LimitSearch:
        """Return the search with the answers so far."""
        search = session.implementation.limits.search(self.limit)
        for name, outcome in answers.items():
            conclusion = self._judgement(session, int(name), outcome, standing).conclusion
            # A misread value, or a fatal outcome, says nothing about a limit.
            search.is_over |= conclusion not in {Conclusion.KEPT, Conclusion.REFUSED}
            if not search.is_over:
                search.note(int(name), is_taken=conclusion is Conclusion.KEPT)
        return search

    def _judgement(self, session: Session, size: int, outcome: Outcome, standing: Standing) -> Judgement:
        def judged() -> Judgement:
            value = _made(self.target, self.limit, size) if isinstance(self.target, Body) else NOT_COMPARED
            return judge(session.implementation, self.target, Due(Result.VALID, value=value), outcome)

        return standing.once((self.target, self.limit, size), judged)

    def judge(self, session: Session, answers: Answers, standing: Standing) -> Iterator[Event]:
        """Judge where the limit is.

        It is inconclusive if the reader refuses even the smallest size.
        """
        search = self._search(session, answers, standing)
        if not self.size and not search.has_begun:
            # Without an answer the reader does not offer this message, and nothing was skipped.
            yield from [Skipped(CATEGORY, str(self.target))] * bool(answers)
            return
        yield Judged(CATEGORY, len(answers))
        yield from () if self.size else events_of_search(search)
        for name, outcome in answers.items():
            judgement = self._judgement(session, int(name), outcome, standing)
            yield from replace(self, size=int(name)).broken(judgement, outcome)
        if search.is_within:
            size = search.refused or 0
            # A reader may bound decompressed data without a declaration, as a guard against bombs.
            if self.limit == DECOMPRESSED and search.declared is None:
                yield LeftOpen((LEFT_OPEN,), accepts=False)
            else:
                refused = replace(self, size=size)
                yield refused.violation(Blame(RULE), answers[str(size)], ACCEPTANCE, DECODE)

    def broken(self, judgement: Judgement, outcome: Outcome) -> Iterator[Violation]:
        """Yield the violations in the answer to one size, other than its refusal."""
        found = judgement.difference
        if judgement.conclusion is Conclusion.FATAL:
            yield self.violation(Blame(SURVIVAL), outcome, SURVIVES, DECODE)
        elif found is not None:
            expected = value_at(found.path, found.expected)
            yield self.violation(Blame(RULE, found.path), Differs.of(found), expected, DECODE)

    def _wire_of(self, size: int) -> bytes:
        if isinstance(self.target, Body):
            return encode(self.target.schema, _made(self.target, self.limit, size))
        return _compressed(size)

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is read alone
        """Return the name, since the bytes are many."""
        return ["--case", self.name]


def events_of_search(search: LimitSearch) -> Iterator[Event]:
    """Yield the events of a search, with the sizes, and with a refusal beyond a declared limit."""
    yield RulesTried.of(RULE)
    yield Limit(search.name, search.taken, search.refused or -1, -1 if search.declared is None else search.declared)
    if search.refused is not None and not search.is_within:
        yield Beyond(search.name)


def _made(target: Body, limit: str, size: int) -> dict[str, Any]:
    return sized_values(target.schema)[limit](size)


RANDOM, ZEROS = 64, 960


def _compressed(size: int) -> bytes:
    """Return a batch with a gzip stream of `size` decompressed bytes.

    It is about a fifteenth as long when compressed, so readers with a guard against bombs have no reason to refuse it.
    """
    around, source = len(records_of(record(value=bytes(size)))) - size, Random(size)  # noqa: S311  # no secret
    pieces = (source.randbytes(RANDOM) + bytes(ZEROS) for _ in range(size // (RANDOM + ZEROS) + 1))
    return wire(batch(record(value=b"".join(pieces)[: size - around]), compression="gzip"))


def limit_schemas(implementation: Implementation, schemas: Iterable[MessageSchema]) -> dict[str, MessageSchema]:
    """Return the message in which each limit is tried.

    It is the readable one with the fewest fields.
    """
    chosen: dict[str, MessageSchema] = {}
    for schema in sorted(schemas, key=lambda schema: (len(schema.fields), -schema.version)):
        if implementation.offers(DECODE, schema):
            chosen = {**dict.fromkeys(sized_values(schema), schema), **chosen}
    return chosen


PLACES = "limits"


def limited(session: Session, schemas: Iterable[MessageSchema]) -> list[MessageSchema]:
    """Return the messages in which limits are tried in this session.

    Only the schemas of the first call count.
    """
    return sorted(set(_places(session, schemas).values()), key=str)


def limit_cases(session: Session, schema: MessageSchema) -> Iterator[LimitCase]:
    """Yield the limits that are tried in a message, by `limit_schemas`."""
    chosen = _places(session, session.release.schemas())
    yield from (LimitCase(Body(schema), limit) for limit, other in chosen.items() if other == schema)


def _places(session: Session, schemas: Iterable[MessageSchema]) -> dict[str, MessageSchema]:
    return session.once(PLACES, lambda: limit_schemas(session.implementation, schemas))


def records_limit_cases(session: Session, group: str) -> Iterator[LimitCase]:
    """Yield the limit of a decompressed stream, with the records of gzip."""
    if group == "gzip" and group in session.implementation.records.codecs:
        yield LimitCase(RecordsField(session.release.name), DECOMPRESSED)


def limit_named(target: Body | RecordsField, name: str) -> LimitCase | None:
    """Return the case of a name, as `limit-tags-65`, or None if there is none."""
    origin = origin_of(name)
    known = sized_values(target.schema) if isinstance(target, Body) else (DECOMPRESSED,)
    is_known = origin.path == LIMIT and origin.way in known
    return LimitCase(target, origin.way, int(origin.place or 0)) if is_known else None
