"""A session of an implementation, with the release and the process for its calls.

An `Ask` is one call of the implementation, as a value.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from msgspec import structs

from conformance.codec.corrections import NO_MISTAKES
from conformance.codec.hidden import READ
from conformance.codec.outcome import Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from conformance.codec.corrections import Mistakes
    from conformance.codec.driver import Implementation
    from conformance.codec.targets import Target
    from conformance.codec.targets.target import Json
    from reference import Release

Found = TypeVar("Found")

EVERY_FIELD = "a reply has every field of the version, and hello names those that are dropped, as hidden"


class Child(Protocol):
    """A process with the implementation, in which a crash or a hang costs one outcome and not the run."""

    def start(self) -> None:
        """Start it now, not at the first request."""

    def begin_anew(self) -> int:
        """Reset the budgets of time and crashes, and return the number of failures so far."""

    @property
    def restarts(self) -> int:
        """The number of failures with a restart so far."""

    def ask(self, ask: Ask) -> Outcome:
        """Return the implementation's outcome for a request."""

    def send(self, asks: Sequence[Ask]) -> None:
        """Send requests before their turn."""

    def decode_many(self, inputs: Sequence[tuple[Target, bytes]], kinds: Sequence[str] = ()) -> list[Outcome]:
        """Return one outcome for each input.

        After a kind of input has ended the child, others of that kind are skipped.
        """

    def hangs_on(self, target: Target, wire: bytes, *, surely: bool) -> bool:
        """Return whether an input gets no answer in the deadline, or in a part of it if it need not be sure.

        It does not count as a hang.
        """

    @property
    def waited(self) -> float:
        """Seconds spent on inputs without an answer so far."""

    def close(self) -> None:
        """End the process."""


def perform(implementation: Implementation, ask: Ask) -> Outcome:
    """Return the outcome of a request to an implementation in this process."""
    if ask.what == ENCODE:
        return ask.target.encode(implementation, ask.content)
    if ask.what == DECODE:
        return ask.target.decode(implementation, ask.content)
    if ask.what == SIZE:
        number = ask.target.size(implementation, ask.content)
    else:
        number = ask.target.header_version(implementation)
    return number if isinstance(number, Outcome) else Outcome(Kind.VALUE, value=number)


@dataclass(frozen=True)
class Session:
    """An implementation under test, with the process for its calls.

    Args:
        implementation: the driven adapter.
        release: the definitions of the test.
        child: a child process for bytes that may not be valid, or None to decode everything in this process.
        isolate_all: whether the child process answers everything else as well.
        real_records: whether messages carry record batches, and not just any bytes, in their `records` fields.
        learn: finds the mistakes of the adapter that show in every value, in a session without corrections.
    """

    implementation: Implementation
    release: Release
    child: Child | None = None
    isolate_all: bool = False
    real_records: bool = False
    learn: Callable[[Session], Mistakes] = lambda _: NO_MISTAKES
    _found: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def once(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """Return the result of the first call of `find` for the key in this run."""
        if key not in self._found:
            self._found[key] = find()
        found: Found = self._found[key]
        return found

    @property
    def claims(self) -> Implementation:
        return self.implementation

    def offers(self, target: Target, what: str) -> bool:
        if what == SIZE:
            return self.implementation.adapter.size is not None and target.folder in ("messages", "headers")
        if what == HEADER:
            return self.implementation.adapter.header_version is not None
        return target.is_offered(self.implementation, what)

    @property
    def mistakes(self) -> Mistakes:
        """The mistakes of the adapter that show in every value; answers are corrected by them."""
        return self.once("mistakes", lambda: self.learn(replace(self, learn=lambda _: NO_MISTAKES, _found={})))

    @property
    def sends_ahead(self) -> bool:
        """Whether requests are worth sending before their turn, since another process answers them."""
        return self._alone is not None or (self.implementation.adapter.ask_ahead is not None and not self.isolate_all)

    def send(self, asks: Sequence[Ask]) -> None:
        """Send another process requests before their turn, in about the order in which they will be asked."""
        send = self.implementation.adapter.ask_ahead
        if self._alone is not None:
            self._alone.send(asks)
        elif send is not None:
            send([request_of(ask) for ask in asks if ask.what in {ENCODE, DECODE}])

    @property
    def _alone(self) -> Child | None:
        """The child, if it answers everything.

        A harness writes in another process anyway, so it needs none.
        """
        return self.child if self.isolate_all and not self.implementation.is_over_bridge else None

    @property
    def waited(self) -> float:
        """Seconds spent on inputs without an answer so far."""
        return 0.0 if self.child is None else self.child.waited

    def ask(self, ask: Ask) -> Outcome:
        """Return the implementation's outcome for a request."""
        child = self._alone or (self.child if self.isolate_all and ask.what == DECODE and not ask.here else None)
        outcome = perform(self.implementation, ask) if child is None else child.ask(ask)
        return self._answer(ask.target, outcome) if ask.what == DECODE else self.mistakes.written(ask.target, outcome)

    def apart(self, ask: Ask) -> Outcome:
        """Return the outcome of a request in the child process, if there is one."""
        return self.ask(ask) if self.child is None or self.implementation.is_over_bridge else self.child.ask(ask)

    def read_together(self, asks: Sequence[Ask]) -> list[Outcome]:
        """Return one outcome for each request to read bytes that may not be valid."""
        if self.child is None:
            outcomes = [ask.target.decode(self.implementation, ask.content) for ask in asks]
        else:
            outcomes = self.child.decode_many(
                [(ask.target, ask.content) for ask in asks], [ask.hang_group for ask in asks]
            )
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
        """Return an outcome as it is judged.

        A value of a harness without one of its fields is the harness's mistake.
        """
        outcome = self.mistakes.read(target, outcome)
        if self.implementation.is_over_bridge and outcome.kind is Kind.VALUE:
            missing = target.missing(self.implementation, outcome.value)
            if missing:
                text = f"{missing} is missing: {EVERY_FIELD}"
                return structs.replace(outcome, kind=Kind.PROTOCOL_ERROR, text=text)
        return self._restored(target, outcome)

    def _restored(self, target: Target, outcome: Outcome) -> Outcome:
        """Replace each null by the value that it stands for in this implementation.

        It applies to both processes.
        """
        names = self.implementation.adapter.representations & READ
        if not names or outcome.value is None:
            return outcome
        return structs.replace(outcome, value=target.restored(outcome.value, names))


ENCODE: Final = "encode"
DECODE: Final = "decode"
SIZE: Final = "size"
HEADER: Final = "header-version"


class Ask(NamedTuple):
    """One call of an implementation.

    Attributes:
        what: `ENCODE`, `DECODE`, `SIZE` or `HEADER`.
        target: the thing on the wire.
        content: a content of the target, or bytes.
        name: the name of the answer in its case, if it has one of its own; else empty.
        isolated: whether the bytes may be invalid. They are read where a crash costs one outcome.
        here: whether valid bytes are read in the process that writes, wherever others are.
        hang_group: the hang group of the input; empty for none.
    """

    what: str
    target: Target
    content: Any = None
    name: str = ""
    isolated: bool = False
    hang_group: str = ""
    here: bool = False

    @property
    def key(self) -> str:
        """The name of its answer."""
        return self.name or self.what


def has_form(rule: str) -> bool:
    """Return whether values that break a rule have a JSON form, by which a harness gets them.

    Values under the rules `value.` have none: their types are wrong, or their fields do not exist.
    """
    return not rule.startswith("value.")


def request_of(ask: Ask) -> Json:
    """Return the request of the bridge protocol."""
    if ask.what == DECODE:
        return ask.target.read_request(ask.content)
    if ask.what == HEADER:
        return ask.target.header_request()
    request = ask.target.write_request(ask.content)
    return {**request, "op": SIZE} if ask.what == SIZE else request


if TYPE_CHECKING:
    Answers = dict[str, Outcome]
    """The outcomes for a case so far, by `Ask.key`."""
