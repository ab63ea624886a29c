//! Drives rskafka 0.6.0, the codec of a client: requests are written, responses read.
//!
//! FetchResponse is left out, as its records are batches there and cannot be any bytes. So are the versions whose tagged
//! fields the library lacks.

mod bridge;
mod forms;
mod messages;
mod records;

use bridge::library::Records;
use bridge::{serve, Body, Entry, Failure, Form, Kind, Library, Plan, Refusal};
use rskafka::protocol::api_version::ApiVersion;
use rskafka::protocol::messages::{ReadVersionedType, RequestBody, WriteVersionedType};
use rskafka::protocol::primitives::Int16;
use serde_json::Value;
use std::io::Cursor;

counting_allocator!();

fn main() -> std::io::Result<()> {
    serve(Library {
        name: "rskafka",
        version: "0.6.0",
        capabilities: &["unknown-tags"],
        claims: || Value::Null,
        entries: messages::entries,
        header_version: |_, key, _| Err(Failure::Unsupported(format!("the headers of API {key}"))),
        records: Some(Records {
            claims: records::claims,
            encode: records::encode,
            decode: records::decode,
        }),
        primitives: None,
    })
}

/// Fields that are `None` in the versions that lack them. In the others `None` is a default, and not null.
const NEVER_NULL: [&str; 6] = [
    "AllowAutoTopicCreation",
    "ClientSoftwareName",
    "ClientSoftwareVersion",
    "IsolationLevel",
    "MaxBytes",
    "validateOnly",
];

pub struct Message<T>(T);

impl<T: Form> Form for Message<T> {
    fn kind() -> Kind {
        T::kind()
    }

    fn blank() -> Self {
        Message(T::blank())
    }

    fn set(&mut self, plan: &Plan, value: &Value) -> Result<(), Failure> {
        match NEVER_NULL
            .iter()
            .find(|name| value.get(**name).is_some_and(Value::is_null))
        {
            Some(name) => Err(Failure::unrepresentable("None stands for the default").under(name)),
            None => self.0.set(plan, value),
        }
    }

    fn show(&mut self, plan: &Plan, out: &mut Vec<u8>) {
        self.0.show(plan, out);
    }
}

pub struct Response<T>(T);

/// A request, in the versions that the client sends.
pub fn request<T: Form + RequestBody + WriteVersionedType<Vec<u8>>>(message: &'static str) -> Entry {
    Entry {
        message,
        first: T::API_VERSION_RANGE.min().0 .0,
        last: T::API_VERSION_RANGE.max().0 .0,
        kind: T::kind,
        new: Some(|| Box::new(Message(T::blank()))),
        read: None,
    }
}

/// The response to a request, in the same versions.
pub fn response<Q, T>(message: &'static str) -> Entry
where
    Q: RequestBody<ResponseBody = T>,
    T: Form + ReadVersionedType<Cursor<Vec<u8>>>,
{
    Entry {
        message,
        first: Q::API_VERSION_RANGE.min().0 .0,
        last: Q::API_VERSION_RANGE.max().0 .0,
        kind: T::kind,
        new: None,
        read: Some(|wire, version| {
            let mut reader = Cursor::new(wire);
            let value = T::read_versioned(&mut reader, ApiVersion(Int16(version)))
                .map_err(|error| Refusal::new("ReadVersionedError", error))?;
            Ok((Box::new(Response(value)), reader.position() as usize))
        }),
    }
}

impl<T: Form + WriteVersionedType<Vec<u8>>> Body for Message<T> {
    fn form(&mut self) -> &mut dyn Form {
        self
    }

    fn write(&mut self, version: i16) -> Result<Vec<u8>, Refusal> {
        let mut wire = Vec::new();
        self.0
            .write_versioned(&mut wire, ApiVersion(Int16(version)))
            .map_err(|error| Refusal::new("WriteVersionedError", error))?;
        Ok(wire)
    }

    fn size(&mut self, _: i16) -> Option<Result<usize, Refusal>> {
        None
    }
}

impl<T: Form> Body for Response<T> {
    fn form(&mut self) -> &mut dyn Form {
        &mut self.0
    }

    fn write(&mut self, _: i16) -> Result<Vec<u8>, Refusal> {
        Err(Refusal::new("Unwritten", "a client writes no responses"))
    }

    fn size(&mut self, _: i16) -> Option<Result<usize, Refusal>> {
        None
    }
}
