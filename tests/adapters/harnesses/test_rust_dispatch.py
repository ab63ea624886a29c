"""The generator of the Rust dispatch, on sources as the two crates have them."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.adapters.harnesses.rust_generation import (
    SourceField,
    SourceStruct,
    UnreadableCrateError,
    kafka_protocol,
    kafka_wire_protocol,
    structs,
)

TOPIC = """/// Valid versions: 0-4
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
pub struct Topic {
    /// The name.
    ///
    /// Supported API versions: 0-2
    pub name: super::TopicName,

    /// Supported API versions: none
    pub partitions: Vec<i32>,

    /// Other tagged fields
    pub unknown_tagged_fields: BTreeMap<i32, Bytes>,
}

impl Topic {
    pub fn with_name(mut self, value: super::TopicName) -> Self { self }
}
"""
REQUEST = """pub struct ListRequest {
    /// Supported API versions: 0-4
    pub topics: Vec<Topic>,
}
"""


def test_fields_have_the_versions_of_their_comments() -> None:
    assert list(structs(TOPIC)) == [
        SourceStruct("Topic", (SourceField("name", "0-2"), SourceField("partitions", "none")), "unknown_tagged_fields")
    ]


def test_a_field_without_a_comment_has_no_versions() -> None:
    [struct] = structs("pub struct A {\n    pub first: i32,\n}\n")
    assert struct == SourceStruct("A", (SourceField("first", ""),), "")


def test_private_structs_are_none_of_the_protocol() -> None:
    private = "struct Hidden {\n    pub first: i32,\n}\n"
    assert list(structs(private)) == []


def test_kafka_protocol_has_its_message_by_the_name_of_the_module(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    _write(tmp_path / "src" / "messages" / "list_request.rs", TOPIC + REQUEST)
    assert kafka_protocol(tmp_path, "1.2.3") == snapshot


def test_kafka_wire_protocol_has_a_message_for_each_version(tmp_path: Path) -> None:
    for version in (3, 10):
        _write(tmp_path / "src" / "schema" / "list_request" / f"v{version}.rs", REQUEST + TOPIC)
    dispatch = kafka_wire_protocol(tmp_path, "2.0.0")
    for version in (3, 10):
        path = f"kafka_wire_protocol::schema::list_request::v{version}"
        assert f'entry::<{path}::ListRequest>("ListRequest", {version}),' in dispatch


def test_message_of_another_name_gets_the_definition_s_name(tmp_path: Path) -> None:
    text = REQUEST.replace("ListRequest", "DefaultPrincipal")
    _write(tmp_path / "src" / "schema" / "default_principal" / "v0.rs", text)
    assert '::DefaultPrincipal>("DefaultPrincipalData", 0)' in kafka_wire_protocol(tmp_path, "2.0.0")


def test_sources_without_messages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableCrateError, match="no messages"):
        kafka_protocol(tmp_path, "1.2.3")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
