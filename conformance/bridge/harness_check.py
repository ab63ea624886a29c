"""The manners of a harness: what the protocol asks of it, tried out, and in plain words what is wrong.

Each manner is tried with a harness of its own, so that one mistake does not hide the others; only without a proper
answer to hello there is nothing further to try.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from conformance.bridge.protocol import HELLO, PROTOCOL, PROTOCOL_ERROR, UNSUPPORTED, Message, hello_request
from conformance.bridge.transcript import Complaint, Line, broken_line, converse, line
from conformance.bridge.transport import HarnessError, HarnessTimeoutError, JsonLinesProcess
from conformance.generate.cases import populated
from conformance.implementation.outcome import ABSENT, REFUSALS
from conformance.suite.selection import smoke
from reference import MessageSchema, NotJsonForm, Release, difference, encode, from_json, minimal, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

START_SECONDS = 60.0
"""For a start and hello, in which a virtual machine may have to warm up."""

OTHER_VERSION = 9_999
"""A version of the protocol that nobody speaks."""

IDS = (7, 3, 2**31, 0, 2**53 - 1)
"""Neither in order nor in a row; those of 53 bits are still numbers in every language."""

WINDOW = 300
LARGE = 60_000
"""Large requests under way at once: far more bytes than pipes hold."""


@dataclass(frozen=True)
class Subject:
    """What is tried: a harness's command, the definitions it is handed, and how long it may take."""

    command: Sequence[str]
    release: Release
    seconds: float

    def hello(self) -> Message:
        """The request."""
        return hello_request(self.release)

    def say(self, lines: Sequence[Line]) -> tuple[list[Message], list[Complaint]]:
        """One conversation: the replies, and what is wrong about their form."""
        found = converse(self.command, lines, START_SECONDS + self.seconds)
        return list(found.replies), list(found.complaints())


def try_hello(subject: Subject) -> tuple[Message, list[Complaint]]:
    """Its answer to hello, and what is wrong with that.

    Raises:
        OSError: the command cannot be run.
    """
    replies, complaints = subject.say([line(0, subject.hello())])
    if complaints:
        return {}, complaints
    [reply] = replies
    if reply["outcome"] != HELLO:
        answer = f"{reply['outcome']}: {reply.get('text')}"
        wrong = f"hello with version {PROTOCOL} of the protocol is answered with {answer}"
        return {}, [Complaint(wrong, 'Answer hello with the outcome "hello"')]
    return reply, [each for each in _offer_complaints(subject, reply) if each is not None]


def _offer_complaints(subject: Subject, hello: Message) -> Iterator[Complaint | None]:
    if PROTOCOL not in hello["protocols"]:
        wrong = f"it accepts version {PROTOCOL} of the protocol, but says that it speaks {hello['protocols']}"
        yield Complaint(wrong, 'List under "protocols" every version that it speaks')
    for direction in ("encode", "decode"):
        if bool(hello["supports"][direction]) != (direction in hello["operations"]):
            wrong = f'the operation "{direction}" and the messages that it supports do not go together'
            yield Complaint(wrong, f'Offer "{direction}" if and only if "supports" has messages for it')
    if not any(_offered(subject, hello)):
        wrong = f"it supports no message and version that {subject.release.title} has"
        yield Complaint(wrong, 'Name under "supports" the messages as their definitions do')


def try_manners(subject: Subject, hello: Message) -> Iterator[tuple[str, list[Complaint]]]:
    """Each further manner by its name, and what is wrong with it."""
    manners: tuple[tuple[str, Callable[[Subject, Message], Iterator[Complaint]]], ...] = (
        ("answers at once", _answers_at_once),
        ("refuses other versions of the protocol", _refuses_other_versions),
        ("echoes ids, in order", _echoes_ids),
        ("survives what it does not know", _survives_nonsense),
        ("takes many large requests at once", _takes_many),
        ("ends with its input", _ends),
        ("reads and writes by the definitions", _knows_values),
    )
    for name, manner in manners:
        yield name, list(manner(subject, hello))


def _answers_at_once(subject: Subject, _hello: Message) -> Iterator[Complaint]:
    """A reply is not held back while nothing else is to be read."""
    process = JsonLinesProcess(subject.command, deadline=START_SECONDS)
    try:
        process.exchange([subject.hello()])
        process.deadline = subject.seconds
        process.exchange([{"op": "no-such-operation"}])
    except HarnessTimeoutError as error:
        wrong = f"a reply stays out while its input is open: {error.problem}"
        yield Complaint(wrong, "Flush standard output before waiting for further input")
    except HarnessError as error:
        yield Complaint(f"it does not keep up a dialogue: {error}", "Answer request by request until the input ends")
    finally:
        process.close()


def _refuses_other_versions(subject: Subject, _hello: Message) -> Iterator[Complaint]:
    other = hello_request(subject.release, OTHER_VERSION)
    replies, complaints = subject.say([line(0, other), line(1, subject.hello())])
    yield from complaints
    if complaints:
        return
    refusal, welcome = replies
    if refusal["outcome"] != PROTOCOL_ERROR or PROTOCOL not in refusal.get("protocols", ()):
        yield Complaint(
            f"hello with version {OTHER_VERSION} of the protocol is answered with {refusal}",
            f'Answer it with the outcome {PROTOCOL_ERROR}, a text that says so, and "protocols": [{PROTOCOL}]',
        )
    if welcome["outcome"] != HELLO:
        wrong = f"after that, hello with version {PROTOCOL} is answered with {welcome['outcome']}"
        yield Complaint(wrong, "Let the client try again with another version")


def _echoes_ids(subject: Subject, hello: Message) -> Iterator[Complaint]:
    [schema, *_] = _offered(subject, hello)
    requests = chain.from_iterable(_value_requests(schema, hello) for _ in IDS)
    _, complaints = subject.say([line(0, subject.hello()), *map(line, IDS, requests)])
    yield from complaints


def _survives_nonsense(subject: Subject, hello: Message) -> Iterator[Complaint]:
    """Whatever comes has a reply of the right outcome, and a good request after it is answered."""
    for what, each, outcome in _nonsense(subject, hello):
        replies, complaints = subject.say([line(0, subject.hello()), each, line(9, subject.hello())])
        for complaint in complaints:
            yield Complaint(f"{what}: {complaint.wrong}", complaint.remedy)
        if not complaints and replies[1]["outcome"] != outcome:
            wrong = f"{what}: {each} is answered with {replies[1]['outcome']}"
            yield Complaint(wrong, f"Answer it with the outcome {outcome}")


def _nonsense(subject: Subject, hello: Message) -> Iterator[tuple[str, Line, str]]:
    [schema, *_] = _offered(subject, hello)
    operation = "decode" if "decode" in hello["operations"] else "encode"
    content: Message = {"wire": ""} if operation == "decode" else {"value": {}}
    good: Message = {"op": operation, "message": schema.message, "version": schema.version, **content}
    yield "unknown operation", line(5, {"op": "no-such-operation"}), UNSUPPORTED
    yield "unknown message", line(5, {**good, "message": "NoSuchMessage"}), UNSUPPORTED
    yield "unknown version", line(5, {**good, "version": 32_767}), UNSUPPORTED
    yield "request without an operation", line(5, {"message": schema.message}), PROTOCOL_ERROR
    yield "request without a message", line(5, {"op": operation, **content}), PROTOCOL_ERROR
    wrong: Message = {"wire": "0"} if operation == "decode" else {"value": 5}
    yield f"wrong {next(iter(wrong))}", line(5, {**good, **wrong}), PROTOCOL_ERROR
    yield "no JSON", broken_line(b'{"id": 5, '), PROTOCOL_ERROR
    yield "no object", broken_line(b"[5]"), PROTOCOL_ERROR


def _takes_many(subject: Subject, hello: Message) -> Iterator[Complaint]:
    """The client has many requests under way at once, and reads replies while it writes further ones."""
    [schema, *_] = _offered(subject, hello)
    [request, *_] = _value_requests(schema, hello)
    if "wire" in request:
        request = {**request, "wire": request["wire"] + "00" * LARGE}
    else:
        request = {**request, "padding": "0" * 2 * LARGE}
    process = JsonLinesProcess(subject.command, deadline=START_SECONDS)
    try:
        process.exchange([subject.hello()])
        process.deadline = subject.seconds
        process.exchange([request] * WINDOW)
    except HarnessError as error:
        wrong = f"{WINDOW} requests of {LARGE} bytes each, sent at once: {error}"
        yield Complaint(wrong, "Read and answer line by line, however long lines are, without waiting for more of them")
    finally:
        process.close()


def _ends(subject: Subject, _hello: Message) -> Iterator[Complaint]:
    yield from converse(subject.command, [], subject.seconds + START_SECONDS).complaints()


def _knows_values(subject: Subject, hello: Message) -> Iterator[Complaint]:
    """A few values of a few messages: where they are wrong, it is more often the wiring than the codec."""
    asked = [
        (schema, value, request)
        for schema in smoke(list(_offered(subject, hello)))
        for value in (minimal(schema), populated(schema))
        for request in _value_requests(schema, hello, value)
    ]
    lines = [line(number, request) for number, (_, _, request) in enumerate(asked, start=1)]
    replies, complaints = subject.say([line(0, subject.hello()), *lines])
    yield from complaints
    readings = [
        (schema, request["op"], reply, _value_problem(schema, value, request, reply))
        for (schema, value, request), reply in zip(asked, replies[1:], strict=False)
    ]
    sound = {(schema, operation) for schema, operation, _, problem in readings if problem is None}
    for schema, operation, reply, problem in readings:
        is_choosy = reply["outcome"] in REFUSALS and (schema, operation) in sound  # that is for the suite to judge
        if problem is not None and not is_choosy:
            remedy = "See that fields are taken by the names and the order of the definition, and values by their types"
            yield Complaint(f"{operation} of {schema}: {problem}", remedy)


def _value_problem(schema: MessageSchema, value: Message, request: Message, reply: Message) -> str | None:
    wire = encode(schema, value).hex()
    if reply["outcome"] in ABSENT:
        return None
    if reply["outcome"] in REFUSALS:
        return f"{request.get('value', wire)} is refused: {reply['class']}: {reply['text']}"
    if request["op"] == "encode":
        return None if reply.get("wire") == wire else f"the bytes of {request['value']} are {wire}, not {_shown(reply)}"
    try:
        found = difference(schema, value, from_json(schema, reply.get("value")))
    except NotJsonForm as error:
        return f"the value of {wire} has not the form that the definition asks for: {error}; it is {_shown(reply)}"
    return None if found is None else f"{wire} has {found.expected!r} in {found.path}, not {found.actual!r}"


def _shown(reply: Message) -> str:
    return str(reply.get("wire", reply.get("text", reply.get("value"))))[:200]


def _value_requests(schema: MessageSchema, hello: Message, value: Message | None = None) -> Iterator[Message]:
    """Read and write one value, as far as that is offered; the smallest one if none is given."""
    pair: Message = {"message": schema.message, "version": schema.version}
    known = minimal(schema) if value is None else value
    if schema.version in hello["supports"]["decode"].get(schema.message, ()):
        yield {"op": "decode", **pair, "wire": encode(schema, known).hex()}
    if schema.version in hello["supports"]["encode"].get(schema.message, ()):
        yield {"op": "encode", **pair, "value": to_json(schema, known)}


def _offered(subject: Subject, hello: Message) -> Iterator[MessageSchema]:
    """The pairs of the release that it supports in either direction."""
    for schema in subject.release.schemas():
        if any(schema.version in hello["supports"][way].get(schema.message, ()) for way in ("encode", "decode")):
            yield schema
