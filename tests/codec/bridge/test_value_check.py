import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.codec.bridge.child_client import Client, Policy
from conformance.codec.bridge.harness import claims_in
from conformance.codec.bridge.harness_errors import Ending, HarnessDiedError
from conformance.codec.bridge.transcript import Diagnostic
from conformance.codec.bridge.value_check import check_values
from conformance.targets.claims import STDIO
from reference import load_release
from tests.codec.bridge.diagnostic_text import text_of
from tests.fakes.wrong_forms import MISTAKES, RELEASE, Harness, UncaughtError


class InThisProcess:
    """A harness as seen by a client, without a process of its own, with answers until its end."""

    def __init__(self, mistake: str) -> None:
        self._harness = Harness(mistake)
        self.deadline = 1.0
        self.longest = 0.0

    def exchange(self, requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        replies: list[dict[str, Any]] = []
        for request in requests:
            try:
                reply = json.loads(self._harness.answer(json.dumps({"id": 0, **request}).encode()))
            except UncaughtError as error:
                raise HarnessDiedError("ended", Ending(1, str(error)), replies) from error
            except KeyboardInterrupt as error:
                raise HarnessDiedError("ended", Ending(-6, "double free"), replies) from error
            replies.append({key: item for key, item in reply.items() if key != "id"})
        return replies

    def close(self) -> None:
        """There is nothing to close."""


@cache
def checked(mistake: str) -> tuple[Diagnostic, ...]:
    release = load_release(RELEASE)
    request = {"op": "hello", "protocol": 1, "definitions": str(release.folder)}
    [hello] = InThisProcess(mistake).exchange([request])
    client = Client(lambda _: InThisProcess(mistake), Policy.BATCHED, deadline=1.0)  # type: ignore[arg-type,return-value]
    return tuple(check_values(client, release, claims_in(STDIO, hello)))


def mistakes(mistake: str) -> list[Diagnostic]:
    return [diagnostic for diagnostic in checked(mistake) if not diagnostic.is_note]


def notes(mistake: str) -> list[Diagnostic]:
    return [diagnostic for diagnostic in checked(mistake) if diagnostic.is_note]


OF_FORM = {
    "int64-as-number": "ProducerId: int64 is decimal text, got 9007199254740993",
    "int64-as-big-int": "exit status 1: TypeError: Do not know how to serialize a BigInt",
    "int64-not-parsed": "int64 as decimal text (ProducerId): rejected: TypeError: Cannot mix BigInt",
    "float64-as-number": "Entries[0].Ops[0].Value: float64 is its bits as 16 hex digits, got 1.5",
    "uuid-without-hyphens": "uuid is 36 characters in lower case, got",
    "bytes-as-base64": 'AuthBytes: bytes is hex in lower case, got "yv4A="',
    "records-as-array": "Records: records is hex in lower case, got [0, 1, 2, 3, 4]",
    "bool-as-number": "ValidateOnly: bool is true or false, got 0",
    "int16-as-text": "ErrorCode: int16 is a JSON number without fraction, got",
    "int32-as-fraction": "GenerationId: int32 is a JSON number without fraction, got 0.0",
    "text-as-bytes": 'GroupId: string is text, {"utf16": hex} or {"utf8": hex}, got [',
    "utf16-not-understood": 'a text as {"utf16": hex} (GroupId): the form is not understood',
    "utf16-raises": 'a text as {"utf16": hex}',
    "exits-on-null": "the harness ended: exit status 1: NullPointerException: length",
    "tags-as-object": '_tags[0]: an unknown tagged field is [tag, "hex"], got {"5": "cafe"}',
    "field-left-out": "GroupInstanceId: it is missing",
    "field-renamed": "memberId, which is no field of it; did you mean MemberId?",
    "own-code-fails": "harness-error: Topics[0].Configs: no such field",
    "own-code-fails-in-four-ways": "harness-error: no converter",
    "version-lacking": "encode of HeartbeatRequest v4: every value is unsupported, though hello lists it",
    "nothing-for-a-refusal": "bytes cut short: ",
    "struct-as-array": "the value: a struct is an object, got [",
    "own-code-fails-for-a-refusal": "bytes cut short: harness-error: KeyError: code",
    "ends-on-everything": "so the rest is not tried",
}


@pytest.mark.parametrize("mistake", OF_FORM)
def test_a_mistake_of_form_is_named(mistake: str) -> None:
    """By the field and the form, in words of JSON."""
    texts = [diagnostic.problem for diagnostic in mistakes(mistake)]
    assert [text for text in texts if OF_FORM[mistake] in text], texts


@pytest.mark.parametrize("mistake", OF_FORM)
def test_a_mistake_of_form_is_not_reported_in_words_of_python(mistake: str) -> None:
    texts = " ".join(map(str, checked(mistake)))
    assert [word for word in ("NoneType", "dict", "Traceback", "None", "True", "bytes from") if word in texts] == []


OF_A_LIBRARY = {
    "fields-swapped": "GroupId and MemberId are swapped: GroupId is ",
    "double": 'ProducerId is "9007199254740993", got "9007199254740992"',
    "empty-array-as-null": "is [], got null",
    "refuses-everything": "rejected: KafkaError: not today",
    "writes-nothing": "the bytes of {",
    "value-not-shown": "no value is shown: more than JSON has",
    "value-not-shown-for-a-refusal": "no value is shown: no JSON form",
    "library-aborts": "crashed: ended by SIGABRT: double free",
}


@pytest.mark.parametrize("mistake", OF_A_LIBRARY)
def test_possible_mistake_of_the_implementation_is_a_note(mistake: str) -> None:
    """However wrong it is, an honest harness makes no mistake."""
    assert mistakes(mistake) == []
    texts = [diagnostic.problem for diagnostic in notes(mistake)]
    assert [text for text in texts if OF_A_LIBRARY[mistake] in text], texts


@pytest.mark.parametrize("mistake", [*OF_FORM, *OF_A_LIBRARY])
def test_the_text_of_a_mistake(mistake: str, snapshot: SnapshotAssertion) -> None:
    assert text_of(checked(mistake)) == snapshot


OF_A_MAPPING = (
    "consumes-the-input",
    "consumes-one-too-many",
    "consumes-less-than-nothing",
    "writes-a-header",
    "writes-the-version-before",
    "reads-the-version-before",
    "keeps-state",
    "field-not-looked-up",
    "own-code-refuses",
    "version-refused",
    "defaults-for-a-refusal",
)


@pytest.mark.parametrize("mistake", OF_A_MAPPING)
def test_a_sign_of_a_wrong_mapping_comes_first(mistake: str, snapshot: SnapshotAssertion) -> None:
    """It is a note, as it may be the implementation, but a special one."""
    assert mistakes(mistake) == []
    assert notes(mistake)[0].is_of_mapping
    assert text_of(notes(mistake)) == snapshot


def test_each_reason_of_own_code_is_one_mistake() -> None:
    """With the number of values."""
    reasons = [each.problem.partition(": harness-error: ")[2] for each in mistakes("own-code-fails-in-four-ways")]
    assert {reason.partition(" (and ")[0] for reason in reasons} == {"no group", "no topics", "no acks", "no converter"}
    assert len(reasons) == 4
    assert all(each.is_own_code for each in mistakes("own-code-fails-in-four-ways"))


def test_no_sign_is_seen_of_a_sound_mapping() -> None:
    """Though the library is wrong in some way or other."""
    for mistake in ("none", "double", "empty-array-as-null"):
        assert [note for note in notes(mistake) if note.is_of_mapping] == []


def test_equal_notes_are_one() -> None:
    texts = [note.problem for note in notes("empty-array-as-null")]
    assert [text for text in texts if "more like this" in text]
    assert len({text.partition(",")[0] + text.partition("):")[2] for text in texts}) == len(texts)


def test_empty_array_read_as_null_has_a_hint(snapshot: SnapshotAssertion) -> None:
    hints = [note.hint for note in notes("empty-array-as-null") if note.problem.startswith("decode")]
    assert {*hints} == snapshot


def test_a_harness_without_mistakes_has_no_diagnostic() -> None:
    assert checked("none") == ()


def test_every_mistake_is_tried() -> None:
    known = OF_FORM.keys() | OF_A_LIBRARY.keys() | {*OF_A_MAPPING}
    assert known | {"none"} == MISTAKES.keys()
