//! Drives kafka-protocol.

#[path = "../bridge/mod.rs"]
mod bridge;
mod dispatch;
mod forms;
mod records;

use bridge::library::Records;
use bridge::{serve, Body, Entry, Failure, Form, Library, Refusal};
use bytes::{Buf, Bytes, BytesMut};
use kafka_protocol::messages::ApiKey;
use kafka_protocol::protocol::{Decodable, Encodable, Message};

counting_allocator!();

fn main() -> std::io::Result<()> {
    serve(Library {
        name: "kafka-protocol",
        version: dispatch::VERSION,
        capabilities: &["absent-fields", "partial-values", "unknown-tags"],
        claims: || serde_json::Value::Null,
        entries: dispatch::entries,
        header_version,
        records: Some(Records {
            claims: records::claims,
            encode: records::encode,
            decode: records::decode,
        }),
        primitives: None,
    })
}

fn header_version(direction: &str, key: i16, version: i16) -> Result<i16, Failure> {
    let key = ApiKey::try_from(key).map_err(|()| Failure::Unsupported(format!("an API key {key}")))?;
    Ok(match direction {
        "request" => key.request_header_version(version),
        _ => key.response_header_version(version),
    })
}

struct Value<T>(T);

/// The entry of a message: one type has all versions.
fn entry<T: Form + Default + Message + Encodable + Decodable>(message: &'static str) -> Entry {
    Entry {
        message,
        first: T::VERSIONS.min,
        last: T::VERSIONS.max,
        kind: T::kind,
        new: Some(|| Box::new(Value(T::default()))),
        read: Some(|wire, version| {
            let mut rest = Bytes::from(wire);
            let size = rest.remaining();
            let value = T::decode(&mut rest, version).map_err(refusal)?;
            Ok((Box::new(Value(value)), size - rest.remaining()))
        }),
    }
}

impl<T: Form + Encodable> Body for Value<T> {
    fn form(&mut self) -> &mut dyn Form {
        &mut self.0
    }

    fn write(&mut self, version: i16) -> Result<Vec<u8>, Refusal> {
        let mut wire = BytesMut::new();
        self.0.encode(&mut wire, version).map_err(refusal)?;
        Ok(wire.into())
    }

    fn size(&mut self, version: i16) -> Option<Result<usize, Refusal>> {
        Some(self.0.compute_size(version).map_err(refusal))
    }
}

fn refusal(error: anyhow::Error) -> Refusal {
    Refusal::new("anyhow::Error", format!("{error:#}"))
}
