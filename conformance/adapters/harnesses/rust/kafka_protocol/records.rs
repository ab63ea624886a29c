//! Record batches, by the crate's encoder and decoder, which know records with absolute numbers.

use crate::bridge::form::{bytes, number, text, unfit};
use crate::bridge::Failure;
use crate::refusal;
use bytes::{Buf, Bytes, BytesMut};
use indexmap::IndexMap;
use kafka_protocol::protocol::StrBytes;
use kafka_protocol::records::{
    BatchDecodeInfo, Compression, Record, RecordBatchDecoder, RecordBatchEncoder, RecordEncodeOptions, RecordSet,
    TimestampType,
};
use serde_json::{json, Value};

const CODECS: [(&str, Compression); 5] = [
    ("none", Compression::None),
    ("gzip", Compression::Gzip),
    ("snappy", Compression::Snappy),
    ("lz4", Compression::Lz4),
    ("zstd", Compression::Zstd),
];

/// What is not shown. Offsets and timestamps of records are sums; the deltas are worked out from the batch.
pub fn claims() -> Value {
    json!({
        "legacy-message-sets": "no",
        "hidden": ["attributes", "lastOffsetDelta", "maxTimestamp", "unusedAttributes"],
    })
}

pub fn decode(wire: Vec<u8>) -> Result<(Value, usize), Failure> {
    let mut rest = Bytes::from(wire);
    let (mut headers, size) = (rest.clone(), rest.remaining());
    let sets = RecordBatchDecoder::decode_all(&mut rest).map_err(refusal)?;
    let infos = RecordBatchDecoder::decode_batch_info(&mut headers).map_err(refusal)?;
    let batches: Vec<Value> = infos.iter().zip(&sets).map(|(info, set)| batch(info, set)).collect();
    Ok((json!({"batches": batches, "partial": ""}), size - rest.remaining()))
}

fn batch(info: &BatchDecodeInfo, set: &RecordSet) -> Value {
    let codec = CODECS.iter().find(|(_, codec)| *codec == info.compression);
    let records: Vec<Value> = set.records.iter().map(|record| shown(info, record)).collect();
    json!({
        "magic": info.version,
        "baseOffset": info.min_offset.to_string(),
        "partitionLeaderEpoch": info.partition_leader_epoch,
        "compression": codec.map(|(name, _)| name),
        "timestampType": match info.timestamp_type {
            TimestampType::Creation => "create",
            TimestampType::LogAppend => "log-append",
        },
        "transactional": info.transactional,
        "control": info.control,
        "deleteHorizon": info.delete_horizon,
        "baseTimestamp": info.min_timestamp.to_string(),
        "producerId": info.producer_id.to_string(),
        "producerEpoch": info.producer_epoch,
        "baseSequence": info.base_sequence,
        "records": records,
    })
}

fn shown(info: &BatchDecodeInfo, record: &Record) -> Value {
    let optional = |data: &Option<Bytes>| data.as_ref().map(|data| format!("{data:x}"));
    let headers = record.headers.iter();
    let headers: Vec<Value> = headers
        .map(|(key, value)| json!([key.as_str(), optional(value)]))
        .collect();
    json!({
        "timestampDelta": record.timestamp.wrapping_sub(info.min_timestamp).to_string(),
        "offsetDelta": record.offset.wrapping_sub(info.min_offset),
        "key": optional(&record.key),
        "value": optional(&record.value),
        "headers": headers,
    })
}

pub fn encode(value: &Value) -> Result<Vec<u8>, Failure> {
    if value["partial"].as_str().is_some_and(|partial| !partial.is_empty()) {
        return Err(Failure::unrepresentable("the encoder writes no part of a batch").under("partial"));
    }
    let mut wire = BytesMut::new();
    let none = || Failure::Protocol("records are an object with an array of batches".into());
    let batches = value["batches"].as_array().ok_or_else(none)?;
    for (index, batch) in batches.iter().enumerate() {
        let written = write(&mut wire, batch);
        written.map_err(|failure| failure.under(&format!("[{index}]")).under("batches"))?;
    }
    Ok(wire.into())
}

fn write(wire: &mut BytesMut, batch: &Value) -> Result<(), Failure> {
    let codec = CODECS.iter().find(|(name, _)| batch["compression"] == *name);
    let (_, compression) = codec.ok_or_else(|| Failure::Unsupported(format!("codec {}", batch["compression"])))?;
    let options = RecordEncodeOptions {
        version: fit(batch, "magic")?,
        compression: *compression,
    };
    if options.version != 2 {
        return Err(Failure::Unsupported("the crate has no message sets".into()));
    }
    let records = records(batch)?;
    told(batch, &records)?;
    RecordBatchEncoder::encode(wire, &records, &options).map_err(|error| refusal(error).into())
}

/// The records of a batch, with what they say of it.
fn records(batch: &Value) -> Result<Vec<Record>, Failure> {
    let none = || unfit("an array", &batch["records"]).under("records");
    let records = batch["records"].as_array().ok_or_else(none)?;
    let made = records.iter().enumerate().map(|(index, value)| {
        record(batch, value).map_err(|failure| failure.under(&format!("[{index}]")).under("records"))
    });
    made.collect()
}

fn record(batch: &Value, value: &Value) -> Result<Record, Failure> {
    constant(value, "attributes", 0)?;
    let offset_delta: i32 = fit(value, "offsetDelta")?;
    Ok(Record {
        transactional: flag(batch, "transactional")?,
        control: flag(batch, "control")?,
        delete_horizon: flag(batch, "deleteHorizon")?,
        partition_leader_epoch: fit(batch, "partitionLeaderEpoch")?,
        producer_id: fit(batch, "producerId")?,
        producer_epoch: fit(batch, "producerEpoch")?,
        timestamp_type: match batch["timestampType"].as_str() {
            Some("create") => TimestampType::Creation,
            Some("log-append") => TimestampType::LogAppend,
            _ => return Err(Failure::unrepresentable("it has no such type").under("timestampType")),
        },
        offset: sum(fit(batch, "baseOffset")?, i64::from(offset_delta), "offsetDelta")?,
        sequence: fit::<i32>(batch, "baseSequence")?.wrapping_add(offset_delta),
        timestamp: sum(
            fit(batch, "baseTimestamp")?,
            fit(value, "timestampDelta")?,
            "timestampDelta",
        )?,
        key: optional(&value["key"]).map_err(|failure| failure.under("key"))?,
        value: optional(&value["value"]).map_err(|failure| failure.under("value"))?,
        headers: headers(&value["headers"]).map_err(|failure| failure.under("headers"))?,
    })
}

fn headers(value: &Value) -> Result<IndexMap<StrBytes, Option<Bytes>>, Failure> {
    let mut headers = IndexMap::new();
    for pair in value
        .as_array()
        .ok_or_else(|| Failure::unrepresentable("headers are a map"))?
    {
        let key = match pair[0].is_object() {
            true => return Err(Failure::unrepresentable("keys are valid Unicode")),
            false => StrBytes::from_string(text(&pair[0])?.to_owned()),
        };
        if headers.insert(key, optional(&pair[1])?).is_some() {
            return Err(Failure::unrepresentable("a key occurs twice, and headers are a map"));
        }
    }
    Ok(headers)
}

/// Refuse what the encoder works out itself, where the batch says otherwise.
fn told(batch: &Value, records: &[Record]) -> Result<(), Failure> {
    let offsets = records.iter().map(|record| record.offset);
    let timestamps = records.iter().map(|record| record.timestamp);
    let (Some(first), Some(last)) = (offsets.clone().min(), offsets.max()) else {
        return Err(Failure::unrepresentable("the encoder writes nothing for no records").under("records"));
    };
    constant(batch, "unusedAttributes", 0)?;
    constant(batch, "baseOffset", first.into())?;
    constant(batch, "lastOffsetDelta", i128::from(last) - i128::from(first))?;
    constant(batch, "baseTimestamp", timestamps.clone().min().unwrap_or(0).into())?;
    constant(batch, "maxTimestamp", timestamps.max().unwrap_or(0).into())
}

fn constant(object: &Value, name: &str, wanted: i128) -> Result<(), Failure> {
    match number(&object[name], name)? == wanted {
        true => Ok(()),
        false => Err(Failure::unrepresentable(format!("the encoder writes {wanted}")).under(name)),
    }
}

fn fit<T: TryFrom<i128>>(object: &Value, name: &str) -> Result<T, Failure> {
    let fitting = number(&object[name], name)
        .map(T::try_from)
        .map_err(|failure| failure.under(name))?;
    fitting.map_err(|_| Failure::unrepresentable("the number is beyond its type").under(name))
}

fn flag(batch: &Value, name: &str) -> Result<bool, Failure> {
    batch[name]
        .as_bool()
        .ok_or_else(|| unfit("a bool", &batch[name]).under(name))
}

fn sum(base: i64, delta: i64, name: &str) -> Result<i64, Failure> {
    let beyond = || Failure::unrepresentable("the sum is beyond int64").under(name);
    base.checked_add(delta).ok_or_else(beyond)
}

fn optional(value: &Value) -> Result<Option<Bytes>, Failure> {
    match value {
        Value::Null => Ok(None),
        value => Ok(Some(bytes(value)?.into())),
    }
}
