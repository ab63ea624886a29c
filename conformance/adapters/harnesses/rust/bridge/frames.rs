//! Whole requests and responses: the size, the library's header in the version that it names, and the body.

use super::guard::guard;
use super::library::NOT_COUNTED;
use super::session::{need_api, need_number, reply_with_wire, wire, Members, Session};
use super::{Failure, Refusal};
use serde_json::{json, Value};

const SIZE: usize = 4;

struct Frame<'a> {
    direction: &'a str,
    key: i16,
    version: i16,
    header: i16,
    header_message: &'static str,
    message: String,
}

fn frame<'a>(session: &Session, request: &'a Members) -> Result<Frame<'a>, Failure> {
    let (direction, key, version) = need_api(request)?;
    let release = &session.offer().release;
    let message = release.api(direction, key).map(|message| message.name.clone());
    let message = message.ok_or_else(|| Failure::Unsupported(format!("the release has no API {key}")))?;
    session.codec_of(&message, version.into())?;
    let header = guard(0, || (session.library.header_version)(direction, key, version))?;
    let header_message = match direction {
        "request" => "RequestHeader",
        _ => "ResponseHeader",
    };
    Ok(Frame {
        direction,
        key,
        version,
        header,
        header_message,
        message,
    })
}

pub fn encode(session: &Session, request: &Members, size: usize, reply: Vec<u8>) -> Result<Vec<u8>, Failure> {
    let frame = frame(session, request)?;
    let mut header = json!({"CorrelationId": need_number(request, "correlationId")?});
    if frame.direction == "request" {
        header["RequestApiKey"] = json!(frame.key);
        header["RequestApiVersion"] = json!(frame.version);
        header["ClientId"] = request.get("clientId").cloned().unwrap_or(Value::Null);
    }
    if let Some(tags) = request
        .get("headerTags")
        .filter(|tags| tags.as_array().is_some_and(|tags| !tags.is_empty()))
    {
        header["_tags"] = tags.clone();
    }
    let (version, entry, plan) = session.codec_of(frame.header_message, frame.header.into())?;
    let mut header = session.made(entry, plan, Some(&header))?;
    let mut bytes = guard(size, || Ok(header.write(version)?))?;
    let (version, entry, plan) = session.codec_of(&frame.message, frame.version.into())?;
    let mut body = session.made(entry, plan, request.get("value"))?;
    bytes.extend(guard(size, || Ok(body.write(version)?))?);
    let mut whole = i32::try_from(bytes.len()).unwrap_or(i32::MAX).to_be_bytes().to_vec();
    whole.append(&mut bytes);
    Ok(reply_with_wire(reply, &whole))
}

/// The first frame of the bytes: what follows it is another one.
fn first_of(mut bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
    let stated = bytes.first_chunk().map(|size| i32::from_be_bytes(*size));
    match stated.map(usize::try_from) {
        Some(Ok(size)) if size <= bytes.len() - SIZE => {
            bytes.truncate(SIZE + size);
            Ok(bytes)
        }
        _ => Err(Refusal::new("FrameSize", "the size is not that of a whole frame").into()),
    }
}

pub fn decode(session: &Session, request: &Members, mut reply: Vec<u8>) -> Result<Vec<u8>, Failure> {
    let frame = frame(session, request)?;
    let mut bytes = first_of(wire(request)?)?;
    let mut rest = bytes.clone();
    let (version, entry, plan) = session.codec_of(frame.header_message, frame.header.into())?;
    let (mut header, consumed) = session.read(entry, version, bytes.split_off(SIZE))?;
    let mut shown = Vec::new();
    header.form().show(plan, &mut shown);
    let header: Value = serde_json::from_slice(&shown).map_err(|error| Failure::form(error.to_string()))?;
    let stated = |name: &str, number: i16| frame.direction != "request" || header[name] == number;
    if !stated("RequestApiKey", frame.key) || !stated("RequestApiVersion", frame.version) {
        return Err(Refusal::new("OtherMessage", "the header has another API key or version").into());
    }
    let (version, entry, plan) = session.codec_of(&frame.message, frame.version.into())?;
    let (mut body, read) = session.read(entry, version, rest.split_off(SIZE + consumed))?;
    reply.extend(b"\"value\",\"value\":");
    body.form().show(plan, &mut reply);
    let (correlation, client) = (&header["CorrelationId"], &header["ClientId"]);
    let tags = header.get("_tags").cloned().unwrap_or(json!([]));
    let around = format!(",\"correlationId\":{correlation},\"clientId\":{client},\"headerTags\":{tags}");
    let counted = (read != NOT_COUNTED).then(|| SIZE + consumed + read);
    reply.extend(format!("{around},\"consumed\":{}}}", json!(counted)).bytes());
    Ok(reply)
}
