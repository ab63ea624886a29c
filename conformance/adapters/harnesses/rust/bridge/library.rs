//! What a program says of the library that it drives.

use super::{Failure, Form, Kind, Refusal};
use serde_json::Value;

pub struct Library {
    /// As reports show it.
    pub name: &'static str,
    pub version: &'static str,
    pub capabilities: &'static [&'static str],
    /// Further words of `hello`: an object with `limits`, `hidden`, `notes` or `representations`.
    pub claims: fn() -> Value,
    pub entries: fn() -> Vec<Entry>,
    /// The version of the header: direction, API key, version; None: the library does not say.
    pub header_version: fn(&str, i16, i16) -> Result<i16, Failure>,
    pub records: Option<Records>,
    pub primitives: Option<Primitives>,
}

/// In place of a number of bytes of a body: the library does not say how many it took.
pub const NOT_COUNTED: usize = usize::MAX;

/// A message, at the versions that one Rust type has.
pub struct Entry {
    pub message: &'static str,
    pub first: i16,
    pub last: i16,
    pub kind: fn() -> Kind,
    /// A value with the library's defaults; None: the library does not write the message.
    pub new: Option<fn() -> Box<dyn Body>>,
    /// The value, and the bytes that it took, or `NOT_COUNTED`; None: the library does not read the message.
    pub read: Option<fn(Vec<u8>, i16) -> Result<(Box<dyn Body>, usize), Refusal>>,
}

/// A value of a message.
pub trait Body {
    fn form(&mut self) -> &mut dyn Form;
    fn write(&mut self, version: i16) -> Result<Vec<u8>, Refusal>;
    /// The size that the library announces; None: it announces none.
    fn size(&mut self, version: i16) -> Option<Result<usize, Refusal>>;
}

/// The batches of a records field.
pub struct Records {
    /// What is not shown, in the words of the bridge.
    pub claims: fn() -> Value,
    pub encode: fn(&Value) -> Result<Vec<u8>, Failure>,
    pub decode: fn(Vec<u8>) -> Result<(Value, usize), Failure>,
}

/// Values of single wire types, by their names in the bridge.
pub struct Primitives {
    pub encode: fn(&str, &Value) -> Result<Vec<u8>, Failure>,
    /// The JSON form, and the bytes that it took.
    pub decode: fn(&str, Vec<u8>) -> Result<(Vec<u8>, usize), Failure>,
}
