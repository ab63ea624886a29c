//! The default of a field in its JSON form: what stands for a tagged field that is not on the wire.

use super::definition::{Field, Message};
use serde_json::{json, Map, Value};

const NIL: &str = "00000000-0000-0000-0000-000000000000";

/// The JSON form of the default that a field has at a version.
pub fn default_of(message: &Message, field: &Field, version: i16) -> Value {
    let stated = stated(field);
    match field.element() {
        _ if stated == "null" => Value::Null,
        _ if field.is_array() => json!([]),
        "bool" => json!(stated == "true"),
        "string" => json!(stated),
        "bytes" | "records" => json!(""),
        "uuid" => json!(NIL),
        "int64" | "uint32" => json!(number(&stated).to_string()),
        "float64" => json!(format!("{:016x}", stated.parse().unwrap_or(0f64).to_bits())),
        _ if field.is_struct() => of_fields(message, message.fields_of(field), version),
        _ => json!(number(&stated)),
    }
}

fn of_fields(message: &Message, fields: &[Field], version: i16) -> Value {
    let present = fields.iter().filter(|field| field.versions.contain(version));
    let members = present.map(|field| (field.name.clone(), default_of(message, field, version)));
    Value::Object(members.collect::<Map<_, _>>())
}

/// What the definition says, as text: it may be a text, a number or a bool there.
fn stated(field: &Field) -> String {
    match &field.default {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn number(stated: &str) -> i64 {
    match stated.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).unwrap_or(0),
        None => stated.parse().unwrap_or(0),
    }
}
