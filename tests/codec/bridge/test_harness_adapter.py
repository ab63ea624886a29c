import json
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any, cast

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.adapter import CAPABILITIES, REPRESENTATIONS, AdapterError, Unrepresentable, Value
from conformance.codec.bridge.harness import Harness, StdioCodec
from conformance.codec.bridge.loading import load_codec
from conformance.codec.bridge.protocol import Message, hello_request, reply_problem, request_problem, schema_document
from conformance.codec.bridge.records_check import FIELD
from conformance.codec.bridge.request_server import RequestServer
from conformance.codec.bridge.transport import JsonLinesProcess, program
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import AnyCodec, Session
from conformance.codec.validation import check_members
from conformance.judge.case import Violation
from conformance.judge.checks.check_list import BODIES, run_message
from conformance.judge.checks.value_cases import value_cases
from conformance.judge.engine import violations
from conformance.judge.findings.finding import Findings
from conformance.judge.findings.wording import actual_text
from conformance.targets import DECODE, ENCODE, SIZE, Ask, Body, RecordsField, records_difference, shown
from conformance.targets.declared_limits import OF_CODECS
from conformance.targets.hidden import HiddenFields
from conformance.targets.outcome import Kind
from conformance.targets.record_claims import LISTS, WORDS
from reference import MessageSchema, decode, encode, encode_records, load_release, minimal
from tests.fakes.lies import TRIGGER, Honest
from tests.fakes.records_only import HidesSequences, Records
from tests.helpers.adapters import load_adapter
from tests.helpers.releases import BASE, OLDEST
from tests.helpers.runs import invoke, replay_lines, suite
from tests.helpers.sessions import session_of
from tests.mutants.catalogue import MUTANTS
from tests.mutants.mutant import Mutant

RELEASE = load_release(BASE)
HEARTBEAT = RELEASE.schema("HeartbeatResponse", 0)
SPEC = "stdio:a harness"


def broken_by_values(session: Session, schema: MessageSchema) -> Iterator[Violation]:
    return violations(session, value_cases(session, schema))


class Direct:
    """A harness in this process, with requests and replies in JSON, the first of each form validated."""

    def __init__(self, adapter: LoadedAdapter) -> None:
        self._handler = RequestServer(PythonCodec(adapter), RELEASE)
        self._seen: set[tuple[object, ...]] = set()

    def start(self) -> None:
        self.hello = self.ask(hello_request(RELEASE))

    def known(self, *_: object) -> None:
        """Know no reply before it is asked for."""

    def ask_ahead(self, _: object) -> list[Message]:
        return []

    def ask(self, request: Mapping[str, object], kind: str = "") -> Message:  # noqa: ARG002  # as Client has it
        numbered = {"id": 1, **request}
        reply: Message = json.loads(json.dumps(self._handler.reply(json.dumps(numbered).encode())))
        form = (*request, request["op"], *reply, reply["outcome"])
        if form not in self._seen:
            self._seen.add(form)
            assert request_problem(numbered) is None
            assert reply_problem(numbered, reply) is None
        return reply


def codec_of(harness: Direct) -> StdioCodec:
    return StdioCodec(SPEC, cast("Harness", harness))


def over_the_protocol(adapter: LoadedAdapter) -> StdioCodec:
    return codec_of(Direct(adapter))


def findings(codec: AnyCodec, schemas: Iterable[MessageSchema]) -> list[tuple[str, str, int]]:
    found = Findings()
    for schema in schemas:
        for event in run_message(session_of(codec), schema, frozenset({BODIES})):
            if isinstance(event, Violation):
                found.add(event)
    return [(finding.rule, finding.outcome, finding.count) for finding in found.ordered()]


METADATA = Body(RELEASE.schema("MetadataRequest", 4))
WRITTEN = {"Topics": [], "AllowAutoTopicCreation": True}


class Reads(Direct):
    """Whatever it is given to read, it answers with one form."""

    def __init__(self, form: Any) -> None:
        super().__init__(load_adapter("conformance.adapters.reference", RELEASE))
        self._form = form

    def ask(self, request: Mapping[str, object], kind: str = "") -> Message:
        return {"outcome": "value", "value": self._form} if request["op"] == "decode" else super().ask(request, kind)


def read_after_writing(form: Any) -> Any:
    """Return the outcome of a read answered with a form, after `WRITTEN` was written."""
    codec = codec_of(Reads(form))
    codec.perform(Ask(ENCODE, METADATA, WRITTEN))
    return codec.perform(Ask(DECODE, METADATA, METADATA.write(WRITTEN)))


def test_value_read_as_written_is_the_written_value() -> None:
    assert read_after_writing({"Topics": [], "AllowAutoTopicCreation": True}).value is WRITTEN


@pytest.mark.parametrize("form", [{"Topics": None, "AllowAutoTopicCreation": True}, {"Topics": []}])
def test_value_read_otherwise_is_another_value(form: Value) -> None:
    assert read_after_writing(form).value == form


def test_a_number_for_a_truth_value_is_reported_although_python_calls_them_equal() -> None:
    outcome = read_after_writing({"Topics": [], "AllowAutoTopicCreation": 1})
    assert outcome.kind is Kind.PROTOCOL_ERROR
    assert outcome.text.startswith("AllowAutoTopicCreation: expected")


class Announces(Direct):
    """Announces its size, if it has one, in replies with bytes, and keeps the requested operations."""

    def __init__(self, size: object) -> None:
        super().__init__(load_adapter("conformance.adapters.reference", RELEASE))
        self._size = size
        self.asked: list[object] = []

    def start(self) -> None:
        super().start()
        self.hello["operations"] = [*self.hello["operations"], "size"]

    def ask(self, request: Mapping[str, object], kind: str = "") -> Message:
        self.asked.append(request["op"])
        if request["op"] == "size":
            return {"outcome": "value", "value": 4711}
        reply = super().ask(request, kind)
        announced = request["op"] == "encode" and self._size is not None
        return {**reply, "size": self._size} if announced else reply


def size_after_writing(harness: Announces, size_of: Value = WRITTEN) -> Any:
    """Return the size of a value, asked for after `WRITTEN` was written."""
    codec = codec_of(harness)
    codec.perform(Ask(ENCODE, METADATA, WRITTEN))
    return codec.perform(Ask(SIZE, METADATA, size_of)).value


def test_size_announced_with_the_bytes_is_not_asked_for() -> None:
    harness = Announces(5)
    assert size_after_writing(harness) == 5
    assert harness.asked == ["hello", "encode"]


@pytest.mark.parametrize("size", [None, "5", True], ids=["none", "a text", "a truth value"])
def test_a_size_is_asked_for_where_none_was_announced(size: object) -> None:
    assert size_after_writing(Announces(size)) == 4711


def test_the_size_of_another_value_is_asked_for() -> None:
    assert size_after_writing(Announces(5), {**WRITTEN, "Topics": None}) == 4711


def test_wrong_announced_size_is_a_finding() -> None:
    session = session_of(codec_of(Announces(5)))
    assert {violation.rule for violation in broken_by_values(session, HEARTBEAT)} == {"codec.size"}


class SentAhead:
    """Keeps the operations of requests sent ahead."""

    def __init__(self) -> None:
        self.operations: list[object] = []

    def send(self, requests: Iterable[Message]) -> None:
        self.operations = [request["op"] for request in requests]


def test_sizes_are_not_sent_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reply with the bytes may announce them."""
    codec, ahead = codec_of(Announces(5)), SentAhead()
    monkeypatch.setattr(codec, "_ahead", ahead)
    codec.send([Ask(ENCODE, METADATA, WRITTEN), Ask(SIZE, METADATA, WRITTEN)])
    assert ahead.operations == ["encode"]


WITHOUT_JSON = "empty-string-read-as-bytes"
"""A mutant that gives bytes for text, which JSON does not have."""

FEW = [each for each in MUTANTS if each.rule != "limit.declared" and each.name != WITHOUT_JSON][::6]


@pytest.mark.parametrize("mutant", FEW, ids=lambda mutant: mutant.name)
def test_mutant_has_the_same_findings_over_the_protocol_and_in_this_process(mutant: Mutant) -> None:
    adapter, schemas = mutant.adapter(), mutant.schemas()
    assert findings(over_the_protocol(adapter), schemas) == findings(PythonCodec(adapter), schemas) != []


def test_every_number_beyond_its_type_reaches_the_codec() -> None:
    [mutant] = [each for each in MUTANTS if each.name == "numbers-wrap"]
    assert findings(over_the_protocol(mutant.adapter()), mutant.schemas())[0][0] == "number.range"


def child(impl: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "conformance.codec.bridge.child", "--impl", impl, "--release", BASE)


def spec_of(impl: str) -> str:
    return "stdio:" + " ".join(child(impl))


def test_the_suite_finds_nothing_in_the_reference_over_stdio() -> None:
    messages = "--messages=ApiVersions*,HeartbeatRequest,ConsumerProtocolAssignment,varint,compact-string"
    finished = suite(f"--impl={spec_of('conformance.adapters.reference')}", messages, "-n1")
    assert finished.status == 0, finished.text
    assert "no findings" in finished.text
    assert "unrepresentable" not in finished.text


def test_a_finding_over_stdio_is_replayed_by_the_printed_command() -> None:
    finished = suite(f"--impl={spec_of('tests.fakes.faulty_codecs:LittleEndian')}")
    assert finished.status == 1
    assert re.search(r"^1\. .*: int\.width", finished.text, re.MULTILINE)
    again = invoke(*shlex.split(replay_lines(finished.text)[0])[1:])
    assert again.exit_code == 1, again.output


class ReturnsBytes(Honest):
    """Reads bytes where there is a number."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:  # noqa: ARG002  # as in the contract
        return {"ErrorCode": data}


def test_a_value_without_json_form_does_not_end_the_harness() -> None:
    harness = Harness(child("tests.codec.bridge.test_harness_adapter:ReturnsBytes"), RELEASE, deadline=20)
    try:
        reply = harness.ask({"op": "decode", "message": "HeartbeatResponse", "version": 0, "wire": "0007"})
    finally:
        harness.close()
    assert (reply["outcome"], reply["value"]) == ("value", {"ErrorCode": "b'\\x00\\x07'"})


def test_too_many_deaths_of_a_harness_end_the_tests_with_an_error() -> None:
    harness = Harness(child("tests.fakes.faulty_codecs:Aborts"), RELEASE, deadline=20, maximum_restarts=1)
    codec, target = StdioCodec(SPEC, harness), Body(HEARTBEAT)
    try:
        assert codec.perform(Ask(DECODE, target, TRIGGER)).kind is Kind.CRASHED
        assert codec.perform(Ask(DECODE, target, TRIGGER)).kind is Kind.CRASHED
        with pytest.raises(AdapterError, match=r"failed 2 times, .*SIGABRT"):
            codec.perform(Ask(DECODE, target, b"\0\7"))
    finally:
        harness.close()


HELLOS = {
    "no reply but text": "Ready.",
    "another outcome": '{"id": 0, "outcome": "unsupported", "text": ""}',
    "no outcome": '{"id": 0}',
    "another version": '{"id": 0, "outcome": "protocol-error", "text": "only version 2", "protocols": [2]}',
    "nothing supported": json.dumps(
        {
            "id": 0,
            "outcome": "hello",
            "protocols": [1],
            "implementation": "x",
            "version": "1",
            "supports": {"encode": {}, "decode": {}},
            "operations": ["hello", "encode"],
            "capabilities": [],
        }
    ),
}


@pytest.mark.parametrize("line", HELLOS.values(), ids=HELLOS)
def test_an_invalid_reply_to_hello_is_an_adapter_error(line: str, snapshot: SnapshotAssertion) -> None:
    program = f"import sys; sys.stdin.readline(); print({line!r}, flush=True); sys.stdin.read()"
    spec = f"stdio:{shlex.join([sys.executable, '-c', program])}"
    with pytest.raises(AdapterError) as caught:
        load_codec(spec)
    assert str(caught.value).replace(spec, "…") == snapshot


def test_harness_gets_the_definitions_of_the_run_s_release() -> None:
    older = load_release(OLDEST)
    codec = load_codec(spec_of("conformance.adapters.reference"), older)
    schema = older.schema("FetchRequest", 0)
    outcome = codec.perform(Ask(ENCODE, Body(schema), minimal(schema)))
    assert outcome.wire == encode(schema, minimal(schema))


def test_a_harness_of_records_alone_is_an_adapter() -> None:
    """It lists no messages, and hides the fields of records declared in its `hello`."""
    codec = over_the_protocol(check_members("x", HidesSequences(), "x"))
    assert codec.perform(Ask(ENCODE, RecordsField(), FIELD)).wire == encode_records(FIELD)
    read = codec.perform(Ask(DECODE, RecordsField(), encode_records(FIELD))).value
    assert records_difference(shown(codec.claims.records, FIELD), read) is None
    assert codec.claims.records.not_shown() == ["hidden: baseSequence"]
    assert not codec.claims.pairs()


def test_an_exhausted_batch_is_rejected_with_its_reason() -> None:
    outcome = over_the_protocol(check_members("x", Records(), "x")).perform(Ask(DECODE, RecordsField(), bytes(12)))
    assert outcome.kind is Kind.REJECTED


def test_the_schema_has_the_words_of_the_claims_about_records() -> None:
    members = schema_document()["$defs"]["records-claims"]["properties"]
    words = {name: tuple(member["enum"]) for name, member in members.items() if "enum" in member}
    lists = {name: tuple(member["items"]["enum"]) for name, member in members.items() if "items" in member}
    assert (words, lists) == (WORDS, LISTS)


class SaysMore(Honest):
    """Declares a representation."""

    representations = frozenset({"zero-uuid-as-null"})


def test_representations_of_a_harness_are_those_of_its_implementation() -> None:
    """They travel in the reply to hello."""
    claims = over_the_protocol(check_members("x", SaysMore(), "x")).claims
    assert claims.representations == SaysMore.representations


def test_schema_has_the_words_of_an_adapter_s_declarations() -> None:
    members = schema_document()["$defs"]["hello-reply"]["properties"]
    assert members["capabilities"]["items"]["enum"] == sorted(CAPABILITIES)
    assert members["representations"]["items"]["enum"] == sorted(REPRESENTATIONS)
    assert members["limits"]["propertyNames"]["enum"] == list(OF_CODECS)


class LeavesOut(Honest):
    """Drops a field when it reads, and does not say so."""

    def supported(self) -> dict[str, list[int]]:
        """One message."""
        return {"HeartbeatRequest": [4]}

    def decode(self, schema: MessageSchema, data: bytes) -> Value:
        """The value without the field."""
        value = decode(schema, data).value
        return {name: content for name, content in value.items() if name != "GroupInstanceId"}


def test_value_without_a_field_is_the_mistake_of_a_harness() -> None:
    """It is no finding, as `bridge check` reports the same reply as a mistake."""
    adapter = check_members("here", LeavesOut(), "here")
    schema = RELEASE.schema("HeartbeatRequest", 4)
    found = list(broken_by_values(session_of(over_the_protocol(adapter), RELEASE), schema))
    assert {violation.outcome for violation in found} == {Kind.PROTOCOL_ERROR}
    text = actual_text(found[0].observation)
    assert text.startswith("protocol-error: GroupInstanceId ")


def test_a_hidden_field_may_be_left_out() -> None:
    adapter = check_members("here", LeavesOut(), "here")
    hides = replace(adapter, hidden=HiddenFields.of({"HeartbeatRequest": ["GroupInstanceId"]}))
    schema = RELEASE.schema("HeartbeatRequest", 4)
    assert list(broken_by_values(session_of(over_the_protocol(hides), RELEASE), schema)) == []


class RefusesOnce(LeavesOut):
    """Answers a refused request on the second try."""

    def __init__(self) -> None:
        self._calls = 0

    def encode(self, schema: MessageSchema, value: Value) -> bytes:  # noqa: ARG002  # the contract's
        """No bytes."""
        self._calls += 1
        if self._calls == 1:
            raise ValueError("not today")
        raise Unrepresentable("not any more")


def test_refusal_lost_when_reduced_stays_the_finding() -> None:
    """The same holds of a given-up harness, whose missing answer is no finding."""
    adapter = check_members("here", RefusesOnce(), "here")
    found = broken_by_values(session_of(over_the_protocol(adapter), RELEASE), RELEASE.schema("HeartbeatRequest", 4))
    assert {violation.outcome for violation in found if violation.direction == "encode"} <= {
        Kind.REJECTED, Kind.UNCLASSIFIED,
    }  # fmt: skip


def test_memory_error_of_a_python_adapter_over_lines_is_exhausted_memory() -> None:
    """It is started by the small process for starts, as another one would hand down its peak of memory."""
    with closing(JsonLinesProcess(program(child("tests.fakes.faulty_codecs:FillsMemory")))) as process:
        [reply] = process.exchange([{"op": "decode", "message": "HeartbeatResponse", "version": 0, "wire": "ffff"}])
    assert reply["outcome"] == "exhausted-memory"
