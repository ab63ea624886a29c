//! Record batches, as the library's producer writes and its consumer reads them.

use crate::bridge::form::{bytes, number, text, unfit};
use crate::bridge::{hex, Failure, Refusal};
use rskafka::protocol::primitives::Records;
use rskafka::protocol::record::*;
use rskafka::protocol::traits::{ReadType, WriteType};
use serde_json::{json, Value};
use std::io::Cursor;

const SIZE: usize = 4;
const CODECS: [(&str, RecordBatchCompression); 5] = [
    ("none", RecordBatchCompression::NoCompression),
    ("gzip", RecordBatchCompression::Gzip),
    ("snappy", RecordBatchCompression::Snappy),
    ("lz4", RecordBatchCompression::Lz4),
    ("zstd", RecordBatchCompression::Zstd),
];

pub fn claims() -> Value {
    json!({
        "legacy-message-sets": "no",
        "partial-tail": "dropped",
        "hidden": ["attributes", "unusedAttributes", "deleteHorizon"],
    })
}

pub fn decode(wire: Vec<u8>) -> Result<(Value, usize), Failure> {
    let mut field = (wire.len() as i32).to_be_bytes().to_vec();
    field.extend(wire);
    let mut reader = Cursor::new(field);
    let records = Records::read(&mut reader).map_err(|error| Refusal::new("ReadError", error))?;
    let batches: Vec<Value> = records.0.iter().map(shown).collect();
    Ok((json!({ "batches": batches }), reader.position() as usize - SIZE))
}

fn shown(batch: &RecordBatch) -> Value {
    let codec = CODECS.iter().find(|(_, codec)| *codec == batch.compression);
    let (control, records) = match &batch.records {
        ControlBatchOrRecords::ControlBatch(record) => (true, vec![shown_control(*record)]),
        ControlBatchOrRecords::Records(records) => (false, records.iter().map(shown_record).collect()),
    };
    json!({
        "magic": 2,
        "baseOffset": batch.base_offset.to_string(),
        "partitionLeaderEpoch": batch.partition_leader_epoch,
        "compression": codec.map(|(name, _)| name),
        "timestampType": match batch.timestamp_type {
            RecordBatchTimestampType::CreateTime => "create",
            RecordBatchTimestampType::LogAppendTime => "log-append",
        },
        "transactional": batch.is_transactional,
        "control": control,
        "lastOffsetDelta": batch.last_offset_delta,
        "baseTimestamp": batch.first_timestamp.to_string(),
        "maxTimestamp": batch.max_timestamp.to_string(),
        "producerId": batch.producer_id.to_string(),
        "producerEpoch": batch.producer_epoch,
        "baseSequence": batch.base_sequence,
        "records": records,
    })
}

/// The record of a control batch, of which the library keeps the type alone.
fn shown_control(record: ControlBatchRecord) -> Value {
    let kind = match record {
        ControlBatchRecord::Abort => 0,
        ControlBatchRecord::Commit => 1,
    };
    json!({ "timestampDelta": "0", "offsetDelta": 0, "key": quoted(&[0, 0, 0, kind]), "value": null, "headers": [] })
}

fn shown_record(record: &Record) -> Value {
    let headers: Vec<Value> = record
        .headers
        .iter()
        .map(|header| json!([header.key, quoted(&header.value)]))
        .collect();
    json!({
        "timestampDelta": record.timestamp_delta.to_string(),
        "offsetDelta": record.offset_delta,
        "key": record.key.as_deref().map(quoted),
        "value": record.value.as_deref().map(quoted),
        "headers": headers,
    })
}

fn quoted(data: &[u8]) -> Value {
    let mut out = Vec::new();
    hex::quote(&mut out, data);
    serde_json::from_slice(&out).expect("quoted hex is JSON")
}

pub fn encode(value: &Value) -> Result<Vec<u8>, Failure> {
    if value["partial"].as_str().is_some_and(|partial| !partial.is_empty()) {
        return Err(Failure::unrepresentable("no part of a batch is written").under("partial"));
    }
    let none = || Failure::Protocol("records are an object with an array of batches".into());
    let batches = value["batches"].as_array().ok_or_else(none)?;
    let records = each(batches, batch).map_err(|failure| failure.under("batches"))?;
    let mut wire = Vec::new();
    Records(records)
        .write(&mut wire)
        .map_err(|error| Refusal::new("WriteError", error))?;
    Ok(wire.split_off(SIZE))
}

fn each<T>(values: &[Value], make: fn(&Value) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
    let made = values.iter().enumerate();
    made.map(|(index, value)| make(value).map_err(|failure| failure.under(&format!("[{index}]"))))
        .collect()
}

fn batch(value: &Value) -> Result<RecordBatch, Failure> {
    let codec = CODECS.iter().find(|(name, _)| value["compression"] == *name);
    let (_, compression) = *codec.ok_or_else(|| Failure::Unsupported(format!("codec {}", value["compression"])))?;
    if value["magic"] != 2 {
        return Err(Failure::Unsupported("message sets".into()));
    }
    for name in ["control", "deleteHorizon"] {
        only(value, name, &json!(false))?;
    }
    only(value, "unusedAttributes", &json!(0))?;
    let list = value["records"]
        .as_array()
        .ok_or_else(|| unfit("an array", &value["records"]).under("records"))?;
    Ok(RecordBatch {
        base_offset: fit(value, "baseOffset")?,
        partition_leader_epoch: fit(value, "partitionLeaderEpoch")?,
        last_offset_delta: fit(value, "lastOffsetDelta")?,
        first_timestamp: fit(value, "baseTimestamp")?,
        max_timestamp: fit(value, "maxTimestamp")?,
        producer_id: fit(value, "producerId")?,
        producer_epoch: fit(value, "producerEpoch")?,
        base_sequence: fit(value, "baseSequence")?,
        records: ControlBatchOrRecords::Records(each(list, record).map_err(|failure| failure.under("records"))?),
        compression,
        is_transactional: value["transactional"] == true,
        timestamp_type: timestamp_type(value).map_err(|failure| failure.under("timestampType"))?,
    })
}

fn timestamp_type(value: &Value) -> Result<RecordBatchTimestampType, Failure> {
    match value["timestampType"].as_str() {
        Some("create") => Ok(RecordBatchTimestampType::CreateTime),
        Some("log-append") => Ok(RecordBatchTimestampType::LogAppendTime),
        _ => Err(Failure::unrepresentable("there are two types of timestamp")),
    }
}

fn record(value: &Value) -> Result<Record, Failure> {
    only(value, "attributes", &json!(0))?;
    let list = value["headers"]
        .as_array()
        .ok_or_else(|| unfit("an array", &value["headers"]).under("headers"))?;
    Ok(Record {
        timestamp_delta: fit(value, "timestampDelta")?,
        offset_delta: fit(value, "offsetDelta")?,
        key: optional(&value["key"]).map_err(|failure| failure.under("key"))?,
        value: optional(&value["value"]).map_err(|failure| failure.under("value"))?,
        headers: each(list, header).map_err(|failure| failure.under("headers"))?,
    })
}

fn header(pair: &Value) -> Result<RecordHeader, Failure> {
    if pair[0].is_object() {
        return Err(Failure::unrepresentable("keys are valid Unicode"));
    }
    Ok(RecordHeader {
        key: text(&pair[0])?.to_owned(),
        value: bytes(&pair[1])?,
    })
}

fn only(value: &Value, name: &str, constant: &Value) -> Result<(), Failure> {
    match value[name] == *constant {
        true => Ok(()),
        false => Err(Failure::unrepresentable(format!("the library writes {constant}")).under(name)),
    }
}

fn fit<T: TryFrom<i128>>(object: &Value, name: &str) -> Result<T, Failure> {
    let fitting = number(&object[name], name)
        .map(T::try_from)
        .map_err(|failure| failure.under(name))?;
    fitting.map_err(|_| Failure::unrepresentable("the number is beyond its type").under(name))
}

fn optional(value: &Value) -> Result<Option<Vec<u8>>, Failure> {
    match value {
        Value::Null => Ok(None),
        value => Ok(Some(bytes(value)?)),
    }
}
