//! The library's own schema, in the words of Kafka's definition files.

use super::definition::{Field, Message};
use super::hello::Offer;
use super::kind::{Kind, Shape};
use super::lining::line_up;
use super::Entry;
use serde_json::{json, Map, Value};

/// A field of the library over all versions, or one of the definition that it lacks.
#[derive(Default)]
struct Described {
    name: Option<String>,
    own: Option<&'static str>,
    kind: String,
    versions: Vec<i16>,
    /// Those in which the definition has the field; the others are told as missing.
    defined: Vec<i16>,
    nullable: Vec<i16>,
    fields: Vec<Described>,
}

/// Every message of the release that the library has.
pub fn describe(offer: &Offer) -> Value {
    let messages = offer.release.messages.values().filter_map(|message| {
        let entries: Vec<&Entry> = offer
            .entries
            .iter()
            .filter(|entry| entry.message == message.name)
            .collect();
        (!entries.is_empty()).then(|| (message.name.clone(), described(message, &entries)))
    });
    Value::Object(messages.collect())
}

fn described(message: &Message, entries: &[&Entry]) -> Value {
    let (mut fields, mut versions) = (Vec::new(), Vec::new());
    for entry in entries {
        for version in entry.first..=entry.last {
            versions.push(version);
            if let Kind::Struct(shape) = (entry.kind)().plain() {
                add(&mut fields, message, &message.fields, shape, version);
            }
        }
    }
    json!({"versions": ranges(&versions), "fields": shown(fields)})
}

fn add(described: &mut Vec<Described>, message: &Message, fields: &[Field], shape: &'static Shape, version: i16) {
    let pairs = line_up(fields, shape, version);
    for (index, slot) in shape.slots.iter().enumerate().filter(|(_, slot)| slot.is_in(version)) {
        let field = pairs.iter().position(|pair| *pair == Some(index)).map(|at| &fields[at]);
        let kind = (slot.kind)();
        let at = place(described, slot.name);
        let known = &mut described[at];
        known.name = field.map(|field| field.name.clone());
        known.kind = type_name(&kind, field);
        known.versions.push(version);
        if matches!(kind, Kind::Nullable(_)) {
            known.nullable.push(version);
        }
        if let Kind::Struct(inner) = kind.element() {
            add(
                &mut known.fields,
                message,
                field.map_or(&[], |field| message.fields_of(field)),
                inner,
                version,
            );
        }
    }
    for (field, _) in fields.iter().zip(&pairs).filter(|(_, pair)| pair.is_none()) {
        if field.versions.contain(version) && message.valid_versions.contain(version) {
            lack(described, field, version);
        }
    }
}

fn place(described: &mut Vec<Described>, own: &'static str) -> usize {
    described
        .iter()
        .position(|known| known.own == Some(own))
        .unwrap_or_else(|| {
            described.push(Described {
                own: Some(own),
                ..Described::default()
            });
            described.len() - 1
        })
}

fn lack(described: &mut Vec<Described>, field: &Field, version: i16) {
    match described
        .iter_mut()
        .find(|known| known.name.as_deref() == Some(&field.name))
    {
        Some(known) => known.defined.push(version),
        None => described.push(Described {
            name: Some(field.name.clone()),
            defined: vec![version],
            ..Described::default()
        }),
    }
}

fn shown(fields: Vec<Described>) -> Vec<Value> {
    let present = fields
        .into_iter()
        .filter(|field| field.own.is_some() || !field.defined.is_empty());
    present.map(field_shown).collect()
}

fn field_shown(field: Described) -> Value {
    let mut members = Map::new();
    if let Some(name) = field.name {
        members.insert("name".into(), json!(name));
    }
    members.insert("own".into(), json!(field.own));
    if field.own.is_some() {
        members.insert("type".into(), json!(field.kind));
        members.insert("versions".into(), json!(ranges(&field.versions)));
        if field.nullable.is_empty() {
            members.insert("nullableVersions".into(), json!("none"));
        }
        if !field.fields.is_empty() {
            members.insert("fields".into(), json!(shown(field.fields)));
        }
    }
    Value::Object(members)
}

/// The type as a definition names it. Structs have the definition's name: those of libraries are their own.
pub fn type_name(kind: &Kind, field: Option<&Field>) -> String {
    match kind.plain() {
        Kind::Array(inner) => format!("[]{}", type_name(inner, field)),
        Kind::Struct(_) => "struct".into(),
        Kind::Scalar("bytes") if field.is_some_and(|field| field.element() == "records") => "records".into(),
        Kind::Scalar(name) => (*name).into(),
        Kind::Nullable(_) => unreachable!("plain kinds are not nullable"),
    }
}

/// Versions as a definition writes them: the first and the last.
fn ranges(versions: &[i16]) -> String {
    match (versions.iter().min(), versions.iter().max()) {
        (Some(first), Some(last)) if first == last => first.to_string(),
        (Some(first), Some(last)) => format!("{first}-{last}"),
        _ => "none".into(),
    }
}
