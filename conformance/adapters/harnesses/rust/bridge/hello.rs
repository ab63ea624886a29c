//! The reply to hello: what of the library fits the definitions of a release.

use super::definition::{Message, Release};
use super::plan::{Difference, Plan};
use super::{Entry, Library};
use serde_json::{json, Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

pub const PROTOCOL: i64 = 1;

/// What is offered: for each message and version the entry, and how it is lined up.
pub struct Offer {
    pub release: Release,
    pub entries: Vec<Entry>,
    pub codecs: HashMap<String, HashMap<i16, (usize, Plan)>>,
    notes: Vec<Value>,
}

impl Offer {
    pub fn of(library: &Library, folder: &Path) -> Result<Offer, String> {
        let mut offer = Offer {
            release: Release::load(folder)?,
            entries: (library.entries)(),
            codecs: HashMap::new(),
            notes: Vec::new(),
        };
        let lined: Vec<_> = offer
            .release
            .messages
            .values()
            .map(|message| offer.line_up(message))
            .collect();
        for (message, plans, notes) in lined {
            offer.codecs.insert(message, plans);
            offer.notes.extend(notes);
        }
        offer.note_unknown();
        Ok(offer)
    }

    /// The versions of a message that can be driven, and what differs in them.
    fn line_up(&self, message: &Message) -> (String, HashMap<i16, (usize, Plan)>, Vec<Value>) {
        let mut plans = HashMap::new();
        let mut differing: Vec<(Difference, Vec<i16>)> = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            for version in (entry.first..=entry.last).filter(|_| entry.message == message.name) {
                if !message.valid_versions.contain(version) {
                    continue;
                }
                let (plan, differences) = Plan::of(message, version, &(entry.kind)());
                if !differences.iter().any(|difference| difference.grave) {
                    plans.insert(version, (index, plan));
                }
                collect(&mut differing, differences, version);
            }
        }
        let notes = differing
            .into_iter()
            .map(|(difference, versions)| note(&message.name, &difference, &versions));
        (message.name.clone(), plans, notes.collect())
    }

    /// Note the messages, and the versions of messages, that the library has and the release does not.
    fn note_unknown(&mut self) {
        let mut unknown: BTreeMap<&str, Vec<i16>> = BTreeMap::new();
        for entry in &self.entries {
            let known = self.release.messages.get(entry.message);
            let is_known = |version: &i16| known.is_some_and(|message| message.valid_versions.contain(*version));
            let versions = (entry.first..=entry.last).filter(|version| !is_known(version));
            unknown.entry(entry.message).or_default().extend(versions);
        }
        unknown.retain(|_, versions| !versions.is_empty());
        let notes = unknown.into_iter().map(|(message, versions)| {
            let text = format!("the release has no version {}", listed(&versions));
            json!({"message": message, "note": text})
        });
        self.notes.extend(notes);
    }

    fn supports(&self) -> Value {
        json!({
            "encode": self.versions_of(|entry| entry.new.is_some()),
            "decode": self.versions_of(|entry| entry.read.is_some()),
        })
    }

    /// The versions that can be driven in a direction, by message.
    fn versions_of(&self, has: fn(&Entry) -> bool) -> Map<String, Value> {
        let messages = self.codecs.iter().map(|(message, plans)| {
            let driven = plans.iter().filter(|(_, (entry, _))| has(&self.entries[*entry]));
            let mut versions: Vec<i16> = driven.map(|(version, _)| *version).collect();
            versions.sort_unstable();
            (message.clone(), versions)
        });
        let driven = messages.filter(|(_, versions)| !versions.is_empty());
        driven.map(|(message, versions)| (message, json!(versions))).collect()
    }

    /// The reply, without its id.
    pub fn reply(&self, library: &Library) -> Map<String, Value> {
        let mut reply = Map::new();
        reply.insert("outcome".into(), json!("hello"));
        reply.insert("protocols".into(), json!([PROTOCOL]));
        reply.insert("implementation".into(), json!(library.name));
        reply.insert("version".into(), json!(library.version));
        reply.insert("supports".into(), self.supports());
        reply.insert("operations".into(), json!(operations(library, &self.entries)));
        reply.insert("capabilities".into(), json!(library.capabilities));
        reply.insert("representations".into(), json!([]));
        reply.insert("memoryMiB".into(), json!(0));
        reply.insert("notes".into(), json!(self.notes));
        claim(&mut reply, (library.claims)());
        if let Some(records) = &library.records {
            reply.insert("records".into(), (records.claims)());
        }
        reply
    }
}

/// Add what a library claims: notes to those of lining up, and the other words in place of the usual ones.
fn claim(reply: &mut Map<String, Value>, claims: Value) {
    let Value::Object(claims) = claims else { return };
    for (name, claim) in claims {
        match (reply.get_mut(&name), claim) {
            (Some(Value::Array(notes)), Value::Array(further)) if name == "notes" => notes.extend(further),
            (_, claim) => drop(reply.insert(name, claim)),
        }
    }
}

fn operations(library: &Library, entries: &[Entry]) -> Vec<&'static str> {
    let mut names = vec!["hello", "describe", "encode", "decode"];
    let first = entries.iter().find_map(|entry| Some((entry.new?(), entry.first)));
    if first.is_some_and(|(mut body, version)| body.size(version).is_some()) {
        names.push("size");
    }
    if entries.iter().any(|entry| entry.message == "RequestHeader") {
        names.extend(["header-version", "encode-frame", "decode-frame"]);
    }
    if library.records.is_some() {
        names.extend(["encode-records", "decode-records"]);
    }
    if library.primitives.is_some() {
        names.extend(["encode-primitive", "decode-primitive"]);
    }
    names
}

fn collect(differing: &mut Vec<(Difference, Vec<i16>)>, differences: Vec<Difference>, version: i16) {
    for difference in differences {
        match differing.iter_mut().find(|(known, _)| *known == difference) {
            Some((_, versions)) => versions.push(version),
            None => differing.push((difference, vec![version])),
        }
    }
}

fn note(message: &str, difference: &Difference, versions: &[i16]) -> Value {
    let left_out = if difference.grave { "left out, " } else { "" };
    let text = format!("{left_out}version {}: {}", listed(versions), difference.text);
    json!({"message": message, "path": difference.path, "note": text})
}

fn listed(versions: &[i16]) -> String {
    let mut versions = versions.to_vec();
    versions.sort_unstable();
    let words: Vec<String> = versions.iter().map(i16::to_string).collect();
    words.join(", ")
}
