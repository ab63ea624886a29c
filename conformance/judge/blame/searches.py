"""Searches for the mistake of an implementation in one message at one version."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from conformance.codec.asks import DECODE
from conformance.judge.blame.fault_models import hypotheses

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.judge.blame.fault_models import Hypothesis
    from reference import MessageSchema

SEARCHES = 3
"""After so many cases that first differ in one field, and that no mistake explains, none is looked for there."""


class Searches:
    """The searches for the mistakes of one implementation in one message at one version.

    What explains one case is tried first on the next one. What would have failed where the implementation does not is
    no explanation.

    Args:
        is_refuted: whether the implementation does not make a mistake, in the direction of the first step of a place.
        expected: finds the mistake that a reader is known to make, if there is one.
    """

    def __init__(
        self,
        is_refuted: Callable[[Hypothesis, str], bool] = lambda _mistake, _direction: False,
        expected: Callable[[], Hypothesis | None] = lambda: None,
    ) -> None:
        self._is_refuted = is_refuted
        self._expected = expected
        self._vain: Counter[tuple[str, ...]] = Counter()
        self._found: list[Hypothesis] = []

    def first(
        self, schema: MessageSchema, place: tuple[str, ...], explains: Callable[[Hypothesis], bool]
    ) -> Hypothesis | None:
        """Return the first mistake that explains a case; None if there is none, or none was found there before.

        Args:
            schema: the message.
            place: the direction, and where the case first differs from what is right.
            explains: whether a mistake does.
        """
        expected = self._expected() if place[0] == DECODE else None
        known = self._found if expected is None else [expected, *self._found]
        mistake = next(filter(explains, known), None)
        if mistake is not None or self._vain[place] >= SEARCHES:
            return mistake
        tried = (each for each in hypotheses(schema) if explains(each) and not self._is_refuted(each, place[0]))
        mistake = next(tried, None)
        if mistake is None:
            self._vain[place] += 1
        else:
            self._found.append(mistake)
        return mistake
