//! One request on each line of standard input, one reply on each line of standard output.

use super::describe::describe;
use super::form::quote;
use super::guard::{guard, own, quiet_panics};
use super::hello::{Offer, PROTOCOL};
use super::library::NOT_COUNTED;
use super::session::{need_api, need_text, reply_with_wire, wire, Members, Session};
use super::{frames, hex, Failure, Library};
use serde_json::{json, Value};
use std::io::{stdin, stdout, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

const BUFFER: usize = 1 << 16;

/// Answer requests until the input ends. Replies are held back only while further requests are at hand.
pub fn serve(library: Library) -> std::io::Result<()> {
    quiet_panics();
    let mut session = Session { library, offer: None };
    let (mut requests, mut replies) = (
        BufReader::with_capacity(BUFFER, stdin()),
        BufWriter::with_capacity(BUFFER, stdout()),
    );
    let mut line = Vec::new();
    loop {
        if requests.buffer().is_empty() {
            replies.flush()?;
        }
        line.clear();
        if requests.read_until(b'\n', &mut line)? == 0 {
            return replies.flush();
        }
        if !line.trim_ascii().is_empty() {
            replies.write_all(&session.answer(&line))?;
            replies.write_all(b"\n")?;
        }
    }
}

impl Session {
    fn answer(&mut self, line: &[u8]) -> Vec<u8> {
        let request = match serde_json::from_slice(line) {
            Ok(Value::Object(request)) => request,
            Ok(_) => return refused(&Value::Null, Failure::Protocol("the line is no object".into())),
            Err(error) => {
                return refused(
                    &Value::Null,
                    Failure::Protocol(format!("the line is no request: {error}")),
                )
            }
        };
        let id = request.get("id").cloned().unwrap_or(Value::Null);
        if id.as_u64().is_none() {
            return refused(&Value::Null, Failure::Protocol("the request has no id".into()));
        }
        let begin = format!("{{\"id\":{id},\"outcome\":").into_bytes();
        match own(|| self.perform(request, line.len(), begin)) {
            Ok(reply) => reply,
            Err(failure) => refused(&id, failure),
        }
    }

    fn perform(&mut self, request: Members, size: usize, reply: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let op = need_text(&request, "op")?;
        if op == "hello" {
            return self.hello(&request);
        }
        if !["describe", "encode", "decode", "size"].contains(&op) && !self.offers(op) {
            return Err(Failure::Unsupported(format!("the harness has no operation {op:?}")));
        }
        if self.offer.is_none() {
            return Err(Failure::Protocol("the first request is hello".into()));
        }
        match op {
            "describe" => Ok(reply_with_value(reply, &describe(self.offer()))),
            "encode" => self.encode(&request, size, reply),
            "decode" => self.decode(&request, reply),
            "size" => self.size(&request, size, reply),
            "header-version" => self.header_version(&request, reply),
            "encode-frame" => frames::encode(self, &request, size, reply),
            "decode-frame" => frames::decode(self, &request, reply),
            "encode-records" => self.encode_records(&request, size, reply),
            "decode-records" => self.decode_records(&request, reply),
            "encode-primitive" => self.encode_primitive(&request, size, reply),
            _ => self.decode_primitive(&request, reply),
        }
    }

    fn offers(&self, op: &str) -> bool {
        match op {
            "header-version" | "encode-frame" | "decode-frame" => true,
            "encode-records" | "decode-records" => self.library.records.is_some(),
            "encode-primitive" | "decode-primitive" => self.library.primitives.is_some(),
            _ => false,
        }
    }

    fn hello(&mut self, request: &Members) -> Result<Vec<u8>, Failure> {
        let protocol = request.get("protocol").and_then(Value::as_i64);
        let mut reply = match protocol {
            None => return Err(Failure::Protocol("the request has no protocol".into())),
            Some(PROTOCOL) => {
                let folder = need_text(request, "definitions")?;
                let offer = Offer::of(&self.library, Path::new(folder)).map_err(Failure::Protocol)?;
                let reply = offer.reply(&self.library);
                self.offer = Some(offer);
                reply
            }
            Some(other) => {
                let text = format!("the harness does not speak version {other} of the protocol");
                let mut reply = Members::new();
                reply.insert("outcome".into(), json!("protocol-error"));
                reply.insert("text".into(), json!(text));
                reply.insert("protocols".into(), json!([PROTOCOL]));
                reply
            }
        };
        reply.insert("id".into(), request["id"].clone());
        Ok(Value::Object(reply).to_string().into_bytes())
    }

    fn encode(&self, request: &Members, size: usize, mut reply: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let (version, entry, plan) = self.codec(request)?;
        let mut body = self.made(entry, plan, request.get("value"))?;
        let wire = guard(size, || Ok(body.write(version)?))?;
        let announced = body.size(version).and_then(Result::ok);
        reply.extend(b"\"bytes\",\"wire\":");
        hex::quote(&mut reply, &wire);
        if let Some(announced) = announced {
            reply.extend(format!(",\"size\":{announced}").bytes());
        }
        reply.push(b'}');
        Ok(reply)
    }

    fn decode(&self, request: &Members, mut reply: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let (version, entry, plan) = self.codec(request)?;
        let (mut body, consumed) = self.read(entry, version, wire(request)?)?;
        reply.extend(b"\"value\",\"value\":");
        body.form().show(plan, &mut reply);
        let counted = (consumed != NOT_COUNTED).then_some(consumed);
        reply.extend(format!(",\"consumed\":{}}}", json!(counted)).bytes());
        Ok(reply)
    }

    fn size(&self, request: &Members, size: usize, reply: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let (version, entry, plan) = self.codec(request)?;
        let mut body = self.made(entry, plan, request.get("value"))?;
        let announced = guard(size, || body.size(version).transpose().map_err(Failure::Rejected))?;
        let none = || Failure::Unsupported(format!("{} announces no size", self.library.name));
        Ok(reply_with_value(reply, &json!(announced.ok_or_else(none)?)))
    }

    fn header_version(&self, request: &Members, reply: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let (direction, key, version) = need_api(request)?;
        let header = guard(0, || (self.library.header_version)(direction, key, version))?;
        Ok(reply_with_value(reply, &json!(header)))
    }

    fn encode_records(&self, request: &Members, size: usize, reply: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let records = self.library.records.as_ref().expect("it offers them");
        let value = request.get("value").unwrap_or(&Value::Null);
        Ok(reply_with_wire(reply, &guard(size, || (records.encode)(value))?))
    }

    fn decode_records(&self, request: &Members, reply: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let records = self.library.records.as_ref().expect("it offers them");
        let wire = wire(request)?;
        let (value, consumed) = guard(wire.len(), || (records.decode)(wire))?;
        Ok(reply_with_consumed(reply, value.to_string().as_bytes(), consumed))
    }

    fn encode_primitive(&self, request: &Members, size: usize, reply: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let primitives = self.library.primitives.as_ref().expect("it offers them");
        let (name, value) = (
            need_text(request, "name")?,
            request.get("value").unwrap_or(&Value::Null),
        );
        Ok(reply_with_wire(
            reply,
            &guard(size, || (primitives.encode)(name, value))?,
        ))
    }

    fn decode_primitive(&self, request: &Members, reply: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let primitives = self.library.primitives.as_ref().expect("it offers them");
        let (name, wire) = (need_text(request, "name")?, wire(request)?);
        let (value, consumed) = guard(wire.len(), || (primitives.decode)(name, wire))?;
        Ok(reply_with_consumed(reply, &value, consumed))
    }
}

fn reply_with_value(mut reply: Vec<u8>, value: &Value) -> Vec<u8> {
    reply.extend(format!("\"value\",\"value\":{value}}}").bytes());
    reply
}

fn reply_with_consumed(mut reply: Vec<u8>, value: &[u8], consumed: usize) -> Vec<u8> {
    reply.extend(b"\"value\",\"value\":");
    reply.extend(value);
    reply.extend(format!(",\"consumed\":{consumed}}}").bytes());
    reply
}

fn refused(id: &Value, failure: Failure) -> Vec<u8> {
    let mut reply = format!("{{\"id\":{id},\"outcome\":").into_bytes();
    let refusal = match &failure {
        Failure::Rejected(refusal) => Some((refusal.class, refusal.reason)),
        _ => None,
    };
    let (outcome, text) = failure.outcome();
    quote(&mut reply, outcome);
    reply.extend(b",\"text\":");
    quote(&mut reply, &text);
    if let Some((class, reason)) = refusal {
        reply.extend(b",\"class\":");
        quote(&mut reply, class);
        if let Some(reason) = reason {
            reply.extend(b",\"reason\":");
            quote(&mut reply, reason);
        }
    }
    reply.push(b'}');
    reply
}
