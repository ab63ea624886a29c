"""Checks a harness against the protocol, and says for each mistake what happened and how to fix it.

Each check runs a harness of its own, so that one mistake does not hide others. Without a valid reply to `hello` no
further check is possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from conformance.bridge.errors import HarnessFailedError, HarnessTimeoutError
from conformance.bridge.protocol import HELLO, PROTOCOL, PROTOCOL_ERROR, UNSUPPORTED, Message, hello_request
from conformance.bridge.records_check import records_problem, records_requests
from conformance.bridge.transcript import Diagnostic, Line, invalid_line, line, run_script
from conformance.bridge.transport import JsonLinesProcess, program
from conformance.generate.cases import populated
from conformance.implementation.outcome import ABSENT, REFUSALS
from conformance.implementation.plain_values import printable, short_repr
from conformance.implementation.selection import smoke
from reference import MessageSchema, NotJsonForm, Release, difference, encode, from_json, minimal, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

START_SECONDS = 60.0
"""For the start and `hello`, in which a virtual machine may have to warm up."""

OTHER_VERSION = 9_999
"""A version of the protocol that does not exist."""

IDS = (7, 3, 2**31, 0, 2**53 - 1)
"""Neither ascending nor consecutive; integers of 53 bits are exact in every language."""

IN_FLIGHT = 300
LARGE = 60_000
"""Large requests sent at once: far more bytes than pipes hold."""


@dataclass(frozen=True)
class HarnessUnderCheck:
    """A harness's command, the definitions that it gets, and the seconds that one reply may take."""

    command: Sequence[str]
    release: Release
    seconds: float

    @property
    def hello(self) -> Message:
        """The request."""
        return hello_request(self.release)

    def run(self, *lines: Line) -> tuple[list[Message], list[Diagnostic]]:
        """Run the harness on `hello` and some lines; return its replies, and the mistakes in their form."""
        transcript = run_script(self.command, [line(0, self.hello), *lines], START_SECONDS + self.seconds)
        return list(transcript.replies), list(transcript.diagnostics())

    def exchange(self, *requests: Message) -> None:
        """Say hello and send requests, while the input is open.

        Raises:
            HarnessFailedError: it does not answer them.
        """
        process = JsonLinesProcess(program(self.command), deadline=START_SECONDS)
        try:
            process.exchange([self.hello])
            process.deadline = self.seconds
            process.exchange(requests)
        finally:
            process.close()


def check_hello(harness: HarnessUnderCheck) -> tuple[Message, list[Diagnostic]]:
    """Return the reply to `hello`, empty if it is not valid, and what is wrong with it.

    Raises:
        HarnessStartError: the command cannot be run.
    """
    replies, diagnostics = harness.run()
    if diagnostics:
        return {}, diagnostics
    [reply] = replies
    if reply["outcome"] != HELLO:
        answer = printable(f"{reply['outcome']}: {reply.get('text')}")
        problem = f"hello with version {PROTOCOL} of the protocol is answered with {answer}"
        return {}, [Diagnostic(problem, 'Answer hello with the outcome "hello"')]
    return reply, list(_offer_diagnostics(harness, reply))


def _offer_diagnostics(harness: HarnessUnderCheck, hello: Message) -> Iterator[Diagnostic]:
    if PROTOCOL not in hello["protocols"]:
        problem = f"it accepts version {PROTOCOL} of the protocol, but lists the versions {hello['protocols']}"
        yield Diagnostic(problem, 'List under "protocols" every version that it speaks')
    for direction in ("encode", "decode"):
        if bool(hello["supports"][direction]) != (direction in hello["operations"]):
            problem = f'the operation "{direction}" and the messages under "supports" contradict each other'
            yield Diagnostic(problem, f'Offer "{direction}" if and only if "supports" has messages for it')
    if not any(_offered(harness, hello)) and not records_requests(hello):
        problem = f"it supports no message and version that {harness.release.title} has"
        yield Diagnostic(problem, 'Name the messages under "supports" as their definitions do')


def run_checks(harness: HarnessUnderCheck, hello: Message) -> Iterator[tuple[str, list[Diagnostic]]]:
    """Yield the name of each further check that fits what the harness offers, and what is wrong."""
    checks: tuple[tuple[str, Callable[[HarnessUnderCheck, Message], Iterator[Diagnostic]]], ...] = (
        ("answers without waiting for more input", _answers_without_waiting),
        ("refuses other versions of the protocol", _refuses_other_versions),
        ("echoes ids, in order", _echoes_ids),
        ("answers unknown and invalid requests", _answers_invalid_requests),
        ("accepts many large requests at once", _accepts_many_requests),
        ("ends with its input", _ends_with_input),
    )
    if any(_offered(harness, hello)):
        checks += (("encodes and decodes by the definitions", _follows_definitions),)
    if records_requests(hello):
        checks += (("encodes and decodes records", _follows_records),)
    for name, check in checks:
        yield name, list(check(harness, hello))


def _answers_without_waiting(harness: HarnessUnderCheck, _hello: Message) -> Iterator[Diagnostic]:
    try:
        harness.exchange({"op": "no-such-operation"})
    except HarnessTimeoutError as error:
        problem = f"a reply is held back while the input is open: {error.problem}"
        yield Diagnostic(problem, "Flush standard output before waiting for further input")
    except HarnessFailedError as error:
        yield Diagnostic(f"it stops answering: {error}", "Answer request by request until the input ends")


def _refuses_other_versions(harness: HarnessUnderCheck, _hello: Message) -> Iterator[Diagnostic]:
    other = hello_request(harness.release, OTHER_VERSION)
    transcript = run_script(harness.command, [line(0, other), line(1, harness.hello)], START_SECONDS + harness.seconds)
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


def _echoes_ids(harness: HarnessUnderCheck, hello: Message) -> Iterator[Diagnostic]:
    requests = chain.from_iterable(_smallest_requests(harness, hello) for _ in IDS)
    _, diagnostics = harness.run(*map(line, IDS, requests))
    yield from diagnostics


def _answers_invalid_requests(harness: HarnessUnderCheck, hello: Message) -> Iterator[Diagnostic]:
    """Each invalid request has a reply with the right outcome, and a valid request after it is answered."""
    for name, request, outcome in _invalid_requests(harness, hello):
        replies, diagnostics = harness.run(request, line(9, harness.hello))
        for diagnostic in diagnostics:
            yield Diagnostic(f"{name}: {diagnostic.problem}", diagnostic.hint)
        if not diagnostics and replies[1]["outcome"] != outcome:
            problem = f"{name}: {request} is answered with {replies[1]['outcome']}"
            yield Diagnostic(problem, f"Answer it with the outcome {outcome}")


def _invalid_requests(harness: HarnessUnderCheck, hello: Message) -> Iterator[tuple[str, Line, str]]:
    yield "unknown operation", line(5, {"op": "no-such-operation"}), UNSUPPORTED
    yield "request without an operation", line(5, {"message": "ApiVersionsRequest"}), PROTOCOL_ERROR
    yield "invalid JSON", invalid_line(b'{"id": 5, '), PROTOCOL_ERROR
    yield "JSON that is not an object", invalid_line(b"[5]"), PROTOCOL_ERROR
    for schema in islice(_offered(harness, hello), 1):
        yield from _invalid_requests_for(schema, hello)
    for request in records_requests(hello):
        for wrong in ({"wire": "0"}, {"wire": None}) if "wire" in request else ({"value": 5}, {"value": None}):
            yield f"wrong {next(iter(wrong))}", line(5, {**request, **wrong}), PROTOCOL_ERROR


def _invalid_requests_for(schema: MessageSchema, hello: Message) -> Iterator[tuple[str, Line, str]]:
    operation = "decode" if "decode" in hello["operations"] else "encode"
    content: Message = {"wire": ""} if operation == "decode" else {"value": {}}
    valid: Message = {"op": operation, "message": schema.message, "version": schema.version, **content}
    yield "unknown message", line(5, {**valid, "message": "NoSuchMessage"}), UNSUPPORTED
    yield "unknown version", line(5, {**valid, "version": 32_767}), UNSUPPORTED
    yield "request without a message", line(5, {"op": operation, **content}), PROTOCOL_ERROR
    wrong: Message = {"wire": "0"} if operation == "decode" else {"value": 5}
    yield f"wrong {next(iter(wrong))}", line(5, {**valid, **wrong}), PROTOCOL_ERROR


def _accepts_many_requests(harness: HarnessUnderCheck, hello: Message) -> Iterator[Diagnostic]:
    """The client sends many requests at once, and reads replies while it writes further requests."""
    [request, *_] = _smallest_requests(harness, hello)
    if "wire" in request:
        request = {**request, "wire": request["wire"] + "00" * LARGE}
    else:
        request = {**request, "padding": "0" * 2 * LARGE}
    try:
        harness.exchange(*[request] * IN_FLIGHT)
    except HarnessFailedError as error:
        problem = f"{IN_FLIGHT} requests of {LARGE} bytes each, sent at once: {error}"
        yield Diagnostic(problem, "Read and answer line by line, however long lines are, without waiting for more")


def _ends_with_input(harness: HarnessUnderCheck, _hello: Message) -> Iterator[Diagnostic]:
    yield from run_script(harness.command, [], harness.seconds + START_SECONDS).diagnostics()


def _follows_definitions(harness: HarnessUnderCheck, hello: Message) -> Iterator[Diagnostic]:
    """A few values of a few messages: what is wrong here is more often the harness than the codec."""
    cases = [
        (schema, value, request)
        for schema in smoke(list(_offered(harness, hello)))
        for value in (minimal(schema), populated(schema))
        for request in _value_requests(schema, hello, value)
    ]
    lines = [line(number, request) for number, (_, _, request) in enumerate(cases, start=1)]
    replies, diagnostics = harness.run(*lines)
    yield from diagnostics
    results = [
        (schema, request["op"], reply, _value_problem(schema, value, request, reply))
        for (schema, value, request), reply in zip(cases, replies[1:], strict=False)
    ]
    correct = {(schema, operation) for schema, operation, _, problem in results if problem is None}
    for schema, operation, reply, problem in results:
        is_partial = reply["outcome"] in REFUSALS and (schema, operation) in correct  # that is for the suite to judge
        if problem is not None and not is_partial:
            hint = "See that fields are matched by the names and the order of the definition, and values by their types"
            yield Diagnostic(f"{operation} of {schema}: {printable(problem)}", hint)


def _follows_records(harness: HarnessUnderCheck, hello: Message) -> Iterator[Diagnostic]:
    requests = records_requests(hello)
    replies, diagnostics = harness.run(*map(line, range(1, len(requests) + 1), requests))
    yield from diagnostics
    for request, reply in zip(requests, replies[1:], strict=False):
        problem = records_problem(hello, request, reply)
        if problem is not None:
            hint = "See that each member has the form of the section on records, and that hello names what is not shown"
            yield Diagnostic(f"{request['op']} of the smallest batch: {printable(problem)}", hint)


def _value_problem(schema: MessageSchema, value: Message, request: Message, reply: Message) -> str | None:
    wire = encode(schema, value).hex()
    if reply["outcome"] in ABSENT:
        return None
    if reply["outcome"] in REFUSALS:
        return f"{request.get('value', wire)} is refused: {reply['class']}: {reply['text']}"
    if request["op"] == "encode":
        return None if reply.get("wire") == wire else f"the bytes of {request['value']} are {wire}, not {_shown(reply)}"
    try:
        place = difference(schema, value, from_json(schema, reply.get("value")))
    except NotJsonForm as error:
        return f"the value of {wire} has not the form that the definition asks for: {error}; it is {_shown(reply)}"
    return None if place is None else f"{wire} has {place.expected!r} in {place.path}, not {place.actual!r}"


def _shown(reply: Message) -> str:
    return str(reply.get("wire", reply.get("text", reply.get("value"))))[:200]


def _smallest_requests(harness: HarnessUnderCheck, hello: Message) -> list[Message]:
    """Return the requests for the smallest value of the first message, or of records if it has no messages."""
    for schema in _offered(harness, hello):
        return list(_value_requests(schema, hello))
    return records_requests(hello)


def _value_requests(schema: MessageSchema, hello: Message, value: Message | None = None) -> Iterator[Message]:
    """Yield the requests to decode and encode one value, as far as they are offered; by default the smallest value."""
    pair: Message = {"message": schema.message, "version": schema.version}
    content = minimal(schema) if value is None else value
    if schema.version in hello["supports"]["decode"].get(schema.message, ()):
        yield {"op": "decode", **pair, "wire": encode(schema, content).hex()}
    if schema.version in hello["supports"]["encode"].get(schema.message, ()):
        yield {"op": "encode", **pair, "value": to_json(schema, content)}


def _offered(harness: HarnessUnderCheck, hello: Message) -> Iterator[MessageSchema]:
    """Yield the schemas of the release that the harness supports in either direction."""
    for schema in harness.release.schemas():
        if any(schema.version in hello["supports"][way].get(schema.message, ()) for way in ("encode", "decode")):
            yield schema
