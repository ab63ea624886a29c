"""Fields declared as hidden are not compared when read, and all others are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import reference
from conformance.adapter import AdapterError
from conformance.codec.python_codec import PythonCodec
from conformance.codec.validation import check_members
from conformance.judge.checks.value_cases import value_cases
from conformance.judge.engine import violations
from conformance.targets.hidden import HiddenFields
from reference import MessageSchema, load_release
from tests.fakes.lies import Honest
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from conformance.adapter import Value

SCHEMA = load_release(BASE).schema("OffsetCommitRequest", 9)
METADATA = "Topics.Partitions.CommittedMetadata"


class DropsMetadata(Honest):
    """Leaves out a field inside of two arrays when it reads."""

    capabilities = frozenset[str]()
    hidden: Mapping[str, Any] = {"OffsetCommitRequest": [METADATA]}

    def supported(self) -> Mapping[str, Iterable[int]]:
        """One message."""
        return {"OffsetCommitRequest": [9]}

    def decode(self, schema: MessageSchema, data: bytes) -> Value:
        """The value without the field."""
        value = reference.decode(schema, data).value
        for topic in value["Topics"] or ():
            for partition in topic["Partitions"]:
                del partition["CommittedMetadata"]
        return value


class Undeclared(DropsMetadata):
    """Declares nothing."""

    hidden: Mapping[str, Any] = {}


class OtherVersions(DropsMetadata):
    """Declares the field for other versions."""

    hidden: Mapping[str, Any] = {"OffsetCommitRequest": [f"{METADATA}:2-8"]}


def rules(adapter: Any) -> set[str]:
    session = session_of(PythonCodec(check_members("here", adapter, "here")))
    return {violation.rule for violation in violations(session, value_cases(session, SCHEMA))}


def test_a_hidden_field_is_not_compared() -> None:
    assert rules(DropsMetadata()) == set()


@pytest.mark.parametrize("adapter", [Undeclared(), OtherVersions()])
def test_field_outside_the_hidden_ones_is_compared(adapter: Any) -> None:
    assert rules(adapter)


def test_other_fields_of_the_message_are_compared() -> None:
    class AlsoOffset(DropsMetadata):
        """Reads another offset, too."""

        def decode(self, schema: MessageSchema, data: bytes) -> Value:
            value = super().decode(schema, data)
            for topic in value["Topics"] or ():
                for partition in topic["Partitions"]:
                    partition["CommittedOffset"] = 1
            return value

    assert rules(AlsoOffset())


def test_hidden_fields_are_named_in_the_summary() -> None:
    assert list(HiddenFields.of(DropsMetadata.hidden).texts) == [f"OffsetCommitRequest: {METADATA}"]


@pytest.mark.parametrize("declared", [["Topics"], {"FetchRequest": "Topics"}, {"FetchRequest": ["Topics:x"]}])
def test_another_form_is_a_mistake_of_the_adapter(declared: Any) -> None:
    adapter = DropsMetadata()
    adapter.hidden = declared
    with pytest.raises(AdapterError, match="`hidden`"):
        check_members("here", adapter, "here")


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("responses.partitions.log_start_offset", "Responses.Partitions.LogStartOffset"),
        ("Responses.Partition.HighWatermark:4-9", "Responses.Partitions.HighWatermark"),
    ],
)
def test_a_misspelt_field_has_a_suggestion(path: str, meant: str) -> None:
    schemas = load_release(BASE).schemas()
    [text] = HiddenFields.of({"FetchResponse": [path]}).misspelt(schemas)
    assert text.startswith(f"FetchResponse: {path.partition(':')[0]}, ")
    assert text.endswith(f" {meant}?")


@pytest.mark.parametrize(
    "declared", [{"FetchResponse": ["Responses.Partitions.LogStartOffset:5-9", "Xyzzy"]}, {"FutureResponse": ["Id"]}]
)
def test_field_of_a_possible_other_release_is_not_misspelt(declared: dict[str, list[str]]) -> None:
    assert list(HiddenFields.of(declared).misspelt(load_release(BASE).schemas())) == []
