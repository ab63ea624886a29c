"""A session: an implementation, the release, and where its calls are made: in this process, or in a child."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from conformance.implementation.asks import DECODE, ENCODE, SIZE, Ask
from conformance.implementation.hidden import READ
from conformance.implementation.outcome import Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from conformance.implementation.driver import Implementation
    from conformance.implementation.targets import Target
    from conformance.implementation.targets.base import Json
    from reference import Release


Found = TypeVar("Found")

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
    """

    implementation: Implementation
    release: Release
    decoder: Decoder | None = None
    isolate_all: bool = False
    real_records: bool = False
    _found: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def once(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """Return what `find` returned when it was first called for the key, in this run."""
        if key not in self._found:
            self._found[key] = find()
        found: Found = self._found[key]
        return found

    @property
    def sends_ahead(self) -> bool:
        """Whether requests are worth sending before their turn: to a harness."""
        return self.implementation.adapter.ask_ahead is not None and not self.isolate_all

    def send(self, asks: Sequence[Ask]) -> None:
        """Send a harness requests before their turn: those that will be asked in about this order."""
        send = self.implementation.adapter.ask_ahead
        if send is not None:
            send([_request(ask) for ask in asks if ask.what in {ENCODE, DECODE}])

    def begin(self, case: object) -> Outcome | None:  # noqa: ARG002  # those that a process may end take note of it
        """Take note of the case that the next calls are for, None if none; return how it ended a process before."""
        return None

    @property
    def waited(self) -> float:
        """Seconds that inputs without an answer have taken so far."""
        return 0.0 if self.decoder is None else self.decoder.waited

    def ask(self, ask: Ask) -> Outcome:
        """Have the implementation do what is asked."""
        if ask.what == ENCODE:
            return self.encode(ask.target, ask.content)
        if ask.what == DECODE and ask.here:
            return self._answer(ask.target, ask.target.decode(self.implementation, ask.content))
        if ask.what == DECODE:
            return self.decode(ask.target, ask.content)
        if ask.what == SIZE:
            number = ask.target.size(self.implementation, ask.content)
        else:
            number = ask.target.header_version(self.implementation)
        return number if isinstance(number, Outcome) else Outcome(Kind.VALUE, value=number)

    def read_together(self, asks: Sequence[Ask]) -> list[Outcome]:
        """Have the implementation read bytes that may not be valid: one outcome each."""
        if self.decoder is None:
            outcomes = [ask.target.decode(self.implementation, ask.content) for ask in asks]
        else:
            outcomes = self.decoder.decode_many(
                [(ask.target, ask.content) for ask in asks], [ask.alike for ask in asks]
            )
        return [self._answer(ask.target, outcome) for ask, outcome in zip(asks, outcomes, strict=True)]

    def encode(self, target: Target, content: Any) -> Outcome:
        """Have the implementation write a content."""
        return target.encode(self.implementation, content)

    def decode(self, target: Target, wire: bytes) -> Outcome:
        """Have the implementation read valid bytes."""
        if self.isolate_all and self.decoder is not None:
            [outcome] = self.decoder.decode_many([(target, wire)])
            return self._answer(target, outcome)
        return self._answer(target, target.decode(self.implementation, wire))

    def decode_many(self, target: Target, wires: Sequence[bytes]) -> list[Outcome]:
        """Have the implementation read bytes of a target that may not be valid: one outcome each."""
        return self.read_together([Ask(DECODE, target, wire, isolated=True) for wire in wires])

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


def _request(ask: Ask) -> Json:
    """Return the request of the bridge protocol."""
    return ask.target.write_request(ask.content) if ask.what == ENCODE else ask.target.read_request(ask.content)
