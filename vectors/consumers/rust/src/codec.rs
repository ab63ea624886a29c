//! The codec under test: what kafka-protocol makes of some bytes.

use crate::records;
use anyhow::{ensure, Result};
use bytes::{Buf, BufMut, Bytes, BytesMut};
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
        ("request" | "response" | "frame", message) => match subject.api_key.map(ApiKey::try_from) {
            Some(Ok(key)) => match (subject.kind.as_str(), message.ends_with("Request")) {
                ("frame", true) => framed::<RequestHeader, RequestKind>(wire, key, version),
                ("frame", false) => framed::<ResponseHeader, ResponseKind>(wire, key, version),
                (_, true) => body::<RequestKind>(wire, key, version),
                (_, false) => body::<ResponseKind>(wire, key, version),
            },
            _ => Outcome::Unsupported("the crate has no such API".into()),
        },
        ("records", _) => records::decode(wire),
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

/// What the crate's enums of all requests and of all responses have in common.
trait Body: Sized + Debug {
    fn decode(key: ApiKey, bytes: &mut Bytes, version: i16) -> Result<Self>;
    fn encode(&self, to: &mut BytesMut, version: i16) -> Result<()>;
    fn header_version(key: ApiKey, version: i16) -> i16;
}

impl Body for RequestKind {
    fn decode(key: ApiKey, bytes: &mut Bytes, version: i16) -> Result<Self> {
        RequestKind::decode(key, bytes, version)
    }
    fn encode(&self, to: &mut BytesMut, version: i16) -> Result<()> {
        RequestKind::encode(self, to, version)
    }
    fn header_version(key: ApiKey, version: i16) -> i16 {
        key.request_header_version(version)
    }
}

impl Body for ResponseKind {
    fn decode(key: ApiKey, bytes: &mut Bytes, version: i16) -> Result<Self> {
        ResponseKind::decode(key, bytes, version)
    }
    fn encode(&self, to: &mut BytesMut, version: i16) -> Result<()> {
        ResponseKind::encode(self, to, version)
    }
    fn header_version(key: ApiKey, version: i16) -> i16 {
        key.response_header_version(version)
    }
}

fn body<B: Body>(wire: Bytes, key: ApiKey, version: i16) -> Outcome {
    outcome(
        wire,
        |bytes| B::decode(key, bytes, version),
        |body, to| body.encode(to, version),
    )
}

#[derive(Debug)]
struct Frame<H, B> {
    header: H,
    body: B,
}

/// The crate leaves the size to its user; headers, their versions and bodies are its own.
fn framed<H: Decodable + Encodable + Debug, B: Body>(wire: Bytes, key: ApiKey, version: i16) -> Outcome {
    let header_version = B::header_version(key, version);
    let decode = |bytes: &mut Bytes| -> Result<Frame<H, B>> {
        ensure!(bytes.len() >= 4, "no size");
        let size = usize::try_from(bytes.get_i32())?;
        ensure!(size <= bytes.len(), "the frame is cut");
        let mut content = bytes.split_to(size);
        let (header, body) = (
            H::decode(&mut content, header_version)?,
            B::decode(key, &mut content, version)?,
        );
        ensure!(content.is_empty(), "the frame is longer than its message");
        Ok(Frame { header, body })
    };
    let encode = |frame: &Frame<H, B>, to: &mut BytesMut| {
        let mut content = BytesMut::new();
        frame.header.encode(&mut content, header_version)?;
        frame.body.encode(&mut content, version)?;
        to.put_i32(content.len().try_into()?);
        to.put(content);
        Ok(())
    };
    match lacks_version(|bytes| B::decode(key, bytes, version)) {
        Some(reason) => Outcome::Unsupported(reason),
        None => outcome(wire, decode, encode),
    }
}

/// The crate looks at the version before it reads a byte. (`ApiKey::valid_versions` names some that it does not read.)
fn lacks_version<T>(decode: impl Fn(&mut Bytes) -> Result<T>) -> Option<String> {
    let error = decode(&mut Bytes::new()).err()?;
    (error.root_cause().to_string() == WITHOUT_VERSION).then(|| "the crate has no such version of the message".into())
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
    if let Some(reason) = lacks_version(&decode) {
        return Outcome::Unsupported(reason);
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
