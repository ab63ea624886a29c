//! The whole idea on one message: `cargo run --release --example end_txn`, with what vectors/README.md shows.

#![allow(dead_code)] // Not all of the two modules is used here.

use bytes::{Bytes, BytesMut};
use json::Json;
use kafka_protocol::messages::EndTxnRequest;
use kafka_protocol::protocol::{Decodable, Encodable};

#[path = "../src/hex.rs"]
mod hex;
#[path = "../src/json.rs"]
mod json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = Json::parse(&std::fs::read_to_string("../../4.3.0/messages/EndTxnRequest.json")?)?;
    for group in file.get("groups").ok_or("no groups")?.list() {
        let version: i16 = group.get("version").and_then(Json::text).ok_or("no version")?.parse()?;
        for vector in group.get("vectors").ok_or("no vectors")?.list() {
            let text = |name| vector.get(name).and_then(Json::text);
            let mut wire = Bytes::from(hex::decode(text("wire").ok_or("no wire")?)?);
            let sound = match (text("result"), EndTxnRequest::decode(&mut wire, version)) {
                (Some("valid"), Ok(message)) => {
                    let mut written = BytesMut::new();
                    message.encode(&mut written, version)?;
                    wire.is_empty() && text("canonical").or(text("wire")) == Some(&hex::encode(&written))
                }
                (Some("invalid"), decoded) => decoded.is_err(),
                (result, _) => result == Some("unspecified"),
            };
            if !sound {
                println!("EndTxnRequest/v{version}/{}", text("id").unwrap_or_default());
            }
        }
    }
    Ok(())
}
