"""A harness in any language as a codec, named by `--impl="stdio:COMMAND ARGS"`.

Each call is one request. The reply has the outcome, so the suite need not guess the meaning of an exception.
"""

from __future__ import annotations

import atexit
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS, AdapterError
from conformance.codec.bridge.ahead import Ahead, kind_of_request
from conformance.codec.bridge.bridge_json import dumps
from conformance.codec.bridge.child_client import DEADLINE, Client, Policy
from conformance.codec.bridge.hangs import Endings
from conformance.codec.bridge.harness_errors import HarnessError
from conformance.codec.bridge.hello import note_text, start_harness
from conformance.codec.bridge.protocol import Message, outcome_of_reply, plain_outcome
from conformance.codec.bridge.transport import program
from conformance.codec.validation import check_claims
from conformance.targets import DECODE, ENCODE, SIZE, Body
from conformance.targets.claims import STDIO
from conformance.targets.outcome import Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.codec.bridge.transport import JsonLinesProcess
    from conformance.targets import Ask, Claims, Target
    from reference import MessageSchema, Release

HINT = "Run `kafka-conformance bridge check -- COMMAND ARGS`, which reports what is wrong with a harness"

MAXIMUM_RESTARTS = 200
"""The maximum number of restarts of a harness in one run: constant crashes would take hours."""


class Harness(Client):
    """One harness over any number of restarts, with its reply to `hello`, empty before the first start."""

    def __init__(
        self,
        command: Sequence[str],
        release: Release,
        *,
        deadline: float = DEADLINE,
        maximum_restarts: int | None = MAXIMUM_RESTARTS,
    ) -> None:
        super().__init__(
            self._ready, Policy.BATCHED, endings=Endings(), deadline=deadline, maximum_restarts=maximum_restarts
        )
        self._command = tuple(command)
        self._release = release
        self.hello: Message = {}
        atexit.register(self.close)  # an adapter has no `close`: nobody else ends the harness of a run

    def _ready(self, _request: object) -> JsonLinesProcess:
        process, self.hello = start_harness(program(self._command), self._release, self.hello)
        return process


def claims_in(impl: str, hello: Message) -> Claims:
    """Return the claims in a reply to `hello`, with no messages unless a harness has both encode and decode.

    Raises:
        AdapterError: one of them does not fit the contract of adapters.
    """
    functions = frozenset(name.replace("-", "_") for name in hello["operations"])
    members: dict[str, Any] = {name: hello.get(name, {}) for name in ("records", "hidden", "limits")}
    members |= {name: frozenset(hello.get(name, ())) for name in ("capabilities", "representations")}
    has_messages = not functions.isdisjoint(DIRECTIONS)
    harness = SimpleNamespace(
        name=hello["implementation"],
        version=hello["version"],
        notes=tuple(map(note_text, hello.get("notes", ()))),
        supported=(lambda: hello["supports"]) if has_messages else None,
        **members,
    )
    return check_claims(impl, harness, STDIO, functions)


class StdioCodec:
    """A harness, not yet started, as a codec.

    Args:
        impl: the value of `--impl`, for the errors.
        harness: not yet started.
        spec: the command in the form of `--impl`, if that names a module.
    """

    sends_ahead = True

    def __init__(self, impl: str, harness: Harness, spec: str = "") -> None:
        self._impl = impl
        self._ahead = Ahead(harness, kind_of_request)
        self._last = LastWritten()
        try:
            harness.start()
        except HarnessError as error:
            raise self._unusable(error) from error
        self.claims = replace(claims_in(impl, harness.hello), spec=spec or impl)

    def send(self, asks: Sequence[Ask]) -> None:
        """Send requests to write and read many at a time, before they are asked for."""
        self._ahead.send([ask.request for ask in asks if ask.what in DIRECTIONS])

    def perform(self, ask: Ask) -> Outcome:
        """Return the outcome of one request, or raise AdapterError if the harness cannot answer any more."""
        target, name = ask.target, ask.target.function(ask.what)
        outcome = target.unasked(ask, self.claims) or self._last.size(ask)
        if outcome is not None:
            return outcome
        if name not in self.claims.functions:
            return Outcome(Kind.UNSUPPORTED, text=name)
        request = ask.request
        reply = self._reply(request)
        if ask.what == ENCODE:
            self._last.written(ask, request, reply)
        outcome = outcome_of_reply(ask, reply, partial(self._last.parse, target))
        return target.checked(outcome) if ask.what == DECODE else outcome

    def describe(self) -> Outcome:
        """Return the outcome with the implementation's own schema."""
        reply = self._reply({"op": "describe"})
        outcome = plain_outcome(reply)
        return Outcome(Kind.VALUE, value=reply.get("value", {})) if outcome.kind is Kind.VALUE else outcome

    def _reply(self, request: Message) -> Message:
        try:
            return self._ahead.ask(request)
        except HarnessError as error:
            raise self._unusable(error) from error

    def _unusable(self, error: HarnessError) -> AdapterError:
        return AdapterError(self._impl, str(error), HINT)


class LastWritten:
    """The last message body that a harness was asked to write, and its form.

    Most values are read back as they were written, and comparing two texts is faster than making a value from one. A
    reply with the bytes of a value may announce the result of `size` as well, to save a request.
    """

    def __init__(self) -> None:
        self._last: tuple[MessageSchema, Message, Any] | None = None
        self._size: Outcome | None = None

    def written(self, ask: Ask, request: Message, reply: Message) -> None:
        """Keep the value of a request to write a body, and the size that its reply announces, if any."""
        if isinstance(ask.target, Body):
            size = reply.get("size")
            self._last = ask.target.schema, request["value"], ask.content
            self._size = Outcome(Kind.VALUE, value=size) if type(size) is int else None

    def size(self, ask: Ask) -> Outcome | None:
        """Return the announced size if a request is for that of the last value, or None."""
        if ask.what != SIZE or self._last is None or not isinstance(ask.target, Body):
            return None
        schema, _, value = self._last
        return self._size if schema is ask.target.schema and value is ask.content else None

    def parse(self, target: Target, reply: Message) -> Any:
        """Return the content of a reply, which is the last value written if it has that form, or raise NotJsonForm."""
        if self._last is not None and isinstance(target, Body):
            schema, form, value = self._last
            if schema is target.schema and _is_same_text(reply["value"], form):
                return value
        return target.parse(reply)


def _is_same_text(one: Any, other: Any) -> bool:
    """Return whether two forms have the same text, as 1 and true, which are equal to Python, have not."""
    try:
        return dumps(one) == dumps(other)
    except RecursionError:
        return False
