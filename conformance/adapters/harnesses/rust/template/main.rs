//! A harness: one message, written by hand, and a place for a codec of your own.

mod bridge;

use bridge::{serve, Body, Entry, Failure, Form, Library, Refusal};

counting_allocator!();

fn main() -> std::io::Result<()> {
    serve(Library {
        name: "my-codec",
        version: "1.0.0",
        capabilities: &["partial-values"], // values may leave fields out; not if your structs have no defaults
        claims: || serde_json::json!({}), // as {"limits": {"tags": 64}, "hidden": {}, "notes": [], "representations": []}
        entries,
        header_version: |_, key, _| Err(Failure::Unsupported(format!("the headers of API {key}"))),
        records: None,
        primitives: None,
    })
}

/// Your messages: each with its versions, or one entry for each version where each has a type of its own. Fields are
/// lined up with the definitions at the start: by name, then by order and type. What does not fit is noted.
fn entries() -> Vec<Entry> {
    vec![Entry {
        message: "HeartbeatRequest",
        first: 0,
        last: 0,
        kind: HeartbeatRequest::kind,
        new: Some(|| Box::new(HeartbeatRequest::default())),
        // the number of bytes that the library took; `bridge::library::NOT_COUNTED` if it does not tell
        read: Some(|wire, _version| {
            HeartbeatRequest::read(&wire).map(|(value, size)| (Box::new(value) as Box<dyn Body>, size))
        }),
    }]
}

// -- YOUR CODEC goes here, in place of this message by hand. ------------------------------------------------------------

#[derive(Default)]
struct HeartbeatRequest {
    group_id: String,
    generation_id: i32,
    member_id: String,
}

// The fields by number, each with the versions that have it ("": all of the entry). A last word names the field that
// keeps unknown tagged fields, which has to implement `bridge::Tags`.
structure!(HeartbeatRequest, {0 group_id "" 1 generation_id "" 2 member_id ""},);

impl HeartbeatRequest {
    fn read(wire: &[u8]) -> Result<(HeartbeatRequest, usize), Refusal> {
        let mut rest = wire;
        let value = HeartbeatRequest {
            group_id: read_string(&mut rest)?,
            generation_id: i32::from_be_bytes(take(&mut rest, 4)?.try_into().expect("four bytes")),
            member_id: read_string(&mut rest)?,
        };
        Ok((value, wire.len() - rest.len()))
    }
}

impl Body for HeartbeatRequest {
    fn form(&mut self) -> &mut dyn Form {
        self
    }

    fn write(&mut self, _version: i16) -> Result<Vec<u8>, Refusal> {
        let mut wire = Vec::new();
        write_string(&mut wire, &self.group_id)?;
        wire.extend(self.generation_id.to_be_bytes());
        write_string(&mut wire, &self.member_id)?;
        Ok(wire)
    }

    fn size(&mut self, _version: i16) -> Option<Result<usize, Refusal>> {
        None
    }
}

fn take<'a>(rest: &mut &'a [u8], size: usize) -> Result<&'a [u8], Refusal> {
    let (taken, left) = rest
        .split_at_checked(size)
        .ok_or_else(|| Refusal::new("Truncated", "too few bytes"))?;
    *rest = left;
    Ok(taken)
}

fn read_string(rest: &mut &[u8]) -> Result<String, Refusal> {
    let size = i16::from_be_bytes(take(rest, 2)?.try_into().expect("two bytes"));
    let size = usize::try_from(size).map_err(|error| Refusal::new("BadLength", error))?;
    String::from_utf8(take(rest, size)?.to_vec()).map_err(|error| Refusal::new("BadText", error))
}

fn write_string(wire: &mut Vec<u8>, text: &str) -> Result<(), Refusal> {
    let size = i16::try_from(text.len()).map_err(|error| Refusal::new("TooLong", error))?;
    wire.extend(size.to_be_bytes());
    wire.extend(text.bytes());
    Ok(())
}
