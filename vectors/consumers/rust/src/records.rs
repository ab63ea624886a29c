//! Record batches. Offsets and timestamps are added up in this crate, so they are in what is compared, too.

use crate::codec::{Decoded, Outcome};
use crate::hex;
use crate::json::Json;
use bytes::Bytes;
use kafka_protocol::records::{Record, RecordBatchDecoder};

/// Between two records: what the child process prints is one line.
const SEPARATOR: char = '\u{1e}';
const MESSAGE_SETS: &str = "are unsupported";

/// Reads a whole field. The crate cannot be told to write a batch as it was, so nothing is written again.
pub fn decode(mut wire: Bytes) -> Outcome {
    let whole = wire.clone();
    match RecordBatchDecoder::decode_all(&mut wire) {
        Err(error) if error.root_cause().to_string().ends_with(MESSAGE_SETS) => {
            Outcome::Unsupported("the crate reads no message sets".into())
        }
        Err(error) => Outcome::Rejected(error.root_cause().to_string()),
        Ok(sets) => Outcome::Decoded(Decoded {
            consumed: whole.len() - wire.len(),
            encoded: Ok(whole.to_vec()),
            debug: lines(sets.iter().flat_map(|set| &set.records).map(shown)),
        }),
    }
}

/// What is to be read, in the same form; nothing if this is not the value of a field of records.
pub fn expected(value: &Json) -> Option<String> {
    let batches = value.get("batches")?.list();
    Some(lines(batches.iter().flat_map(|batch| {
        batch
            .get("records")
            .map_or(&[][..], Json::list)
            .iter()
            .map(move |record| stated(batch, record))
    })))
}

/// Where two forms differ.
pub fn difference(expected: &str, seen: &str) -> Option<String> {
    let (expected, seen) = (split(expected), split(seen));
    let pairs = expected.iter().zip(&seen).enumerate();
    let differing = pairs.filter(|(_, (expected, seen))| expected != seen);
    let first = differing
        .map(|(index, (expected, seen))| format!("record {index}: {seen} instead of {expected}"))
        .next();
    let counts = (expected.len(), seen.len());
    first.or_else(|| (counts.0 != counts.1).then(|| format!("{} records instead of {}", counts.1, counts.0)))
}

fn lines(records: impl Iterator<Item = String>) -> String {
    records.map(|record| format!("{record}{SEPARATOR}")).collect()
}

fn split(records: &str) -> Vec<&str> {
    records.split_terminator(SEPARATOR).collect()
}

fn shown(record: &Record) -> String {
    let headers = record.headers.iter();
    let headers = headers.map(|(key, value)| (key.to_string(), optional(value.as_deref())));
    let (key, value) = (optional(record.key.as_deref()), optional(record.value.as_deref()));
    line(record.offset, record.timestamp, &key, &value, headers.collect())
}

fn stated(batch: &Json, record: &Json) -> String {
    let number = |object: &Json, name| {
        object
            .get(name)
            .and_then(Json::text)
            .and_then(|text| text.parse::<i64>().ok())
    };
    let sum = |base, delta| {
        number(batch, base)
            .unwrap_or(0)
            .wrapping_add(number(record, delta).unwrap_or(0))
    };
    let timestamp = match batch.get("timestampType").and_then(Json::text) {
        Some("log-append") => number(batch, "maxTimestamp").unwrap_or(0),
        _ => sum("baseTimestamp", "timestampDelta"),
    };
    let text = |json: Option<&Json>| json.and_then(Json::text).unwrap_or("null").to_string();
    let headers = record.get("headers").map_or(&[][..], Json::list).iter();
    let headers = headers.map(|pair| (text(pair.list().first()), text(pair.list().get(1))));
    let (key, value) = (text(record.get("key")), text(record.get("value")));
    line(
        sum("baseOffset", "offsetDelta"),
        timestamp,
        &key,
        &value,
        headers.collect(),
    )
}

fn line(offset: i64, timestamp: i64, key: &str, value: &str, headers: Vec<(String, String)>) -> String {
    format!("{offset} {timestamp} {key} {value} {headers:?}")
}

fn optional(bytes: Option<&[u8]>) -> String {
    bytes.map_or_else(|| "null".into(), hex::encode)
}
