"""The generator of kafrust-protocol's dispatch, on sources as the crate has them."""

from pathlib import Path

import pytest

from conformance.adapters.harnesses.kafrust_sources import kafrust_protocol
from conformance.adapters.harnesses.rust_generation import UnreadableCrateError

PING = """pub struct PingRequestV1 {
    pub correlation_id: i32,
    pub client_id: Option<String>,
    /// The name.
    pub name: String,
    pub topics: Vec<PingTopic>,
}

impl PingRequestV1 {
    pub fn encode(&self) -> Result<Vec<u8>> {
        RequestHeader { api_key: API_KEY }
        .encode_v1(&mut encoder)?;
        Ok(encoder.into_bytes())
    }
}

pub struct PingTopic {
    pub client_id: String,
}

pub struct PingResponseV1 {
    pub error_code: i16,
    pub tagged_fields: Vec<TaggedField>,
}

impl PingResponseV1 {
    pub fn decode_body(decoder: &mut Decoder<'_>) -> Result<Self> {
        Ok(Self {})
    }
}

/// As before.
pub type PingResponseV2 = PingResponseV1;

#[cfg(test)]
mod tests {
    pub struct HiddenRequestV1 {
    }
}
"""
SHARED = """pub struct AskRequestV4 {
    pub client_id: Option<String>,
}

impl AskRequestV4 {
    pub fn encode(&self) -> Result<Vec<u8>> {
        encode_flexible(4)
    }
}

fn encode_flexible(api_version: i16) -> Result<Vec<u8>> {
    RequestHeader { api_version }
    .encode_v2(&mut encoder)?;
}
"""
PATH = "kafrust_protocol::api::ping"


def dispatch(folder: Path, text: str) -> str:
    """Return the source generated from a crate with one file."""
    file = folder / "src" / "api" / "ping.rs"
    file.parent.mkdir(parents=True)
    file.write_bytes(text.encode())
    return kafrust_protocol(folder, "1.2.3")


def test_a_struct_is_put_together_from_its_fields(tmp_path: Path) -> None:
    """Those of the header are none of the message, and have a value of their own."""
    fields = '{0 name "" 1 topics ""},, {correlation_id: 0 client_id: None}'
    assert f"structure!({PATH}::PingRequestV1, {fields});" in dispatch(tmp_path, PING)


def test_field_with_the_name_of_a_header_s_field_stays_in_the_message(tmp_path: Path) -> None:
    """A client id of a member of a group may not be null."""
    assert f'structure!({PATH}::PingTopic, {{0 client_id ""}},, {{}});' in dispatch(tmp_path, PING)


def test_a_request_has_the_size_of_its_header(tmp_path: Path) -> None:
    """A header of version 1 takes 10 bytes without a client id."""
    generated = dispatch(tmp_path, PING)
    assert f'request::<{PATH}::PingRequestV1>("PingRequest", 1,' in generated
    assert f"write: {PATH}::PingRequestV1::encode, header: 10 }}" in generated


def test_header_may_be_written_by_a_shared_function_of_requests(tmp_path: Path) -> None:
    """A header of version 2 takes one byte more, its tag section."""
    assert "AskRequestV4::encode, header: 11 }" in dispatch(tmp_path, SHARED)


def test_version_with_an_alias_is_read_by_its_struct(tmp_path: Path) -> None:
    """A later version with the same fields has no struct of its own."""
    generated = dispatch(tmp_path, PING)
    for version in (1, 2):
        path = f"{PATH}::PingResponseV{version}"
        assert f'response::<{path}>("PingResponse", {version}, |wire, _| read(&wire, {path}::decode_body))' in generated
    assert "structure!(kafrust_protocol::api::ping::PingResponseV2" not in generated


def test_line_ends_of_another_system_are_read(tmp_path: Path) -> None:
    """Some files of the crate have them."""
    generated = dispatch(tmp_path, PING.replace("\n", "\r\n"))
    assert "\r" not in generated
    assert generated.count("response::<") == 2


def test_tests_of_the_crate_are_not_read(tmp_path: Path) -> None:
    """Sources after the first module of tests are no part of the protocol."""
    assert "Hidden" not in dispatch(tmp_path, PING)


def test_a_struct_with_a_field_of_an_unknown_type_is_left_out(tmp_path: Path) -> None:
    """So is every struct around such a struct."""
    generated = dispatch(tmp_path, PING.replace("pub client_id: String", "pub records: RecordBatch"))
    assert "PingTopic" not in generated
    assert "PingRequestV1" not in generated
    assert "PingResponseV1" in generated


def test_sources_without_messages_are_refused(tmp_path: Path) -> None:
    """The crate may be laid out anew in another version."""
    with pytest.raises(UnreadableCrateError, match="no messages"):
        kafrust_protocol(tmp_path, "1.2.3")
