"""Decoding in a child process that may die: one outcome for each input, whatever happens to the child.

Requests are pipelined, but the child takes up the next one only after the reply to the one before has left it: so
when it dies, the first request without a reply is the guilty one, and costs one finding. A silence is not always the
codec's fault, for the machine may have been busy: whatever was silent is asked once more, alone, in a new child.

A codec that dies on every other input would keep the machine busy with new children. Deaths have a budget, for each
call of `decode_many` anew, so that results do not depend on what was asked before; and what is of the same sort as an
input that was deadly is not tried again there. What is left out is said not to have run.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from conformance.bridge.failures import DEADLINE, START_DEADLINE, death
from conformance.bridge.fork_server import CAN_FORK, Template, TemplateError
from conformance.bridge.harness_adapter import PREFIX
from conformance.bridge.protocol import hello_request
from conformance.bridge.transport import HarnessError, JsonLinesProcess
from conformance.implementation.outcome import FATAL, Kind, Outcome
from conformance.implementation.targets import Body, Target
from reference import NotJsonForm, load_release, minimal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

DEATHS = 20
"""How often the child may die in one call of `decode_many`."""

SILENCES = 2
"""How often it may be silent beyond the deadline there: each costs seconds."""

MEMORY = 1000
"""MiB of address space for one decode, beyond what the child has when it is ready; codecs like to ask for just 1024."""

Input = tuple[Target, bytes]


class BridgeUnavailable(Exception):
    """The child cannot be started at all; the text says what it wrote."""


class IsolatedDecoder:
    """Decodes in a child of its own, started when first needed and again after each death."""

    def __init__(self, impl: str, release: str, *, deadline: float = DEADLINE, memory: int = MEMORY) -> None:
        is_harness = impl.startswith(PREFIX)  # in a process of its own, which children cannot share
        self._can_fork = CAN_FORK and not is_harness
        options = ("--impl", impl, "--release", release, "--memory", str(0 if is_harness else memory))
        self._release = release
        self._command = (sys.executable, "-P", "-m", "conformance.bridge.child", *options)
        self._deadline = deadline
        self._template: Template | None = None
        self._greeted = False
        self._process: JsonLinesProcess | None = None
        self._unavailable: BridgeUnavailable | None = None
        self.restarts = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child, if there is one, and what it was forked from."""
        self._end_child()
        if self._template is not None:
            self._template.close()
            self._template = None

    def decode(self, target: Target, wire: bytes) -> Outcome:
        """The outcome of one input.

        Raises:
            BridgeUnavailable: the child does not start.
        """
        [outcome] = self.decode_many([(target, wire)])
        return outcome

    def decode_many(self, inputs: Sequence[Input], kinds: Sequence[str] = ()) -> list[Outcome]:
        """One outcome for each input, in order; `Kind.NOT_RUN` for those that the budget of deaths leaves out.

        `kinds`, if given, says of each input what kind of input it is. Once one of a kind has ended the child, others
        of that kind are left out; the empty kind is none.

        Raises:
            BridgeUnavailable: the child does not start.
        """
        outcomes = [_NOT_RUN] * len(inputs)
        pending = list(range(len(inputs)))
        budget = _Budget()
        while pending and not budget.is_spent:
            wanted = [inputs[index] for index in pending]
            answers, died = self._answers(wanted)
            for index, answer in zip(pending, answers, strict=False):
                outcomes[index] = answer
            rest = pending[len(answers) :]
            if died:
                guilty = pending[len(answers) - 1]
                kind = kinds[guilty] if kinds else ""
                budget.take(outcomes[guilty])
                rest = [index for index in rest if not kind or kinds[index] != kind]
            pending = rest
        return outcomes

    def _answers(self, inputs: Sequence[Input]) -> tuple[list[Outcome], bool]:
        """Outcomes up to the first that ended the child, if one did, that one included; and whether one did."""
        try:
            return self._exchange(inputs), False
        except HarnessError as error:
            answers = _outcomes(inputs, error.replies)
            self._discard()
            guilty = death(error, self._deadline)
            if guilty.kind is Kind.TIMED_OUT:
                guilty = self._once_more(inputs[len(answers)])
            return [*answers, guilty], guilty.kind in FATAL

    def _once_more(self, guilty: Input) -> Outcome:
        """Ask alone what was not answered in time."""
        try:
            [outcome] = self._exchange([guilty])
        except HarnessError as error:
            self._discard()
            return death(error, self._deadline)
        return outcome

    def _exchange(self, inputs: Sequence[Input]) -> list[Outcome]:
        process = self._process or self._start(inputs[0][0])
        return _outcomes(inputs, process.exchange(target.read_request(wire) for target, wire in inputs))

    def _start(self, target: Target) -> JsonLinesProcess:
        """A new child; what did not start once is not tried again, for each try may take a minute."""
        if self._unavailable is not None:
            raise self._unavailable
        try:
            process = self._forked(target) or JsonLinesProcess(
                self._command, deadline=START_DEADLINE, environment=_environment()
            )
            if not self._greeted:  # children forked later are the same program
                process.exchange([hello_request(load_release(self._release))])
                self._greeted = self._template is not None and self._template.can_fork
        except (HarnessError, TemplateError) as error:
            self._unavailable = BridgeUnavailable(f"the child process for hostile bytes does not start: {error}")
            raise self._unavailable from error
        process.deadline = self._deadline
        self._process = process
        return process

    def _forked(self, target: Target) -> JsonLinesProcess | None:
        """A child forked from the template, which has read a sound input before; None where that cannot be."""
        if not self._can_fork:
            return None
        if self._template is None:
            self._template = Template((*self._command, "--fork-for"), _environment())
        if not self._template.can_fork:
            return None
        return JsonLinesProcess(partial(self._template.fork, prepare=_sound(target)), deadline=START_DEADLINE)

    def _discard(self) -> None:
        self._end_child()
        self.restarts += 1

    def _end_child(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


class _Budget:
    """How much dying is left in one call of `decode_many`."""

    def __init__(self) -> None:
        self._deaths = DEATHS
        self._silences = SILENCES

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is tried."""
        return self._deaths <= 0 or self._silences <= 0

    def take(self, outcome: Outcome) -> None:
        """Count one death."""
        if outcome.kind is Kind.TIMED_OUT:
            self._silences -= 1
        else:
            self._deaths -= 1


_NOT_RUN = Outcome(Kind.NOT_RUN, text="inputs of its sort, or too many others, had ended the child process by then")


def _environment() -> dict[str, str]:
    """This process's environment, with this process's import path, and without what makes each death slow.

    `-P` leaves the path as it is said here: else the current folder came first, and with it, maybe, other packages of
    the same names. A codec in Rust would look up the name of each function for a backtrace that nobody reads.
    """
    path = os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path if Path(entry).exists())
    return {**os.environ, "PYTHONPATH": path, "RUST_BACKTRACE": "0"}


def _sound(target: Target) -> bytes:
    """A line that has the adapter read a sound message, so that it loads what it needs for that; empty for others."""
    if not isinstance(target, Body):
        return b""
    return json.dumps({"id": 0, **target.read_request(target.write(minimal(target.schema)))}).encode()


def _outcomes(inputs: Sequence[Input], replies: Sequence[dict[str, Any]]) -> list[Outcome]:
    """The outcomes of those inputs that were answered: the first ones."""
    return [_outcome(target, reply) for (target, _), reply in zip(inputs, replies, strict=False)]


def _outcome(target: Target, reply: dict[str, Any]) -> Outcome:
    kind = Kind(reply["outcome"])
    if kind is not Kind.VALUE:
        return Outcome(
            kind,
            text=": ".join(reply[key] for key in ("class", "text") if reply.get(key)),
            reason=reply.get("reason", ""),
        )
    try:
        value = target.parse(reply) if "value" in reply else None
    except NotJsonForm as error:
        return Outcome(kind, text=str(error))
    return Outcome(kind, value=value, consumed=reply.get("consumed"), text=reply.get("text", ""))
