"""Checks on the largest accepted sizes, against the limits declared by the reader.

The sizes of a limit are tried upwards, until beyond the declared limit. A bisection between the largest accepted size
and the smallest refused one finds the limit. To refuse a size beyond a declared limit is legal.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from conformance.definitions.catalogue import SURVIVAL
from conformance.generate.origin import LIMIT as OF_LIMIT
from conformance.generate.origin import CaseOrigin, origin_of
from conformance.generate.record_building import batch, record, records_of, wire
from conformance.generate.sized_values import sized_values
from conformance.generate.sizes import DECOMPRESSED
from conformance.judge.case import Judged, LeftOpen, RulesTried
from conformance.judge.case_forms import by_name, no_wire
from conformance.judge.count_lines import BeyondLimit, Inconclusive, Limit
from conformance.judge.events import ACCEPTANCE, Differs, value_at
from conformance.judge.events import SURVIVAL as SURVIVES
from conformance.judge.judgement import NOT_COMPARED, Conclusion, Due, judge
from conformance.judge.kinds import CaseKind, CaseTrial, CodecCase, UnknownCase, judged
from conformance.targets import DECODE, Ask, Blame, Body, RecordsField
from reference import MessageSchema, Result, encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.codec.session import Session
    from conformance.judge.case import Event
    from conformance.judge.forms import CaseForm
    from conformance.judge.kinds import JudgedAnswer
    from conformance.targets import Claims, Target
    from conformance.targets.declared_limits import LimitSearch
    from conformance.targets.outcome import Outcome

CATEGORY = "values at limits"
RULE, LEFT_OPEN = "limit.declared", "codec.beyond-bound"


def _asks(trial: CaseTrial) -> Sequence[Ask]:
    """Return the request to read the value of the next size."""
    case = trial.case
    if not trial.offers(DECODE):
        return ()
    size = _search(trial).next_size if not _size_of(case) else None if trial.answers else _size_of(case)
    return () if size is None else (Ask(DECODE, case.target, _wire_of(case, size), name=str(size)),)


def _size_of(case: CodecCase) -> int:
    """Return the size of a case, or 0 for the case of all sizes of a limit."""
    return int(case.origin.place or 0)


def _search(trial: CaseTrial) -> LimitSearch:
    """Return the search with the answers so far."""
    case, claims = trial.case, trial.session.claims
    search = claims.limits.search(case.origin.way)
    for size, outcome in trial.answers.items():
        key, due = (case.target, case.origin.way, size), _due(trial, size)
        is_taken = trial.standing.once(key, partial(_is_taken, claims, case.target, due, outcome))
        # A misread value, or a fatal outcome, says nothing about a limit.
        search.is_over |= is_taken is None
        if not search.is_over:
            search.note(int(size), is_taken=bool(is_taken))
    return search


def _is_taken(claims: Claims, target: Target, due: Due, outcome: Outcome) -> bool | None:
    return judge(claims, target, due, outcome).is_taken


def _due(trial: CaseTrial, size: str) -> Due:
    target = trial.case.target
    is_made = isinstance(target, Body)
    return Due(Result.VALID, value=_made(target, trial.case.origin.way, int(size)) if is_made else NOT_COMPARED)


def _judged(trial: CaseTrial) -> Iterator[Event]:
    """Judge where the limit is.

    It is inconclusive if the reader refuses even the smallest size.
    """
    case, search = trial.case, _search(trial)
    if not _size_of(case) and not search.has_begun:
        # Without an answer the reader does not offer this message, and nothing was skipped.
        yield from [Inconclusive(CATEGORY, str(case.target), 1)] * bool(trial.answers)
        return
    yield Judged(CATEGORY, len(trial.answers))
    yield from () if _size_of(case) else events_of_search(search)
    yield from judged(trial)
    if search.is_within:
        # A reader may bound decompressed data without a declaration, as a guard against bombs.
        if case.origin.way == DECOMPRESSED and search.declared is None:
            yield LeftOpen((LEFT_OPEN,), accepts=False)
        else:
            size = str(search.refused or 0)
            refused = limit_case(case.target, case.origin.way, size)
            yield refused.violation(Blame(RULE), trial.answers[size], ACCEPTANCE, DECODE)


def _death(answer: JudgedAnswer) -> Iterator[Event]:
    yield _of_size(answer).violation(Blame(SURVIVAL), answer.outcome, SURVIVES, DECODE)


def _misread(answer: JudgedAnswer) -> Iterator[Event]:
    found = answer.judgement.difference
    if found is not None:
        expected = value_at(found.path, found.expected)
        yield _of_size(answer).violation(Blame(RULE, found.path), Differs.of(found), expected, DECODE)


def _of_size(answer: JudgedAnswer) -> CodecCase:
    return limit_case(answer.case.target, answer.case.origin.way, answer.way)


def _wire_of(case: CodecCase, size: int) -> bytes:
    if isinstance(case.target, Body):
        return encode(case.schema, _made(case.target, case.origin.way, size))
    return _compressed(size)


def _read(_row: CaseKind, form: CaseForm, target: Target) -> CodecCase:
    case = limit_named(target, form.case)
    if case is None:
        raise UnknownCase(f"there is no limit {form.case!r}")
    return case


LIMIT = CaseKind(
    name="limit",
    has_value=False,
    directions=(DECODE,),
    asks=_asks,
    further=_asks,
    due=_due,
    blames={Conclusion.FATAL: _death, Conclusion.WRONG: _misread},
    judge=_judged,
    wire=no_wire,
    replay=by_name,  # its bytes are many
    read=_read,
)


def limit_case(target: Any, limit: str, size: str = "") -> CodecCase:
    """Return the case of all sizes of one limit in a message or a field of record batches, or of one of them."""
    origin = CaseOrigin(limit, OF_LIMIT, place=size, sign="-")
    return CodecCase(LIMIT, target, origin.name, source=origin)


def events_of_search(search: LimitSearch) -> Iterator[Event]:
    """Yield the events of a search, with the sizes, and with a refusal beyond a declared limit."""
    yield RulesTried.of(RULE)
    yield Limit(search.name, search.taken, search.refused or -1, -1 if search.declared is None else search.declared)
    if search.refused is not None and not search.is_within:
        yield BeyondLimit(search.name, 1)


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


def limit_schemas(session: Session, schemas: Iterable[MessageSchema]) -> dict[str, MessageSchema]:
    """Return the message in which each limit is tried.

    It is the readable one with the fewest fields.
    """
    chosen: dict[str, MessageSchema] = {}
    for schema in sorted(schemas, key=lambda schema: (len(schema.fields), -schema.version)):
        if session.offers(Body(schema), DECODE):
            chosen = {**dict.fromkeys(sized_values(schema), schema), **chosen}
    return chosen


PLACES = "limits"


def limited(session: Session, schemas: Iterable[MessageSchema]) -> list[MessageSchema]:
    """Return the messages in which limits are tried in this session.

    Only the schemas of the first call count.
    """
    return sorted(set(_places(session, schemas).values()), key=str)


def limit_cases(session: Session, schema: MessageSchema) -> Iterator[CodecCase]:
    """Yield the limits that are tried in a message, by `limit_schemas`."""
    chosen = _places(session, session.release.schemas())
    yield from (limit_case(Body(schema), limit) for limit, other in chosen.items() if other == schema)


def _places(session: Session, schemas: Iterable[MessageSchema]) -> dict[str, MessageSchema]:
    return session.once(PLACES, lambda: limit_schemas(session, schemas))


def records_limit_cases(session: Session, group: str) -> Iterator[CodecCase]:
    """Yield the limit of a decompressed stream, with the records of gzip."""
    if group == "gzip" and group in session.claims.records.codecs:
        yield limit_case(RecordsField(session.release.name), DECOMPRESSED)


def limit_named(target: Any, name: str) -> CodecCase | None:
    """Return the case of a name, as `limit-tags-65`, or None if there is none."""
    origin = origin_of(name)
    known = sized_values(target.schema) if isinstance(target, Body) else (DECOMPRESSED,)
    is_known = origin.path == OF_LIMIT and origin.way in known
    return limit_case(target, origin.way, origin.place) if is_known else None
