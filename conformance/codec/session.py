"""A session: an implementation, the release, and where its calls are made: in this process, or in a child.

An `Ask` is one call of the implementation, as a value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from msgspec import structs

from conformance.codec.hidden import READ
from conformance.codec.outcome import Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from conformance.codec.driver import Implementation
    from conformance.codec.targets import Target
    from conformance.codec.targets.target import Json
    from reference import Release

Found = TypeVar("Found")

EVERY_FIELD = "a reply has every field of the version, and hello names those that are dropped, as hidden"


class Child(Protocol):
    """A process with the implementation, in which a crash or a hang costs one outcome and not the run."""

    def start(self) -> None:
        """Start it now; else it is when it is first asked."""

    def begin_anew(self) -> int:
        """Have budgets of time and crashes begin anew, and return how often it has failed so far."""

    @property
    def restarts(self) -> int:
        """How often it has failed so far, and was started again."""

    def ask(self, ask: Ask) -> Outcome:
        """Have the implementation do what is asked."""

    def send(self, asks: Sequence[Ask]) -> None:
        """Send requests before their turn."""

    def decode_many(self, inputs: Sequence[tuple[Target, bytes]], kinds: Sequence[str] = ()) -> list[Outcome]:
        """Return one outcome for each input; `kinds` says which inputs are alike, for what is deadly."""

    def hangs_on(self, target: Target, wire: bytes) -> bool:
        """Return whether an input is not answered in a part of the deadline; it does not count as a hang."""

    @property
    def waited(self) -> float:
        """Seconds that inputs without an answer have taken so far."""

    def close(self) -> None:
        """End what was started."""


def perform(implementation: Implementation, ask: Ask) -> Outcome:
    """Have an implementation in this process do what is asked."""
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
    """An implementation under test, and where its calls are made.

    Args:
        implementation: the driven adapter.
        release: the definitions that it is tested against.
        child: a child process for bytes that may not be valid; None: everything is decoded in this process.
        isolate_all: whether everything else is asked of the child process as well.
        real_records: whether messages carry record batches, and not just any bytes, in their `records` fields.
    """

    implementation: Implementation
    release: Release
    child: Child | None = None
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
        """Whether requests are worth sending before their turn: to another process."""
        return self._alone is not None or (self.implementation.adapter.ask_ahead is not None and not self.isolate_all)

    def send(self, asks: Sequence[Ask]) -> None:
        """Send another process requests before their turn: those that will be asked in about this order."""
        send = self.implementation.adapter.ask_ahead
        if self._alone is not None:
            self._alone.send([ask for ask in asks if ask.has_form])
        elif send is not None:
            send([request_of(ask) for ask in asks if ask.what in {ENCODE, DECODE}])

    @property
    def _alone(self) -> Child | None:
        """The child, if it is asked for everything; what a harness writes is written in another process anyway."""
        return self.child if self.isolate_all and not self.implementation.is_over_bridge else None

    @property
    def waited(self) -> float:
        """Seconds that inputs without an answer have taken so far."""
        return 0.0 if self.child is None else self.child.waited

    def ask(self, ask: Ask) -> Outcome:
        """Have the implementation do what is asked."""
        child = self._alone or (self.child if self.isolate_all and ask.what == DECODE and not ask.here else None)
        if child is not None and ask.has_form:
            return self._answer(ask.target, child.ask(ask))
        outcome = perform(self.implementation, ask)
        return self._answer(ask.target, outcome) if ask.what == DECODE else outcome

    def read_together(self, asks: Sequence[Ask]) -> list[Outcome]:
        """Have the implementation read bytes that may not be valid: one outcome each."""
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
        return structs.replace(outcome, value=target.restored(outcome.value, names))


ENCODE: Final = "encode"
DECODE: Final = "decode"
SIZE: Final = "size"
HEADER: Final = "header-version"


class Ask(NamedTuple):
    """One call of an implementation.

    Attributes:
        what: `ENCODE`, `DECODE`, `SIZE` or `HEADER`.
        target: what is on the wire.
        content: a content of the target, or bytes.
        name: what the case calls the answer, if it is not its own; else empty.
        isolated: whether the bytes may be invalid: they are read where a crash costs one outcome.
        here: whether valid bytes are read in the process that writes, wherever others are.
        has_form: whether a request can carry the content; if not, it is written in this process.
        hang_group: what it has in common with others that may be deadly; empty: nothing.
    """

    what: str
    target: Target
    content: Any = None
    name: str = ""
    isolated: bool = False
    hang_group: str = ""
    here: bool = False
    has_form: bool = True

    @property
    def key(self) -> str:
        """The name of its answer."""
        return self.name or self.what


def has_form(rule: str) -> bool:
    """Return whether values that break a rule have a JSON form: they are of other types, or of fields there are not."""
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
    """The outcomes of what a case has asked so far, by `Ask.key`."""
