"""Calls of an implementation in a child process, which may crash or hang, with exactly one outcome for each.

A Python adapter is loaded by a child of the suite's own (`child.py`), forked from a fork server where possible. An
implementation over stdio gets a second process beside the one in use by the suite.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from operator import attrgetter
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from conformance.codec.bridge.ahead import Ahead, kind_of_request, unit_of_request
from conformance.codec.bridge.child_client import DEADLINE, START_DEADLINE, Client, Policy
from conformance.codec.bridge.fork_server import CAN_FORK, ForkServer
from conformance.codec.bridge.hangs import Endings, HangCounts
from conformance.codec.bridge.harness_errors import HarnessFailedError, HarnessLostError, HarnessStartError
from conformance.codec.bridge.hello import start_harness
from conformance.codec.bridge.loading import CHILD_HOME, stdio_command
from conformance.codec.bridge.memory import affordable, limit_memory
from conformance.codec.bridge.packing import (
    Call,
    CallCounter,
    PackedProcess,
    call_of,
    kind_of_call,
    outcome_of,
    packed,
    unit_of_call,
)
from conformance.codec.bridge.protocol import LOCK_STEP, outcome_of_reply
from conformance.codec.bridge.transport import program
from conformance.system.own_processes import PYTHON, import_path, own_environment
from conformance.system.proc import process_tree
from conformance.targets import DECODE, Ask
from conformance.targets.claims import is_over_stdio
from conformance.targets.outcome import Kind, Outcome
from reference import ConformanceError, UnknownMessage, encode, load_release, minimal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.codec.bridge.protocol import Message
    from conformance.codec.bridge.transport import ChildProcess, Reply
    from conformance.targets import Target

MEMORY = 1000
"""MiB of address space for one decode beyond those of the ready child. Codecs like to ask for just 1024."""

ENDED = ("ended by ", "exit status ")
"""The beginnings of a crash's text if the child itself has ended."""

OF_MEMORY = re.compile(r"(?i)\bmemory(?:error| alloc)|\balloc|out of memory")
"""Ends for lack of memory, but not for an excess of resident memory, which no limit causes."""

LITTLE_MEMORY = "the machine has too little memory to tell whether the input takes too much"

QUICK = {"RUST_BACKTRACE": "0"}
"""A codec in Rust would otherwise look up the name of each function at each crash, for a backtrace without readers."""


MESSAGES = "messages"
NOTHING = Call("", MESSAGES, "", 0)
"""A call of no target; any answer shows a ready child."""


class DecodeLimits(NamedTuple):
    """The limits of one decode. An input beyond them is a finding."""

    memory: int = MEMORY
    """MiB of address space, or 0 for no limit."""
    deadline: float = DEADLINE
    hangs: str = ""
    """The file in which the workers of one run count hangs: see `HangCounts`."""

    @property
    def options(self) -> list[str]:
        """The options of a command with these limits, without those at their defaults."""
        words = {"--memory-limit": (self.memory, MEMORY), "--time-limit": (self.deadline, DEADLINE)}
        return [word for name, (value, usual) in words.items() if value != usual for word in (name, f"{value:g}")]


class ChildCodec(AbstractContextManager["ChildCodec"]):
    """An implementation in a child process, started when it is first needed and again after each failure."""

    def __init__(
        self, impl: str, release: str, *, deadline: float = DEADLINE, memory: int = MEMORY, hangs: str = ""
    ) -> None:
        self._impl = impl
        self._memory = self._memory_of_child = affordable(memory)
        self._wanted_memory = memory
        self._release = release
        options = ("--impl", impl, "--release", release, "--memory", str(self._memory))
        self._command = (*PYTHON, "-m", CHILD_HOME, import_path(), *options)
        self._fork_server: ForkServer | None = None
        self._counter: CallCounter | None = None
        self._can_fork = CAN_FORK
        self._hello: Message = {}
        self._is_harness = is_over_stdio(impl)
        self._hangs = hangs
        policy = Policy.BATCHED if self._is_harness else Policy.LOCK_STEP
        start = self._harness if self._is_harness else self._own_child
        kind_of = kind_of_request if self._is_harness else kind_of_call
        unit_of = unit_of_request if self._is_harness else unit_of_call
        self._client = Client(start, policy, deadline=deadline, kind_of=unit_of)
        self.begin_anew()
        self._ahead = Ahead(self._client, kind_of)
        self._request: Callable[[Ask], Any] = attrgetter("request") if self._is_harness else call_of

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the child now, or raise HarnessStartError."""
        self._client.start()

    def begin_anew(self) -> int:
        """Reset the budgets of time and crashes, and return the number of children that have failed so far."""
        counts = HangCounts(self._hangs)
        return self._client.begin_anew(counts, Endings() if self._is_harness else None)

    def close(self) -> None:
        """End the child, if there is one, and its fork server."""
        self._client.close()
        self._end_fork_server()

    def _end_fork_server(self) -> None:
        if self._fork_server is not None:
            self._fork_server.close()
            self._fork_server = None
        if self._counter is not None:
            self._counter.close()
            self._counter = None

    @property
    def waited(self) -> float:
        """Seconds spent on inputs without an answer."""
        return self._client.hangs.waited

    @property
    def restarts(self) -> int:
        """The number of children that have failed so far."""
        return self._client.restarts

    def send(self, asks: Sequence[Ask]) -> None:
        """Send requests before their turn, in about the order in which they will be asked."""
        self._ahead.send(list(map(self._request, asks)))

    def perform(self, ask: Ask) -> Outcome:
        """Return the outcome of one call, or raise HarnessStartError."""
        return self._outcome(ask, self._ahead.ask(self._request(ask)))

    def perform_together(self, asks: Sequence[Ask]) -> list[Outcome]:
        """Return one outcome for each request, in order.

        After a request of a hang group has ended the child, others of it are skipped, with the outcome `Kind.NOT_RUN`.

        Raises:
            HarnessStartError: the child does not start.
        """
        replies = self._client.ask_many(list(map(self._request, asks)), [ask.hang_group for ask in asks])
        return list(map(self._outcome, asks, replies))

    def hangs_on(self, target: Target, wire: bytes, *, surely: bool) -> bool:
        """Return whether an input gets no answer in the deadline, or in a part unless `surely`. No hang is counted."""
        return self._client.hangs_on(self._request(Ask(DECODE, target, wire)), surely=surely)

    def _outcome(self, ask: Ask, reply: Reply) -> Outcome:
        return self._with_limit(outcome_of_reply(ask, reply) if self._is_harness else outcome_of(reply))

    def _with_limit(self, outcome: Outcome) -> Outcome:
        """Return an outcome with the limit of memory in its text, if the limit may be the reason."""
        is_end = outcome.kind is Kind.CRASHED and outcome.text.startswith(ENDED)
        is_of_memory = outcome.kind in {Kind.CRASHED, Kind.EXHAUSTED_MEMORY} and OF_MEMORY.search(outcome.text)
        if self._memory_of_child < self._wanted_memory and is_of_memory:
            return Outcome(Kind.NOT_RUN, text=LITTLE_MEMORY)
        if self._memory_of_child and (is_end or outcome.kind is Kind.EXHAUSTED_MEMORY):
            return structs.replace(outcome, text=f"{outcome.text} (limit {self._memory_of_child} MiB)")
        return outcome

    def _harness(self, _request: object) -> ChildProcess:
        with _start_errors():
            command = program(stdio_command(self._impl))
            process, self._hello = start_harness(command, load_release(self._release), self._hello, lock_step=True)
            return self._limited(process, self._hello)

    def _own_child(self, request: Call | None) -> ChildProcess:
        with _start_errors():
            if self._fork_server is not None and self._fork_server.is_closed:  # it was ended from outside
                self._end_fork_server()
            if self._can_fork and self._fork_server is None:
                self._counter = CallCounter(TemporaryFile())  # noqa: SIM115  # closed with it
                command = (*self._command, "--fork-for")
                environment = own_environment(**QUICK)
                self._fork_server = ForkServer(command, environment, [self._counter.descriptor])
                self._can_fork = self._fork_server.can_fork
            if self._fork_server is None or self._counter is None or not self._can_fork:
                return self._from_nothing()
            self._counter.taken = 0
            fork = partial(self._fork_server.fork, prepare=self._preparation(request))
            return PackedProcess(fork, self._counter, deadline=START_DEADLINE)

    def _from_nothing(self) -> ChildProcess:
        process = PackedProcess(
            program((*self._command, "--packed"), own_environment(**QUICK)), deadline=START_DEADLINE
        )
        try:
            process.exchange([NOTHING])
        except HarnessFailedError:
            process.close()
            raise
        return process

    def _limited(self, process: ChildProcess, hello: Message) -> ChildProcess:
        """Limit the address space of a harness, which may ask for more, since some runtimes reserve much."""
        self._client.policy = Policy.LOCK_STEP if hello.get(LOCK_STEP) else Policy.BATCHED
        requested = hello.get("memoryMiB", self._memory)
        self._memory_of_child = max(self._memory, requested) if requested and self._memory else 0
        if self._memory_of_child:
            for each in process_tree(process.pid):  # a shell or another program may have started the decoding process
                limit_memory(self._memory_of_child, each)
        return process

    def _preparation(self, request: Call | None) -> bytes:
        """Return a call that decodes valid bytes of a body, so that the fork server loads what the adapter needs."""
        if request is None or request.what != DECODE or request.folder != MESSAGES:
            return b""
        try:
            schema = load_release(self._release).schema(request.message, request.version)
        except UnknownMessage:
            return b""
        return packed([request._replace(content=encode(schema, minimal(schema)))])


@contextmanager
def _start_errors() -> Iterator[None]:
    try:
        yield
    except HarnessLostError:
        raise
    except ConformanceError as error:
        raise HarnessStartError(f"the child process for hostile bytes does not start: {error}") from error
