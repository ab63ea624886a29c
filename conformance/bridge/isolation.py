"""Calls of an implementation in a child process that may die: one outcome for each, whatever happens to the child.

A Python adapter is loaded by a child of its own (`child.py`), forked from a fork server where that is possible. An
implementation over stdio is a child anyway: it gets a process of its own beside the one that the suite uses.
"""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.bridge.ahead import Ahead
from conformance.bridge.client import DEADLINE, START_DEADLINE, Client, Policy
from conformance.bridge.endings import Endings
from conformance.bridge.errors import HarnessStartError
from conformance.bridge.fork_server import CAN_FORK, ForkServer
from conformance.bridge.hangs import HangBudget, HangCounts
from conformance.bridge.hello import say_hello, start_harness
from conformance.bridge.loading import CHILD, stdio_command
from conformance.bridge.memory import limit_memory
from conformance.bridge.protocol import LOCK_STEP, read_outcome, write_outcome
from conformance.bridge.transport import JsonLinesProcess, program
from conformance.implementation.asks import DECODE, ENCODE, request_of
from conformance.implementation.loaded_adapter import is_over_stdio
from conformance.implementation.outcome import Kind
from conformance.implementation.targets import Target
from conformance.processes.own import PYTHON, own_environment
from conformance.processes.proc import process_tree
from reference import ConformanceError, UnknownMessage, encode, load_release, minimal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from conformance.bridge.protocol import Message
    from conformance.implementation.asks import Ask
    from conformance.implementation.outcome import Outcome

MEMORY = 1000
"""MiB of address space for one decode, beyond what the child has when it is ready; codecs like to ask for just 1024."""

ENDED = ("ended by ", "exit status ")
"""How the text of a crash begins if the child itself has ended."""

Input = tuple[Target, bytes]

QUICK = {"RUST_BACKTRACE": "0"}
"""A codec in Rust would look up the name of each function at each crash, for a backtrace that nobody reads."""


class Limits(NamedTuple):
    """The limits of one decode: inputs that exceed them are findings."""

    memory: int = MEMORY
    """MiB of address space; 0: no limit."""
    deadline: float = DEADLINE
    """Seconds."""
    hangs: str = ""
    """The file in which the workers of one run count what hangs: see `HangCounts`."""

    @property
    def options(self) -> list[str]:
        """The options of a command that has these limits; none for those that it has anyway."""
        words = {"--memory-limit": (self.memory, MEMORY), "--time-limit": (self.deadline, DEADLINE)}
        return [word for name, (value, usual) in words.items() if value != usual for word in (name, f"{value:g}")]


class IsolatedCodec(AbstractContextManager["IsolatedCodec"]):
    """An implementation in a child process, started when it is first needed and again after each failure."""

    def __init__(
        self, impl: str, release: str, *, deadline: float = DEADLINE, memory: int = MEMORY, hangs: str = ""
    ) -> None:
        self._impl = impl
        self._memory = self._memory_of_child = memory
        self._release = release
        options = ("--impl", impl, "--release", release, "--memory", str(memory))
        self._command = (*PYTHON, "-m", CHILD, *options)
        self._fork_server: ForkServer | None = None
        self._can_fork = CAN_FORK
        self._hello: Message = {}
        policy = Policy.BATCHED if is_over_stdio(impl) else Policy.LOCK_STEP
        endings = Endings() if is_over_stdio(impl) else None
        budget = HangBudget(deadline, HangCounts(hangs))
        self._client = Client(self._start, policy, deadline=deadline, endings=endings, hangs=budget)
        self._ahead = Ahead(self._client)
        self._form = Kind.PROTOCOL_ERROR if is_over_stdio(impl) else Kind.VALUE

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the child now.

        Raises:
            HarnessStartError: it does not start: the implementation cannot be loaded, or not in time.
        """
        self._client.start()

    def close(self) -> None:
        """End the child, if there is one, and the process that it was forked from."""
        self._client.close()
        if self._fork_server is not None:
            self._fork_server.close()
            self._fork_server = None

    @property
    def waited(self) -> float:
        """Seconds that inputs without an answer have taken."""
        return self._client.hangs.waited

    @property
    def restarts(self) -> int:
        """How many children have failed so far."""
        return self._client.restarts

    def send(self, asks: Sequence[Ask]) -> None:
        """Send requests before their turn: those that will be asked in about this order."""
        self._ahead.send([request_of(ask) for ask in asks])

    def ask(self, ask: Ask) -> Outcome:
        """Return the outcome of one call; of a number its value.

        Raises:
            HarnessStartError: the child does not start.
        """
        reply = self._ahead.ask(request_of(ask))
        if ask.what == ENCODE:
            return self._with_limit(write_outcome(reply))
        parse = ask.target.parse if ask.what == DECODE else itemgetter("value")
        return self._with_limit(read_outcome(reply, parse, self._form))

    def decode_many(self, inputs: Sequence[Input], kinds: Sequence[str] = ()) -> list[Outcome]:
        """Return one outcome for each input, in order; `Kind.NOT_RUN` for inputs that are skipped.

        Args:
            inputs: targets and bytes.
            kinds: as in `Client.ask_many`: after a kind of input has ended the child, others of it are skipped.

        Raises:
            HarnessStartError: the child does not start.
        """
        replies = self._client.ask_many([target.read_request(wire) for target, wire in inputs], kinds)
        answered = zip(inputs, replies, strict=True)
        return [self._with_limit(read_outcome(reply, target.parse, self._form)) for (target, _), reply in answered]

    def hangs_on(self, target: Target, wire: bytes) -> bool:
        """Return whether an input is not answered in a part of the deadline; it does not count as a hang."""
        return self._client.hangs_on(target.read_request(wire))

    def _with_limit(self, outcome: Outcome) -> Outcome:
        """Return an outcome that names the limit of memory under which it came about, if that may be the reason."""
        is_end = outcome.kind is Kind.CRASHED and outcome.text.startswith(ENDED)
        if self._memory_of_child and (is_end or outcome.kind is Kind.EXHAUSTED_MEMORY):
            return replace(outcome, text=f"{outcome.text} (limit {self._memory_of_child} MiB)")
        return outcome

    def _start(self, request: Mapping[str, Any]) -> JsonLinesProcess:
        try:
            release = load_release(self._release)
            if is_over_stdio(self._impl):
                command = program(stdio_command(self._impl))
                process, self._hello = start_harness(command, release, self._hello, lock_step=True)
                return self._limited(process, self._hello)
            return self._forked(request) or start_harness(program(self._command, own_environment(**QUICK)), release)[0]
        except ConformanceError as error:
            raise HarnessStartError(f"the child process for hostile bytes does not start: {error}") from error

    def _limited(self, process: JsonLinesProcess, hello: Message) -> JsonLinesProcess:
        """Limit the address space of a harness, to what it asks for if that is more: some runtimes reserve much."""
        self._client.policy = Policy.LOCK_STEP if hello.get(LOCK_STEP) else Policy.BATCHED
        wanted = hello.get("memoryMiB", self._memory)
        self._memory_of_child = max(self._memory, wanted) if wanted and self._memory else 0
        if self._memory_of_child:
            for each in process_tree(process.pid):  # the process that decodes may be behind a shell, or another one
                limit_memory(self._memory_of_child, each)
        return process

    def _forked(self, request: Mapping[str, Any]) -> JsonLinesProcess | None:
        """Return a child of the fork server; None if there can be none. Only the first child is sent `hello`."""
        if not self._can_fork:
            return None
        is_first = self._fork_server is None
        if self._fork_server is None:
            self._fork_server = ForkServer((*self._command, "--fork-for"), own_environment(**QUICK))
            self._can_fork = self._fork_server.can_fork
            if not self._can_fork:
                return None
        fork = partial(self._fork_server.fork, prepare=self._preparation(request))
        process = JsonLinesProcess(fork, deadline=START_DEADLINE)
        if is_first:
            say_hello(process, load_release(self._release))
        return process

    def _preparation(self, request: Mapping[str, Any]) -> bytes:
        """Return a request to decode valid bytes, so that the fork server loads what the adapter needs for them.

        It is empty for everything but bodies of messages of the release.
        """
        if request.get("op") != "decode":
            return b""
        try:
            schema = load_release(self._release).schema(request["message"], request["version"])
        except UnknownMessage:
            return b""
        return json.dumps({"id": 0, **request, "wire": encode(schema, minimal(schema)).hex()}).encode()
