"""A session: what a check gets. An implementation, the release, the child process if there is one, and the counts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from conformance.implementation.hidden import READ
from conformance.implementation.outcome import Kind, Outcome
from conformance.implementation.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from conformance.implementation.driver import Implementation
    from conformance.implementation.targets import Target
    from conformance.implementation.targets.base import Json
    from reference import Release


Found = TypeVar("Found")
AnyCase = TypeVar("AnyCase")

CASES_AHEAD = 64
"""The cases whose requests are sent ahead: twice as many requests, and the harness need not wait for the suite."""

EVERY_FIELD = "a reply has every field of the version, and hello names those that are dropped, as hidden"


class Decoder(Protocol):
    """Decodes elsewhere, so that a crash or a hang costs one outcome and not the run."""

    def decode_many(self, inputs: Sequence[tuple[Target, bytes]], kinds: Sequence[str] = ()) -> list[Outcome]:
        """Return one outcome for each input; `kinds` says which inputs are alike, for what is deadly."""

    def hangs_on(self, target: Target, wire: bytes) -> bool:
        """Return whether an input is not answered in a part of the deadline; it does not count as a hang."""

    @property
    def waited(self) -> float:
        """Seconds that inputs without an answer have taken so far."""

    def close(self) -> None:
        """End what was started."""


@dataclass(frozen=True)
class Session:
    """An implementation under test, and where its calls are made.

    Args:
        implementation: the driven adapter.
        release: the definitions that it is tested against.
        decoder: a child process for bytes that may not be valid; None: everything is decoded in this process.
        isolate_all: whether valid bytes go to the child process as well.
        real_records: whether messages carry record batches, and not just any bytes, in their `records` fields.
        tally: the counts of the current item.
    """

    implementation: Implementation
    release: Release
    decoder: Decoder | None = None
    isolate_all: bool = False
    real_records: bool = False
    tally: Tally = field(default_factory=Tally)
    _found: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def once(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """Return what `find` returned when it was first called for the key, in this run."""
        if key not in self._found:
            self._found[key] = find()
        found: Found = self._found[key]
        return found

    def requests(self, target: Target, written: Any, read: bytes) -> Iterator[Json]:
        """Yield the requests of the bridge protocol to write a content and to read bytes, if they are offered."""
        if target.is_offered(self.implementation, "encode"):
            yield target.write_request(written)
        if target.is_offered(self.implementation, "decode"):
            yield target.read_request(read)

    def encode(self, target: Target, content: Any) -> Outcome:
        """Have the implementation write a content."""
        return target.encode(self.implementation, content)

    def decode(self, target: Target, wire: bytes) -> Outcome:
        """Have the implementation read valid bytes."""
        if self.isolate_all and self.decoder is not None:
            [outcome] = self.decoder.decode_many([(target, wire)])
            return self._answer(target, outcome)
        return self._answer(target, target.decode(self.implementation, wire))

    def ahead(self, cases: Iterable[AnyCase], requests: Callable[[AnyCase], Iterable[Json]]) -> Iterator[AnyCase]:
        """Yield cases that are run one after another; a harness gets their requests ahead, many at a time.

        Args:
            cases: to be run.
            requests: the requests of the bridge protocol that a case is certain to begin with, if they are offered.
        """
        send = self.implementation.adapter.ask_ahead
        if send is None or self.isolate_all:
            yield from cases
            return
        remaining = iter(cases)
        while batch := list(islice(remaining, CASES_AHEAD)):
            send([request for case in batch for request in requests(case)])
            yield from batch

    def decode_many(self, target: Target, wires: Sequence[bytes], kinds: Sequence[str] = ()) -> list[Outcome]:
        """Have the implementation read bytes that may not be valid: one outcome each."""
        if self.decoder is not None:
            before = self.decoder.waited
            outcomes = self.decoder.decode_many([(target, wire) for wire in wires], kinds)
            self.tally.waited += self.decoder.waited - before
        else:
            outcomes = [target.decode(self.implementation, wire) for wire in wires]
        return [self._answer(target, outcome) for outcome in outcomes]

    def _answer(self, target: Target, outcome: Outcome) -> Outcome:
        """Return an outcome as it is judged. A value of a harness that leaves a field out is the harness's mistake."""
        if self.implementation.is_over_bridge and outcome.kind is Kind.VALUE:
            missing = target.missing(self.implementation, outcome.value)
            if missing:
                return Outcome(Kind.PROTOCOL_ERROR, text=f"{missing} is missing: {EVERY_FIELD}")
        return self._restored(target, outcome)

    def _restored(self, target: Target, outcome: Outcome) -> Outcome:
        """Put in the place of null what it stands for in this implementation, whichever process has read it."""
        names = self.implementation.adapter.representations & READ
        if not names or outcome.value is None:
            return outcome
        return replace(outcome, value=target.restored(outcome.value, names))

    def count(self, direction: str, target: Target, outcome: Outcome) -> None:
        """Count one outcome."""
        self.tally.count(direction, target.message, outcome)
