//! Drives kafrust-protocol, which writes requests and reads responses.

#[path = "../bridge/mod.rs"]
mod bridge;
mod dispatch;
mod forms;

use bridge::{serve, Body, Entry, Failure, Form, Library, Refusal};
use kafrust_protocol::codec::Decoder;
use kafrust_protocol::Error;

counting_allocator!();

fn main() -> std::io::Result<()> {
    serve(Library {
        name: "kafrust-protocol",
        version: dispatch::VERSION,
        capabilities: &[],
        claims: || serde_json::Value::Null,
        entries: dispatch::entries,
        header_version: |_, _, _| Err(Failure::Unsupported("the library names no header".into())),
        records: None,
        primitives: None,
    })
}

/// A request at its version, which writes its own header before the body.
struct Request<T> {
    value: T,
    write: fn(&T) -> Result<Vec<u8>, Error>,
    header: usize,
}

/// A response at its version.
struct Response<T>(T);

/// The entry of a request, with the size of the header that it writes when there is no client id.
fn request<T: Form>(message: &'static str, version: i16, new: fn() -> Box<dyn Body>) -> Entry {
    Entry {
        message,
        first: version,
        last: version,
        kind: T::kind,
        new: Some(new),
        read: None,
    }
}

type Read = fn(Vec<u8>, i16) -> Result<(Box<dyn Body>, usize), Refusal>;

fn response<T: Form>(message: &'static str, version: i16, read: Read) -> Entry {
    Entry {
        message,
        first: version,
        last: version,
        kind: T::kind,
        new: None,
        read: Some(read),
    }
}

fn read<T: Form>(
    wire: &[u8],
    decode: fn(&mut Decoder<'_>) -> Result<T, Error>,
) -> Result<(Box<dyn Body>, usize), Refusal> {
    let mut decoder = Decoder::new(wire);
    let value = decode(&mut decoder).map_err(refusal)?;
    Ok((Box::new(Response(value)), decoder.position()))
}

impl<T: Form> Body for Request<T> {
    fn form(&mut self) -> &mut dyn Form {
        &mut self.value
    }

    fn write(&mut self, version: i16) -> Result<Vec<u8>, Refusal> {
        let mut wire = (self.write)(&self.value).map_err(refusal)?;
        if wire.len() < self.header || wire[2..4] != version.to_be_bytes() {
            return Err(Refusal::new("Header", "another header is before the body"));
        }
        Ok(wire.split_off(self.header))
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
        unreachable!("the library writes no responses")
    }

    fn size(&mut self, _: i16) -> Option<Result<usize, Refusal>> {
        None
    }
}

fn refusal(error: Error) -> Refusal {
    Refusal::new("kafrust_protocol::Error", error)
}
