"""Decoding in a child process that may die: one outcome for each input, whatever happens to the child.

Requests are pipelined, so a child that dies may take replies along that were already under way: the first unanswered
request need not be the culprit. The unanswered window is therefore run again one by one, each request with a child
that is known to be alive; the one that kills it again is guilty, and costs one finding.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from conformance.bridge.framed import Framed
from conformance.bridge.json_lines import HarnessDiedError, HarnessError, HarnessTimeoutError, JsonLinesProcess
from conformance.checks.outcomes import Kind, Outcome
from reference import MessageSchema, NotJsonForm, Primitive, from_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType

DEADLINE = 3.0
"""Seconds for one decode: some libraries run for more than twenty on seven bytes."""

START_DEADLINE = 60.0
"""Seconds for the start of the child."""

MAXIMUM_STDERR = 200
"""How much of a dying child's last words is kept; without paths, which are this machine's."""

MEMORY = 4096
"""MiB of address space."""

Target = MessageSchema | Primitive | Framed
"""What bytes are decoded as: a message at one version, with or without what is around it, or a wire type alone."""

Input = tuple[Target, bytes]


class BridgeUnavailable(Exception):
    """The child cannot be started at all; the text says what it wrote."""


class IsolatedDecoder:
    """Decodes in a child of its own, started when first needed and again after each death."""

    def __init__(self, impl: str, release: str, *, deadline: float = DEADLINE, memory: int = MEMORY) -> None:
        options = ("--impl", impl, "--release", release, "--memory", str(memory))
        self._command = (sys.executable, "-P", "-m", "conformance.bridge.child", *options)
        self._deadline = deadline
        self._process: JsonLinesProcess | None = None
        self.restarts = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child, if there is one."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def decode(self, target: MessageSchema | Framed, wire: bytes) -> Outcome:
        """The outcome of one input.

        Raises:
            BridgeUnavailable: the child does not start.
        """
        [outcome] = self.decode_many([(target, wire)])
        return outcome

    def decode_many(self, inputs: Sequence[Input]) -> list[Outcome]:
        """One outcome for each input, in order.

        Raises:
            BridgeUnavailable: the child does not start.
        """
        outcomes: list[Outcome] = []
        while len(outcomes) < len(inputs):
            try:
                outcomes += self._exchange(inputs[len(outcomes) :])
            except HarnessError as error:
                done = inputs[len(outcomes) : len(outcomes) + len(error.replies)]
                outcomes += _outcomes(done, error.replies)
                self._discard()
                outcomes += self._one_by_one(inputs[len(outcomes) :])
        return outcomes

    def _one_by_one(self, inputs: Iterable[Input]) -> list[Outcome]:
        """Decode in lock-step until the child dies once more; that input is the last one answered for."""
        outcomes: list[Outcome] = []
        for each in inputs:
            try:
                outcomes += self._exchange([each])
            except HarnessError as error:
                self._discard()
                return [*outcomes, _death(error, self._deadline)]
        return outcomes

    def _exchange(self, inputs: Sequence[Input]) -> list[Outcome]:
        process = self._process or self._start()
        return _outcomes(inputs, process.exchange(_request(*each) for each in inputs))

    def _start(self) -> JsonLinesProcess:
        process = JsonLinesProcess(self._command, deadline=START_DEADLINE, environment=_environment())
        try:
            process.exchange([{"op": "hello"}])
        except HarnessError as error:
            raise BridgeUnavailable(f"the child process for hostile bytes does not start: {error}") from error
        process.deadline = self._deadline
        self._process = process
        return process

    def _discard(self) -> None:
        self.close()
        self.restarts += 1


def _environment() -> dict[str, str]:
    """This process's environment, with this process's import path.

    `-P` leaves the path as it is said here: else the current folder came first, and with it, maybe, other packages of
    the same names.
    """
    path = os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path if Path(entry).exists())
    return {**os.environ, "PYTHONPATH": path}


def _request(target: Target, wire: bytes) -> dict[str, Any]:
    if isinstance(target, Primitive):
        return {"op": "decode-primitive", "name": target.name, "wire": wire.hex()}
    if isinstance(target, Framed):
        return {**target.request(), "wire": wire.hex()}
    schema = target
    return {"op": "decode", "message": schema.message, "version": schema.version, "wire": wire.hex()}


def _outcomes(inputs: Sequence[Input], replies: Sequence[dict[str, Any]]) -> list[Outcome]:
    return [_outcome(target, reply) for (target, _), reply in zip(inputs, replies, strict=True)]


def _outcome(target: Target, reply: dict[str, Any]) -> Outcome:
    kind = Kind(reply["outcome"])
    if kind is not Kind.VALUE:
        return Outcome(
            kind,
            text=": ".join(reply[key] for key in ("class", "text") if reply.get(key)),
            reason=reply.get("reason", ""),
        )
    try:
        value = _value(target, reply) if "value" in reply else None
    except NotJsonForm as error:
        return Outcome(kind, text=str(error))
    return Outcome(kind, value=value, consumed=reply.get("consumed"), text=reply.get("text", ""))


def _value(target: Target, reply: dict[str, Any]) -> Any:
    if isinstance(target, Framed):
        return target.content(reply)
    form = reply["value"]
    return target.from_json(form) if isinstance(target, Primitive) else from_json(target, form)


def _death(error: HarnessError, deadline: float) -> Outcome:
    if isinstance(error, HarnessTimeoutError):
        return Outcome(Kind.TIMED_OUT, text=f"no answer within {deadline:g} seconds")
    said = " ".join(word for word in error.ending.said.split() if "/" not in word)[:MAXIMUM_STDERR]
    if isinstance(error, HarnessDiedError):
        return Outcome(Kind.CRASHED, text=f"{error.ending.cause}: {said}" if said else error.ending.cause)
    return Outcome(Kind.PROTOCOL_ERROR, text=error.problem)
