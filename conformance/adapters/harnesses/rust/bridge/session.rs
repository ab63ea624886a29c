//! A session with a library: what `hello` has lined up, and the values and bytes of further requests.

use super::guard::guard;
use super::hello::Offer;
use super::{hex, Body, Entry, Failure, Library, Plan};
use serde_json::{Map, Value};

/// A request, or a reply without its id.
pub type Members = Map<String, Value>;

pub struct Session {
    pub library: Library,
    pub offer: Option<Offer>,
}

impl Session {
    pub fn offer(&self) -> &Offer {
        self.offer.as_ref().expect("hello comes first")
    }

    /// The version of a message, its entry and its plan.
    pub fn codec(&self, request: &Members) -> Result<(i16, usize, &Plan), Failure> {
        let message = need_text(request, "message")?;
        let version = need_number(request, "version")?;
        self.codec_of(message, version)
    }

    pub fn codec_of(&self, message: &str, version: i64) -> Result<(i16, usize, &Plan), Failure> {
        let found = i16::try_from(version).ok().and_then(|version| {
            let (entry, plan) = self.offer().codecs.get(message)?.get(&version)?;
            Some((version, *entry, plan))
        });
        let missing = || format!("{} has no {message} of version {version}", self.library.name);
        found.ok_or_else(|| Failure::Unsupported(missing()))
    }

    /// The value of a request in the library's type.
    pub fn made(&self, entry: usize, plan: &Plan, value: Option<&Value>) -> Result<Box<dyn Body>, Failure> {
        let entry = &self.offer().entries[entry];
        let new = entry.new.ok_or_else(|| self.lacks("writes", entry))?;
        let mut body = new();
        body.form().set(plan, value.unwrap_or(&Value::Null))?;
        Ok(body)
    }

    pub fn read(&self, entry: usize, version: i16, wire: Vec<u8>) -> Result<(Box<dyn Body>, usize), Failure> {
        let entry = &self.offer().entries[entry];
        let read = entry.read.ok_or_else(|| self.lacks("reads", entry))?;
        guard(wire.len(), || Ok(read(wire, version)?))
    }

    fn lacks(&self, what: &str, entry: &Entry) -> Failure {
        Failure::Unsupported(format!("{} {what} no {}", self.library.name, entry.message))
    }
}

/// The text of a key.
pub fn need_text<'a>(request: &'a Members, key: &str) -> Result<&'a str, Failure> {
    let text = request.get(key).and_then(Value::as_str);
    text.ok_or_else(|| Failure::Protocol(format!("the request has no text {key:?}")))
}

/// The number of a key.
pub fn need_number(request: &Members, key: &str) -> Result<i64, Failure> {
    let number = request.get(key).and_then(Value::as_i64);
    number.ok_or_else(|| Failure::Protocol(format!("the request has no number {key:?}")))
}

/// The direction, API key and version of a request.
pub fn need_api(request: &Members) -> Result<(&str, i16, i16), Failure> {
    let (direction, key) = (need_text(request, "direction")?, need_number(request, "apiKey")?);
    match (i16::try_from(key), i16::try_from(need_number(request, "version")?)) {
        (Ok(key), Ok(version)) => Ok((direction, key, version)),
        _ => Err(Failure::Unsupported("an API key or version beyond int16".into())),
    }
}

/// The bytes of a request.
pub fn wire(request: &Members) -> Result<Vec<u8>, Failure> {
    let digits = need_text(request, "wire")?;
    hex::decode(digits).ok_or_else(|| Failure::Protocol("\"wire\" is not hex".into()))
}

pub fn reply_with_wire(mut reply: Vec<u8>, wire: &[u8]) -> Vec<u8> {
    reply.extend(b"\"bytes\",\"wire\":");
    hex::quote(&mut reply, wire);
    reply.push(b'}');
    reply
}
