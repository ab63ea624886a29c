"""One trial of a client against a scripted broker with some changed answers, beside a run with plain answers.

A bad run is repeated.
"""

from __future__ import annotations

import shlex
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from conformance.codec.bridge.hangs import SURE
from conformance.codec.bridge.harness_errors import TOO_BUSY
from conformance.live.capture.capture_judgement import Writer
from conformance.live.client.answer_cases import AnswerCase, Observation, answer_from
from conformance.live.client.client_process import BOOTSTRAP, ClientLimits, ClientRun, crash_of, run_client
from conformance.live.scripted.scripted_broker import ScriptedBroker
from conformance.live.scripted.sockets import ScriptedServer
from conformance.live.server.connection import UNKNOWN_TAG, sized
from conformance.targets.outcome import Kind
from reference import TAGS, ConformanceError, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.definitions.defining_releases import Definitions
    from conformance.judge.case import Case
    from conformance.judge.findings.lines import Run
    from conformance.judge.forms import CaseForm
    from conformance.live.address import Address
    from conformance.live.capture.frame_verdict import JudgedFrame
    from reference import MessageSchema

ALLOWANCE = 256 * 2**20
"""Bytes of resident memory allowed beyond those of the run with plain answers."""

QUIET = 0.4
"""The part of its run for which a hanging client has sent no request."""

TIMES = 3
"""The number of runs that must end in the same way for a finding."""


class FailsAnyway(ConformanceError):
    """A client that fails with plain answers, or asks nothing. Its other runs prove nothing then."""


class TrialRun(NamedTuple):
    """A run, and the broker's view of it.

    Attributes:
        pairs: the requested versions of APIs, in the order of the first request of each.
        quiet: the seconds without a request before its end.
    """

    run: ClientRun
    pairs: tuple[AskedPair, ...]
    quiet: float


@dataclass
class ClientSubject(Writer):
    """A client under test.

    Attributes:
        definitions: the schemas for reading its requests; those of the first release decide.
        deadline: seconds for a run.
        fatal: texts in its output as signs of a crash.
        ended: set to end the current runs.
    """

    kind = "client"

    command: Sequence[str]
    definitions: Definitions
    deadline: float
    fatal: tuple[str, ...] = ()
    ended: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        self.impl, self.release = shlex.join(self.command), self.definitions.among[0]
        if self.deadline != ClientLimits().deadline:
            self.options = ("--deadline", f"{self.deadline:g}")

    @property
    def title(self) -> str:
        """The name of its program."""
        return Path(self.command[0]).name

    def case_of(self, form: CaseForm) -> Case:
        """Return the case of an answer to it, or of a frame from it."""
        return answer_from(form, self.release) if form.kind == AnswerCase.kind else super().case_of(form)

    def about(self, **facts: Any) -> Run:
        """Return the first event of a report."""
        return super().about(client=self.impl, **facts)

    def run(self, change: AnswerChange | None = None, memory: int = 0) -> TrialRun:
        """Run it once."""
        server: ScriptedServer
        broker = ChangedBroker(self.definitions, lambda: server.address, change)
        with ScriptedServer(lambda: broker) as server:
            limits, has_asked = ClientLimits(self.deadline, memory), lambda: bool(broker.asked)
            run = run_client(self.command, server.address, limits, has_asked, self.ended.is_set)
            quiet = time.monotonic() - broker.received_at
        return TrialRun(run, tuple(broker.asked), quiet)


@dataclass(frozen=True)
class Baseline:
    """The run with plain answers, and the requested versions by API key, since the order of requests may differ."""

    run: ClientRun
    pairs: tuple[AskedPair, ...]

    @property
    def memory(self) -> int:
        """The maximum of bytes for every run."""
        return self.run.memory + ALLOWANCE


def baseline_of(client: ClientSubject) -> Baseline:
    """Run a client with plain answers, or raise FailsAnyway."""
    run, requested, _ = client.run()
    if not requested:
        hint = f"See that it connects to the address in {BOOTSTRAP}, or give it more time by --deadline"
        raise FailsAnyway(f"the client asked nothing ({run.ending}). {hint}\n{run.output}")
    if not run.succeeded:
        apis = ", ".join(dict.fromkeys(pair.api for pair in requested))
        text = f"the client fails with plain answers ({run.ending}): nothing is judged. It asked for {apis}"
        raise FailsAnyway(f"{text}\n{run.output}")
    return Baseline(run, tuple(sorted(requested, key=lambda pair: (pair.api_key, pair.version))))


def observe(client: ClientSubject, trial: TrialRun) -> Observation:
    """Return a forbidden outcome of a run, or no kind of outcome.

    A client with requests up to its deadline does not hang, as its program may wait for something in no answer.
    """
    run = trial.run
    if run.is_starved:
        return Observation(Kind.NOT_RUN, TOO_BUSY)
    if run.is_full:
        return Observation(Kind.EXHAUSTED_MEMORY, f"{run.memory // 2**20:,} MiB of resident memory")
    if run.is_late and trial.quiet < run.seconds * QUIET:
        return Observation(None, f"it goes on asking, {run.ending}")
    if run.is_late:
        return Observation(Kind.TIMED_OUT, f"nothing asked at last, and {run.ending}")
    crash = crash_of(run, client.fatal)
    return Observation(Kind.CRASHED, crash) if crash else Observation(None, f"{run.ending}, {run.seconds:.1f} s")


def repeated(client: ClientSubject, attempt: Callable[[ClientSubject], Observation], times: int = TIMES) -> Observation:
    """Return the outcome of a client if it is the same each time, else an outcome without a kind.

    A client at its deadline gets `SURE` times the time, once, as it may have a timeout of its own with the same length.
    """
    first = attempt(client)
    is_late = first.kind is Kind.TIMED_OUT
    again = replace(client, deadline=SURE * client.deadline) if is_late else client
    is_final = first.kind in {None, Kind.NOT_RUN}
    repeats = 0 if is_final else min(times - 1, 1) if is_late else times - 1
    for _ in range(repeats):
        repeat = attempt(again)
        if repeat.kind is not first.kind:
            return repeat if repeat.kind is Kind.NOT_RUN else Observation(None, f"not always {first}")
    return first


class AskedPair(NamedTuple):
    """A version of an API in a client's requests."""

    api: str
    api_key: int
    version: int

    def __str__(self) -> str:
        return f"{self.api}Response-v{self.version}"


class AnswerChange(Protocol):
    """A change of the answers of one run."""

    def __call__(self, broker: ChangedBroker, judged: JudgedFrame, value: dict[str, Any]) -> bytes | None:
        """Return the frame to send for a request, or None for the plain answer."""


class ChangedBroker(ScriptedBroker):
    """A scripted broker for one run, with a change of its answers."""

    def __init__(
        self, definitions: Definitions, address: Callable[[], Address], change: AnswerChange | None = None
    ) -> None:
        super().__init__(definitions, address)
        self._change = change
        self._noting = threading.Lock()
        self.received_at = time.monotonic()
        self.asked: dict[AskedPair, int] = {}
        """The number of answers in each version of an API, in the order of the first ones."""

    def answer(self, payload: bytes) -> bytes | None:
        """Return the frame to send for a request, or None to close the connection."""
        self.received_at = time.monotonic()
        return super().answer(payload)

    def response(self, judged: JudgedFrame, value: dict[str, Any]) -> bytes:
        """Return the frame of a response, changed or not."""
        pair = AskedPair(judged.name, judged.api_key, judged.version)
        # Each connection has a thread of its own.
        with self._noting:
            self.asked[pair] = self.asked.get(pair, 0) + 1
            changed = None if self._change is None else self._change(self, judged, value)
        return super().response(judged, value) if changed is None else changed

    def framed(self, judged: JudgedFrame, body: bytes, *, tagged: bool = False) -> bytes:
        """Return a frame with a valid header and a body of any bytes."""
        header = self.definitions.header("response", judged.api_key, judged.version)
        if header is None:
            raise LookupError(str(judged))
        value: dict[str, Any] = {"CorrelationId": judged.correlation_id or 0}
        if tagged and header.flexible:
            value[TAGS] = [UNKNOWN_TAG]
        return sized(encode(header, value) + body)


def response_schema(definitions: Definitions, pair: AskedPair) -> MessageSchema:
    """Return the schema of the response of a pair."""
    schema = definitions.body("response", pair.api_key, pair.version)
    if schema is None:
        raise LookupError(str(pair))
    return schema
