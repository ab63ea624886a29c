"""The queue of a search: what was kept, what is proposed next, and what is learned from the answers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from conformance.generate.choices import SeededChoices, pick
from conformance.generate.guided.moves import (
    Kept,
    edits,
    first_inputs,
    fresh,
    least_tried,
    mutation,
    splices,
    structural,
)
from conformance.generate.guided.novelty import touched, traits
from reference import Encoded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.generate.guided.novelty import Answer, Trait
    from reference import MessageSchema, Verdict

MOVES = ("fresh", "fresh", "structure", "structure", "structure", "structure", "edit", "edit", "splice", "mutation")
"""What is tried, each as often as it is listed."""

CANDIDATES = 3
"""So many kept inputs are looked at for a move; the one that was used least often is taken."""

ATTEMPTS = 8
"""So many attempts are made at one input that was not proposed before: a message without fields has few."""

LARGEST = 1 << 18
"""The bytes of the longest input: arrays that grow within arrays that have grown would take all memory."""


class Search:
    """A search in one message at one version.

    Args:
        schema: the message.
        seed: of all choices: with the same answers, the same seed gives the same inputs.
    """

    def __init__(self, schema: MessageSchema, seed: str) -> None:
        self._schema = schema
        self._choices = SeededChoices(f"guided/{schema}/{seed}")
        self._first = first_inputs(schema)[::-1]
        self._proposed: set[bytes] = set()
        self._seen: set[Trait] = set()
        self._lines: set[int] = set()
        self._tried: Counter[str] = Counter()
        self._used: Counter[bytes] = Counter()
        self.kept: list[Kept] = []

    def propose(self, count: int) -> list[bytes]:
        """Return the next inputs, at most so many; none is ever proposed twice."""
        proposed = (self._next() for _ in range(count))
        return [wire for wire in proposed if wire is not None]

    def learn(
        self, wire: bytes, verdict: Verdict, answers: Iterable[Answer], lines: frozenset[int] = frozenset()
    ) -> bool:
        """Take in what an implementation did with an input; return whether anything about it is new.

        Answers that depend on time are not for here: they would make the search depend on the load of a machine.

        Args:
            wire: the input.
            verdict: on it.
            answers: of the implementation.
            lines: those of the codec that have run, as numbers; empty if they are not known.
        """
        canonical = verdict.canonical
        encoded = Encoded(self._schema, canonical) if canonical is not None else None
        found = set(traits(touched(verdict, encoded.spans if encoded else ()), answers))
        if found <= self._seen and lines <= self._lines:
            return False
        self._seen |= found
        self._lines |= lines
        self.kept.append(Kept(wire, verdict.value if encoded else None, encoded))
        return True

    def _next(self) -> bytes | None:
        for _ in range(ATTEMPTS):
            wire = self._first.pop() if self._first else self._made(pick(self._choices, MOVES))
            if len(wire) <= LARGEST and wire not in self._proposed:
                self._proposed.add(wire)
                return wire
        return None

    def _made(self, move: str) -> bytes:
        if move == "fresh" or not self.kept:
            return fresh(self._schema, self._choices)
        if move == "mutation":
            return mutation(self._chosen(self.kept).wire, self._choices)
        sound = [kept for kept in self.kept if kept.value is not None]
        made = self._moved(self._chosen(sound), move, sound) if sound else None
        return fresh(self._schema, self._choices) if made is None else made

    def _moved(self, kept: Kept, move: str, sound: Sequence[Kept]) -> bytes | None:
        schema, choices = self._schema, self._choices
        if kept.value is None or kept.encoded is None:
            return None
        if move == "structure":
            moves = structural(kept.encoded, choices)
        elif move == "edit":
            moves = edits(schema, kept.value, choices)
        else:
            moves = list(splices(schema, kept.value, pick(choices, sound).value or {}, choices))
        return least_tried(moves, self._tried, choices)

    def _chosen(self, kept: Sequence[Kept]) -> Kept:
        """Return one of the inputs; of a few of them, the one that was used least often."""
        chosen = min((pick(self._choices, kept) for _ in range(CANDIDATES)), key=lambda each: self._used[each.wire])
        self._used[chosen.wire] += 1
        return chosen
