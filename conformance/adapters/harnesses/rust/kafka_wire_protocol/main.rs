//! Drives kafka_wire_protocol.

#[path = "../bridge/mod.rs"]
mod bridge;
mod dispatch;
mod primitives;

use bridge::library::Primitives;
use bridge::{serve, Body, Entry, Failure, Form, Library, Refusal, Tags};
use kafka_wire_protocol::api_message_type::ApiMessageType;
use kafka_wire_protocol::readable_writable::{Readable, Writable};
use kafka_wire_protocol::tagged_fields::RawTaggedField;

counting_allocator!();

fn main() -> std::io::Result<()> {
    serve(Library {
        name: "kafka_wire_protocol",
        version: dispatch::VERSION,
        capabilities: &["partial-values", "unknown-tags"],
        claims: || serde_json::Value::Null,
        entries: dispatch::entries,
        header_version,
        records: None,
        primitives: Some(Primitives {
            encode: primitives::encode,
            decode: primitives::decode,
        }),
    })
}

fn header_version(direction: &str, key: i16, version: i16) -> Result<i16, Failure> {
    let unknown = |_| Failure::Unsupported(format!("an API key {key}"));
    let api = std::panic::catch_unwind(|| ApiMessageType::from_api_key(key)).map_err(unknown)?;
    Ok(match direction {
        "request" => api.request_header_version(version),
        _ => api.response_header_version(version),
    })
}

struct Value<T>(T);

/// The entry of a message at one version, which has a type of its own.
fn entry<T: Form + Default + Readable + Writable>(message: &'static str, version: i16) -> Entry {
    Entry {
        message,
        first: version,
        last: version,
        kind: T::kind,
        new: Some(|| Box::new(Value(T::default()))),
        read: Some(|wire, _| {
            let mut rest = &wire[..];
            let value = T::read(&mut rest).map_err(refusal)?;
            Ok((Box::new(Value(value)), wire.len() - rest.len()))
        }),
    }
}

impl<T: Form + Writable> Body for Value<T> {
    fn form(&mut self) -> &mut dyn Form {
        &mut self.0
    }

    fn write(&mut self, _: i16) -> Result<Vec<u8>, Refusal> {
        let mut wire = Vec::new();
        self.0.write(&mut wire).map_err(refusal)?;
        Ok(wire)
    }

    fn size(&mut self, _: i16) -> Option<Result<usize, Refusal>> {
        None
    }
}

pub fn refusal(error: std::io::Error) -> Refusal {
    Refusal::new("std::io::Error", error)
}

/// A list, in any order; tags are int32.
impl Tags for Vec<RawTaggedField> {
    fn clear(&mut self) {
        Vec::clear(self);
    }

    fn put(&mut self, tag: u32, data: Vec<u8>) -> Result<(), Failure> {
        let tag = i32::try_from(tag).map_err(|_| Failure::unrepresentable("tags are int32"))?;
        self.push(RawTaggedField { tag, data });
        Ok(())
    }

    fn each(&self, visit: &mut dyn FnMut(u32, &[u8])) {
        self.iter().for_each(|field| visit(field.tag as u32, &field.data));
    }
}
