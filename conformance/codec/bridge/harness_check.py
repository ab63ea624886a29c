"""The check of a harness against the protocol, with a hint for each mistake.

Each check runs a harness of its own, so that one mistake does not hide others. Without a valid reply to `hello` no
further check is possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS, AdapterError
from conformance.codec.bridge.child_client import Client, Policy
from conformance.codec.bridge.form_probes import Probe, whole_probes, wire_type_probes
from conformance.codec.bridge.hangs import SURE
from conformance.codec.bridge.harness import claims_in
from conformance.codec.bridge.harness_errors import (
    TOO_BUSY,
    HarnessFailedError,
    HarnessStartError,
    HarnessTimeoutError,
)
from conformance.codec.bridge.hello import note_text, say_hello
from conformance.codec.bridge.protocol import HELLO, PROTOCOL, PROTOCOL_ERROR, UNSUPPORTED, Message, hello_request
from conformance.codec.bridge.records_check import SMALLEST, records_diagnostics, records_probes
from conformance.codec.bridge.reply_check import asked, given_up
from conformance.codec.bridge.transcript import Diagnostic, Line, Transcript, invalid_line, line, run_script
from conformance.codec.bridge.transport import JsonLinesProcess, program
from conformance.codec.bridge.value_check import check_values, wire_type_diagnostics
from conformance.system.printable import printable
from conformance.targets import DECODE, ENCODE, Body
from conformance.targets.claims import STDIO
from conformance.targets.outcome import Kind
from conformance.targets.plain_values import short_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.targets import Claims
    from reference import MessageSchema, Release

START_SECONDS = 60.0
"""For the start and `hello`, as of `TimeLimit`; a virtual machine may have to warm up."""

OTHER_VERSION = 9_999
"""A version of the protocol that does not exist."""

IDS = (7, 3, 2**31, 0, 2**53 - 1)
"""Neither ascending nor consecutive; integers of 53 bits are exact in every language."""

CANDIDATES = 4
"""The number of messages tried in each direction; the first answered ones serve the checks not about values."""

MAXIMUM_NOTES = 3

NEUTRAL: Message = {"op": "no-such-operation"}
"""A request that no implementation sees."""

WRONG_CONTENT = (PROTOCOL_ERROR, UNSUPPORTED, Kind.HARNESS_ERROR)
"""The outcomes for wire without valid hex, and for a value of the wrong type."""

InvalidRequest = tuple[str, Line, tuple[str, ...]]
"""Its name, the line, and the right outcomes."""

IN_FLIGHT = 300
LARGE = 60_000
"""The size in bytes of large requests sent at once, far more than pipes hold."""


@dataclass(frozen=True)
class HarnessUnderCheck:
    """A harness's command, its definitions, and the maximum seconds for one reply, as of `TimeLimit`."""

    command: Sequence[str]
    release: Release
    seconds: float

    @property
    def hello(self) -> Message:
        """The request `hello`."""
        return hello_request(self.release)

    def run(self, *lines: Line) -> tuple[list[Message], list[Diagnostic]]:
        """Return the replies of the harness to `hello` and some lines, and the mistakes in their form."""
        transcript = self.script(line(0, self.hello), *lines)
        return list(transcript.replies), list(transcript.diagnostics())

    def script(self, *lines: Line) -> Transcript:
        """Run the harness on some lines, and once more with `SURE` times the seconds if it is late."""
        transcript = run_script(self.command, lines, START_SECONDS + self.seconds)
        return run_script(self.command, lines, START_SECONDS + SURE * self.seconds) if transcript.limit else transcript

    def process(self) -> JsonLinesProcess:
        """Return a run of the harness after its reply to `hello`, or raise HarnessHelloError."""
        process = JsonLinesProcess(program(self.command), deadline=START_SECONDS)
        say_hello(process, self.release)
        return process

    def client(self) -> Client:
        """Return a client of the harness, which it starts again after each failure."""
        return Client(lambda _: self.process(), Policy.BATCHED, deadline=self.seconds)

    def exchange(self, *requests: Message) -> None:
        """Send `hello` and some requests while the input is open, and once more if the harness is late.

        Raises:
            HarnessFailedError: the harness does not answer them.
            HarnessStartError: the machine is too busy for it.
        """
        try:
            self._exchange(requests, self.seconds)
        except HarnessTimeoutError:
            self._exchange(requests, SURE * self.seconds)

    def _exchange(self, requests: Sequence[Message], seconds: float) -> None:
        process = JsonLinesProcess(program(self.command), deadline=START_SECONDS)
        try:
            process.exchange([self.hello])
            process.deadline = seconds
            process.exchange(requests)
        except HarnessTimeoutError as error:
            if error.limit.is_for_lack_of_processors:
                raise HarnessStartError(f"{self.command[0]}: {TOO_BUSY}") from error
            raise
        finally:
            process.close()


def check_hello(harness: HarnessUnderCheck) -> tuple[Message, list[Diagnostic]]:
    """Return the reply to `hello`, empty if it is not valid, and its mistakes, or raise HarnessStartError."""
    replies, diagnostics = harness.run()
    if diagnostics:
        return {}, diagnostics
    [reply] = replies
    if reply["outcome"] != HELLO:
        answer = f"is answered with {reply['outcome']}: {reply.get('text')}"
        problem = f"hello with version {PROTOCOL} of the protocol {answer}"
        return {}, [Diagnostic(problem, 'Answer hello with the outcome "hello"')]
    return reply, list(_offer_diagnostics(harness, reply))


def _offer_diagnostics(harness: HarnessUnderCheck, hello: Message) -> Iterator[Diagnostic]:
    if PROTOCOL not in hello["protocols"]:
        problem = f"it accepts version {PROTOCOL} of the protocol, but lists the versions {hello['protocols']}"
        yield Diagnostic(problem, 'List under "protocols" every version that it speaks')
    for direction in DIRECTIONS if any(hello["supports"].values()) else ():
        if bool(hello["supports"][direction]) != (direction in hello["operations"]):
            problem = f'the operation "{direction}" and the messages under "supports" contradict each other'
            yield Diagnostic(problem, f'Offer "{direction}" if and only if "supports" has messages for it')
            return
    try:
        claims = claims_in(STDIO, hello)
    except AdapterError as error:
        problem = error.problem.replace("`supported()`", '"supports"')  # it is about adapters in Python, too
        yield Diagnostic(problem, f"{error.hint}{_as_noted(hello)}")
        return
    if not any(_offered(harness, claims)) and not _records_requests(claims):
        problem = f"it supports no message and version that {harness.release.title} has"
        yield Diagnostic(problem, f'Name the messages under "supports" as their definitions do{_as_noted(hello)}')
    for text in claims.hidden.misspelt(harness.release.schemas()):
        yield Diagnostic(f'"hidden" of {text}', "Name fields by their paths in the definition")


def _as_noted(hello: Message) -> str:
    notes = "; ".join(note_text(note) for note in hello.get("notes", ())[:MAXIMUM_NOTES])
    return printable(f", and see its notes: {notes}") if notes else ""


def run_checks(harness: HarnessUnderCheck, hello: Message) -> Iterator[tuple[str, list[Diagnostic]]]:
    """Yield the name of each further check within the harness's operations, and its diagnostics."""
    claims = claims_in(STDIO, hello)
    requests = _answered(harness, claims)
    waits, echoes = list(_answers_without_waiting(harness)), harness.run(*map(line, IDS, cycle(requests)))[1]
    yield "answers without waiting for more input", waits
    yield "refuses other versions of the protocol", list(_refuses_other_versions(harness))
    yield "echoes ids, in order", echoes
    yield "answers unknown and invalid requests", list(_answers_invalid_requests(harness, claims))
    if not echoes:  # else a reply that does not fit ends this as well
        yield "accepts many large requests at once", list(_accepts_many_requests(harness, requests[0]))
    yield "ends with its input", list(harness.script().diagnostics())
    if any(_offered(harness, claims)) and not waits and not echoes:
        with harness.client() as client:
            yield "encodes and decodes by the definitions", list(check_values(client, harness.release, claims))
    if wire_type_probes(claims):
        of_types = wire_type_probes(claims), wire_type_diagnostics
        yield "encodes and decodes wire types", check_contents(harness, claims, *of_types)
    if _records_requests(claims):
        of_records = records_probes(claims), records_diagnostics
        yield "encodes and decodes records", check_contents(harness, claims, *of_records)


def _answered(harness: HarnessUnderCheck, claims: Claims) -> list[Message]:
    """Return an answered request of each operation, for the checks that are not about values."""
    requests = _records_requests(claims)
    for direction in DIRECTIONS:
        offered = [schema for schema in _offered(harness, claims) if Body(schema).is_offered(claims, direction)]
        requests += [probe.request for probe in whole_probes(offered[:CANDIDATES], direction)]
    replies, _ = harness.run(*map(line, range(1, len(requests) + 1), requests))
    answered = [request for request, _ in zip(requests, replies[1:], strict=False)]
    by_operation = {request["op"]: request for request in reversed(answered)}
    return list(by_operation.values()) or [NEUTRAL]


def _answers_without_waiting(harness: HarnessUnderCheck) -> Iterator[Diagnostic]:
    try:
        harness.exchange(NEUTRAL)
    except HarnessTimeoutError as error:
        problem = f"a reply is held back while the input is open: {error.problem}"
        yield Diagnostic(problem, "Flush standard output before waiting for further input")
    except HarnessFailedError as error:
        yield Diagnostic(f"it stops answering: {error}", "Answer request by request until the input ends")


def _refuses_other_versions(harness: HarnessUnderCheck) -> Iterator[Diagnostic]:
    other = hello_request(harness.release, OTHER_VERSION)
    transcript = harness.script(line(0, other), line(1, harness.hello))
    diagnostics = list(transcript.diagnostics())
    yield from diagnostics
    if diagnostics:
        return
    refusal, welcome = transcript.replies
    if refusal["outcome"] != PROTOCOL_ERROR or PROTOCOL not in refusal.get("protocols", ()):
        yield Diagnostic(
            f"hello with version {OTHER_VERSION} of the protocol is answered with {short_repr(refusal)}",
            f'Answer it with the outcome {PROTOCOL_ERROR}, a text that says so, and "protocols": [{PROTOCOL}]',
        )
    if welcome["outcome"] != HELLO:
        problem = f"after that, hello with version {PROTOCOL} is answered with {welcome['outcome']}"
        yield Diagnostic(problem, "Let the client try again with another version")


def _answers_invalid_requests(harness: HarnessUnderCheck, claims: Claims) -> Iterator[Diagnostic]:
    for name, request, outcomes in _invalid_requests(harness, claims):
        replies, diagnostics = harness.run(request, line(9, harness.hello))
        for diagnostic in diagnostics:
            yield Diagnostic(f"{name}: {diagnostic.problem}", diagnostic.hint)
        if not diagnostics and replies[1]["outcome"] not in outcomes:
            problem = f"{name}: {request} is answered with {replies[1]['outcome']}"
            yield Diagnostic(problem, f"Answer it with the outcome {outcomes[0]}")


def _invalid_requests(harness: HarnessUnderCheck, claims: Claims) -> Iterator[InvalidRequest]:
    yield "unknown operation", line(5, NEUTRAL), (UNSUPPORTED,)
    yield "request without an operation", line(5, {"message": "ApiVersionsRequest"}), (PROTOCOL_ERROR,)
    yield "invalid JSON", invalid_line(b'{"id": 5, '), (PROTOCOL_ERROR,)
    yield "JSON that is not an object", invalid_line(b"[5]"), (PROTOCOL_ERROR,)
    for schema in islice(_offered(harness, claims), 1):
        operation = DECODE if Body(schema).is_offered(claims, DECODE) else ENCODE
        content: Message = {"wire": ""} if operation == DECODE else {"value": {}}
        valid: Message = {"op": operation, "message": schema.message, "version": schema.version, **content}
        yield "unknown message", line(5, {**valid, "message": "NoSuchMessage"}), (UNSUPPORTED,)
        yield "unknown version", line(5, {**valid, "version": 32_767}), (UNSUPPORTED,)
        yield "request without a message", line(5, {"op": operation, **content}), (PROTOCOL_ERROR,)
        yield from _wrong_contents(valid, ("0",), (5,))
    for request in _records_requests(claims):
        yield from _wrong_contents(request, ("0", None), (5, None))


def _wrong_contents(request: Message, wires: Sequence[Any], values: Sequence[Any]) -> Iterator[InvalidRequest]:
    name, contents = ("wire", wires) if "wire" in request else ("value", values)
    for content in contents:
        yield f"wrong {name}", line(5, {**request, name: content}), WRONG_CONTENT


def _accepts_many_requests(harness: HarnessUnderCheck, request: Message) -> Iterator[Diagnostic]:
    # the client sends many requests at once, and reads replies meanwhile
    # a key that harnesses ignore, and no longer wire: an implementation need not read values of this size
    padded = {**request, "padding": "0" * 2 * LARGE}
    try:
        harness.exchange(*[padded] * IN_FLIGHT)
    except HarnessFailedError as error:
        problem = f"{IN_FLIGHT} requests of {LARGE} bytes each, sent at once: {error}"
        yield Diagnostic(problem, "Read and answer line by line, however long lines are, without waiting for more")


def check_contents(
    harness: HarnessUnderCheck, claims: Claims, probes: Sequence[Probe], judge: Callable[..., Iterator[Diagnostic]]
) -> list[Diagnostic]:
    """Return what is wrong with the contents encoded and decoded by a harness."""
    with harness.client() as client:
        answers, gave_up = asked(client, [probes])
    return [*judge(claims, answers), *given_up(gave_up, is_note=False)]


def _records_requests(claims: Claims) -> list[Message]:
    return [probe.request for probe in records_probes(claims) if probe.what == SMALLEST]


def _offered(harness: HarnessUnderCheck, claims: Claims) -> Iterator[MessageSchema]:
    for schema in harness.release.schemas():
        if any(Body(schema).is_offered(claims, direction) for direction in DIRECTIONS):
            yield schema
