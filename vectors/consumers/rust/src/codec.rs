//! The codec under test: what kafka-protocol makes of some bytes.

use anyhow::Result;
use bytes::{Bytes, BytesMut};
use kafka_protocol::messages::*;
use kafka_protocol::protocol::{Decodable, Encodable};
use std::fmt::Debug;

const WITHOUT_VERSION: &str = "specified version not supported by this message type";

/// What the bytes are to be read as.
#[derive(Clone)]
pub struct Subject {
    pub kind: String,
    pub message: String,
    pub api_key: Option<i16>,
    pub version: i16,
}

/// What became of them.
pub enum Outcome {
    /// The crate has no such message, or not in that version.
    Unsupported(String),
    Rejected(String),
    /// A panic, or the end of the process.
    Crashed(String),
    Decoded(Decoded),
}

pub struct Decoded {
    pub consumed: usize,
    /// The message written again.
    pub encoded: Result<Vec<u8>, String>,
    /// The message as its `Debug` shows it.
    pub debug: String,
}

/// The versions of the headers that go with a request and its response, if the crate has that version of the API.
pub fn header_versions(api_key: i16, version: i16) -> Option<(i16, i16)> {
    let api = ApiKey::try_from(api_key).ok()?;
    let known = api.valid_versions().min..=api.valid_versions().max;
    known.contains(&version).then(|| {
        (
            api.request_header_version(version),
            api.response_header_version(version),
        )
    })
}

/// Reads bytes, and writes again what was read.
pub fn decode(subject: &Subject, wire: Vec<u8>) -> Outcome {
    let (version, wire) = (subject.version, Bytes::from(wire));
    match (subject.kind.as_str(), subject.message.as_str()) {
        ("request", _) => match subject.api_key.map(ApiKey::try_from) {
            Some(Ok(key)) => outcome(
                wire,
                |bytes| RequestKind::decode(key, bytes, version),
                |kind, to| kind.encode(to, version),
            ),
            _ => Outcome::Unsupported("the crate has no such API".into()),
        },
        ("response", _) => match subject.api_key.map(ApiKey::try_from) {
            Some(Ok(key)) => outcome(
                wire,
                |bytes| ResponseKind::decode(key, bytes, version),
                |kind, to| kind.encode(to, version),
            ),
            _ => Outcome::Unsupported("the crate has no such API".into()),
        },
        (_, "RequestHeader") => struct_alone::<RequestHeader>(wire, version),
        (_, "ResponseHeader") => struct_alone::<ResponseHeader>(wire, version),
        (_, "ConsumerProtocolAssignment") => struct_alone::<ConsumerProtocolAssignment>(wire, version),
        (_, "ConsumerProtocolSubscription") => struct_alone::<ConsumerProtocolSubscription>(wire, version),
        (_, "DefaultPrincipalData") => struct_alone::<DefaultPrincipalData>(wire, version),
        (_, "EndTxnMarker") => struct_alone::<EndTxnMarker>(wire, version),
        (_, "KRaftVersionRecord") => struct_alone::<KRaftVersionRecord>(wire, version),
        (_, "LeaderChangeMessage") => struct_alone::<LeaderChangeMessage>(wire, version),
        (_, "SnapshotFooterRecord") => struct_alone::<SnapshotFooterRecord>(wire, version),
        (_, "SnapshotHeaderRecord") => struct_alone::<SnapshotHeaderRecord>(wire, version),
        (_, "VotersRecord") => struct_alone::<VotersRecord>(wire, version),
        (kind, _) => Outcome::Unsupported(format!("the crate has no such {kind}")),
    }
}

fn struct_alone<T: Decodable + Encodable + Debug>(wire: Bytes, version: i16) -> Outcome {
    outcome(
        wire,
        |bytes| T::decode(bytes, version),
        |message, to| message.encode(to, version),
    )
}

fn outcome<T: Debug>(
    mut wire: Bytes,
    decode: impl Fn(&mut Bytes) -> Result<T>,
    encode: impl Fn(&T, &mut BytesMut) -> Result<()>,
) -> Outcome {
    // The crate looks at the version before it reads a byte. (`ApiKey::valid_versions` names some that it does not read.)
    if decode(&mut Bytes::new()).is_err_and(|error| error.root_cause().to_string() == WITHOUT_VERSION) {
        return Outcome::Unsupported("the crate has no such version of the message".into());
    }
    let length = wire.len();
    let message = match decode(&mut wire) {
        Ok(message) => message,
        Err(error) => return Outcome::Rejected(error.root_cause().to_string()),
    };
    let mut encoded = BytesMut::new();
    Outcome::Decoded(Decoded {
        consumed: length - wire.len(),
        encoded: encode(&message, &mut encoded)
            .map(|()| encoded.to_vec())
            .map_err(|error| error.root_cause().to_string()),
        debug: format!("{message:?}"),
    })
}
