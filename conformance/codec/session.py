"""A session of an implementation, which decides who makes each call, and what is judged of the outcome."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import structs

from conformance.codec.corrections import NO_MISTAKES
from conformance.targets import DECODE, ENCODE, Ask
from conformance.targets.hidden import READ
from conformance.targets.outcome import Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from conformance.codec.corrections import Mistakes
    from conformance.targets import Claims, Target
    from reference import Release

Found = TypeVar("Found")

EVERY_FIELD = "a reply has every field of the version, and hello names those that are dropped, as hidden"


class Performs(Protocol):
    """Something that makes calls of an implementation."""

    def perform(self, ask: Ask) -> Outcome:
        """Return the outcome of one call."""

    def send(self, asks: Sequence[Ask]) -> None:
        """Send requests before their turn, in about the order in which they will be asked."""


class AnyCodec(Performs, Protocol):
    """An implementation as the suite calls it."""

    @property
    def claims(self) -> Claims:
        """Its claims about itself."""

    @property
    def sends_ahead(self) -> bool:
        """Whether requests are worth sending before their turn, since another process answers them."""

    def describe(self) -> Outcome:
        """Return the outcome with the implementation's own schema."""


class Child(Performs, Protocol):
    """A process with the implementation, in which a crash or a hang costs one outcome and not the run."""

    def start(self) -> None:
        """Start it now, not at the first request."""

    def begin_anew(self) -> int:
        """Reset the budgets of time and crashes, and return the number of failures so far."""

    @property
    def restarts(self) -> int:
        """The number of failures with a restart so far."""

    def perform_together(self, asks: Sequence[Ask]) -> list[Outcome]:
        """Return one outcome for each request. After one of a hang group has ended the child, others are skipped."""

    def hangs_on(self, target: Target, wire: bytes, *, surely: bool) -> bool:
        """Return whether an input gets no answer in the deadline, or in a part unless `surely`. No hang is counted."""

    @property
    def waited(self) -> float:
        """Seconds spent on inputs without an answer so far."""

    def close(self) -> None:
        """End the process."""


@dataclass(frozen=True)
class Session:
    """An implementation under test, with the process for its calls.

    Args:
        codec: the implementation.
        release: the definitions of the test.
        child: a child process for bytes that may not be valid, or None to decode everything in this process.
        isolate_all: whether the child process answers everything else as well.
        real_records: whether messages carry record batches, and not just any bytes, in their `records` fields.
        learn: finds the mistakes of the adapter that show in every value, in a session without corrections.
    """

    codec: AnyCodec
    release: Release
    child: Child | None = None
    isolate_all: bool = False
    real_records: bool = False
    learn: Callable[[Session], Mistakes] = lambda _: NO_MISTAKES
    _found: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    @property
    def claims(self) -> Claims:
        """What the implementation claims about itself."""
        return self.codec.claims

    def offers(self, target: Target, what: str) -> bool:
        """Return whether the implementation has a function for a target."""
        return target.is_offered(self.codec.claims, what)

    def once(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """Return the result of the first call of `find` for the key in this run."""
        if key not in self._found:
            self._found[key] = find()
        found: Found = self._found[key]
        return found

    @cached_property
    def mistakes(self) -> Mistakes:
        """The mistakes of the adapter that show in every value. Answers are corrected by them."""
        return self.once("mistakes", lambda: self.learn(replace(self, learn=lambda _: NO_MISTAKES, _found={})))

    @property
    def sends_ahead(self) -> bool:
        """Whether requests are worth sending before their turn, since another process answers them."""
        return self._alone is not None or (self.codec.sends_ahead and not self.isolate_all)

    def send(self, asks: Sequence[Ask]) -> None:
        """Send another process requests before their turn, in about the order in which they will be asked."""
        (self._alone or self.codec).send(asks)

    @property
    def _alone(self) -> Child | None:
        """The child, if it answers everything. A harness writes in another process anyway, so it needs none."""
        return self.child if self.isolate_all and not self.claims.is_over_bridge else None

    @property
    def waited(self) -> float:
        """Seconds spent on inputs without an answer so far."""
        return 0.0 if self.child is None else self.child.waited

    def ask(self, ask: Ask) -> Outcome:
        """Return the implementation's outcome for a request."""
        child = self.child
        if child is None or not self.isolate_all:
            outcome = self.codec.perform(ask)
        else:
            is_for_child = not self.claims.is_over_bridge or (ask.what == DECODE and not ask.here)
            outcome = (child if is_for_child else self.codec).perform(ask)
        return self._answer(ask.target, outcome) if ask.what == DECODE else self.mistakes.written(ask.target, outcome)

    def apart(self, ask: Ask) -> Outcome:
        """Return the outcome of a request in the child process, if there is one."""
        return self.ask(ask) if self.child is None or self.claims.is_over_bridge else self.child.perform(ask)

    def read_together(self, asks: Sequence[Ask]) -> list[Outcome]:
        """Return one outcome for each request to read bytes that may not be valid."""
        child = self.child
        outcomes = [self.codec.perform(ask) for ask in asks] if child is None else child.perform_together(asks)
        return [self._answer(ask.target, outcome) for ask, outcome in zip(asks, outcomes, strict=True)]

    def encode(self, target: Target, content: Any) -> Outcome:
        """Have the implementation write a content."""
        return self.ask(Ask(ENCODE, target, content))

    def decode(self, target: Target, wire: bytes) -> Outcome:
        """Have the implementation read valid bytes."""
        return self.ask(Ask(DECODE, target, wire))

    def decode_many(self, target: Target, wires: Sequence[bytes]) -> list[Outcome]:
        """Return one outcome for each of a target's bytes that may not be valid."""
        return self.read_together([Ask(DECODE, target, wire, isolated=True) for wire in wires])

    def _answer(self, target: Target, outcome: Outcome) -> Outcome:
        outcome, claims = self.mistakes.read(target, outcome), self.codec.claims
        # a value of a harness without one of its fields is the harness's mistake
        if claims.is_over_bridge and outcome.kind is Kind.VALUE:
            missing = target.missing(claims, outcome.value)
            if missing:
                text = f"{missing} is missing: {EVERY_FIELD}"
                return structs.replace(outcome, kind=Kind.PROTOCOL_ERROR, text=text)
        names = claims.representations & READ
        if not names or outcome.value is None:
            return outcome
        return structs.replace(outcome, value=target.restored(outcome.value, names))


def has_form(rule: str) -> bool:
    """Return whether values that break a rule have a JSON form for a harness. Those of `value.` have none."""
    # their types are wrong, or their fields do not exist
    return not rule.startswith("value.")


if TYPE_CHECKING:
    Answers = dict[str, Outcome]
    """The outcomes for a case so far, by `Ask.key`."""
