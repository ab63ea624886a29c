"""The search for the mistake of an implementation in one target.

It is made once for each target and direction: a fault that explained one case is tried first on the next one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Generic

from conformance.adapter import FrameContent
from conformance.targets import DECODE, ENCODE
from conformance.targets.faults.fault import C_co, FaultModel, FaultyCodec
from conformance.targets.outcome import Kind
from reference import CodecError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from conformance.codec.session import Session
    from conformance.targets import BodyTarget
    from conformance.targets.outcome import Outcome

SEARCHES = 3
"""The number of unexplained cases at one place after which no fault is searched there."""


class Searches(Generic[C_co]):
    """The searches for the faults of one implementation in one target.

    Args:
        faults: the faults to try, likely ones first.
        is_refuted: whether the implementation is right in a direction where a fault would make it wrong.
        expected: finds the known fault of a reader, if there is one.
    """

    def __init__(
        self,
        faults: Iterable[FaultModel[C_co]],
        is_refuted: Callable[[FaultModel[C_co], str], bool] = lambda _fault, _direction: False,
        expected: Callable[[], FaultModel[C_co] | None] = lambda: None,
    ) -> None:
        self._faults = faults
        self._is_refuted = is_refuted
        self._expected = expected
        self._vain: Counter[tuple[str, ...]] = Counter()
        self._found: list[FaultModel[C_co]] = []

    def first(self, place: tuple[str, ...], explains: Callable[[FaultModel[C_co]], bool]) -> FaultModel[C_co] | None:
        """Return the first fault that explains a case and is not refuted, or None.

        Args:
            place: the direction, and the place of the first difference from the right result.
            explains: whether a fault explains the case.
        """
        return self.found(
            place,
            lambda known: next(filter(explains, known), None),
            lambda every: next(
                (each for each in every if explains(each) and not self._is_refuted(each, place[0])), None
            ),
        )

    def found(
        self,
        place: tuple[str, ...],
        of_known: Callable[[Iterable[FaultModel[C_co]]], FaultModel[C_co] | None],
        of_all: Callable[[Iterable[FaultModel[C_co]]], FaultModel[C_co] | None],
    ) -> FaultModel[C_co] | None:
        """Return the fault chosen among those of earlier cases, else among all.

        Not among all after `SEARCHES` in vain at this place.

        Args:
            place: as in `first`.
            of_known: chooses among those of earlier cases.
            of_all: chooses among all.
        """
        expected = self._expected() if place[0] == DECODE else None
        fault = of_known(self._found if expected is None else [expected, *self._found])
        if fault is not None or self._vain[place] >= SEARCHES:
            return fault
        fault = of_all(self._faults)
        if fault is None:
            self._vain[place] += 1
        else:
            self._found.append(fault)
        return fault


def fault_of_writer(searches: Searches[Any], target: BodyTarget, content: Any, actual: bytes) -> FaultModel[Any] | None:
    """Return the first fault around the body with which exactly these bytes are written, or None."""
    place = ENCODE, *_varied(target, content)
    return searches.first(place, lambda each: written(each.codec, content) == actual)


def fault_of_reader(
    searches: Searches[Any], session: Session, target: BodyTarget, content: Any, outcome: Outcome
) -> FaultModel[Any] | None:
    """Return the first fault around the body behind the outcome of a reader, or None.

    A fault is expected by the implementation if it refuses or misreads the valid bytes, and reads those written with
    the fault. If none is, it is the first fault with the same reading of the valid bytes.

    Args:
        searches: the faults to try.
        session: the session with the implementation.
        target: the message with the bytes around it.
        content: the content of the valid bytes.
        outcome: the outcome of reading them.
    """

    def has_read(content: Any, outcome: Outcome) -> bool:
        # Unknown tags of a header are no part of its layout.
        bare = replace(content, header_tags=None) if isinstance(content, FrameContent) else content
        return target.is_read(session.claims, bare, outcome)

    def found(faults: Iterable[FaultModel[Any]]) -> FaultModel[Any] | None:
        tried = list(_expectations(faults, content, wire))
        answers = session.decode_many(target, [other for _, other, _ in tried])
        for (fault, _, expected), answer in zip(tried, answers, strict=True):
            if has_read(expected, answer):
                return fault
        return next((each for each in faults if outcome.kind is Kind.VALUE and reads_same(each)), None)

    def reads_same(fault: FaultModel[Any]) -> bool:
        read = _read(fault.codec, wire)
        return read is not None and has_read(read, outcome)

    if has_read(content, outcome):
        return None
    wire = target.write(content)
    return searches.found((DECODE, *_varied(target, content)), found, found)


def _varied(target: BodyTarget, content: Any) -> Iterator[str]:
    """Yield the names of the parts around the body that differ from the plainest content's."""
    plain = target.content_of(target.value_of(content))
    return (each.name for each in fields(plain) if getattr(content, each.name) != getattr(plain, each.name))


def _expectations(
    faults: Iterable[FaultModel[Any]], content: Any, wire: bytes
) -> Iterator[tuple[FaultModel[Any], bytes, Any]]:
    """Yield each fault with the bytes of the content, if it writes others, and the content read from them."""
    for each in faults:
        other = written(each.codec, content)
        found = None if other is None or other == wire else _read(each.codec, other)
        if other is not None and found is not None:
            yield each, other, found


def written(codec: FaultyCodec, content: Any) -> bytes | None:
    """Return the bytes of a content by a writer with a fault, or None if it refuses the content."""
    try:
        return codec.write(content)
    except CodecError:
        return None


def _read(codec: FaultyCodec, wire: bytes) -> Any:
    try:
        return codec.read(wire).content
    except CodecError:
        return None
