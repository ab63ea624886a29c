//! Kafka's message definitions: release.json, and one file for each message.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A range of versions, both ends included; None: no version.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Versions(pub Option<(i16, i16)>);

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub valid_versions: Versions,
    pub api_key: Option<i16>,
    #[serde(default)]
    pub fields: Vec<Field>,
    #[serde(default)]
    pub common_structs: Vec<Common>,
}

/// A struct that several fields of a message name as their type.
#[derive(Debug, Deserialize)]
pub struct Common {
    pub name: String,
    pub fields: Vec<Field>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub versions: Versions,
    #[serde(default)]
    pub nullable_versions: Versions,
    #[serde(default)]
    pub tagged_versions: Versions,
    #[serde(default)]
    pub default: Value,
    #[serde(default)]
    pub fields: Vec<Field>,
}

/// The definitions of a release, by name.
pub struct Release {
    pub messages: BTreeMap<String, Message>,
}

impl Message {
    /// The fields of the struct that a field, or an element of it, is.
    pub fn fields_of<'a>(&'a self, field: &'a Field) -> &'a [Field] {
        let named = || self.common_structs.iter().find(|common| common.name == field.element());
        match field.fields.is_empty() {
            true => named().map_or(&[], |common| &common.fields),
            false => &field.fields,
        }
    }
}

impl Field {
    /// The type of an array's elements, or of the field itself.
    pub fn element(&self) -> &str {
        self.kind.strip_prefix("[]").unwrap_or(&self.kind)
    }

    pub fn is_array(&self) -> bool {
        self.kind.starts_with("[]")
    }

    pub fn is_struct(&self) -> bool {
        self.element().starts_with(char::is_uppercase)
    }
}

impl Versions {
    pub fn contain(self, version: i16) -> bool {
        self.0.is_some_and(|(first, last)| (first..=last).contains(&version))
    }

    /// Read "0-3", "4+", "2" and "none".
    pub fn parse(text: &str) -> Option<Versions> {
        if text == "none" || text.is_empty() {
            return Some(Versions(None));
        }
        let number = |text: &str| text.parse::<i16>().ok();
        let (first, last) = match (text.strip_suffix('+'), text.split_once('-')) {
            (Some(first), _) => (number(first)?, i16::MAX),
            (None, Some((first, last))) => (number(first)?, number(last)?),
            (None, None) => (number(text)?, number(text)?),
        };
        Some(Versions(Some((first, last))))
    }
}

impl<'de> Deserialize<'de> for Versions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Versions, D::Error> {
        let text = String::deserialize(deserializer)?;
        Versions::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("{text:?} are no versions")))
    }
}

impl Release {
    /// The message of an API, whose kind is "request" or "response".
    pub fn api(&self, kind: &str, key: i16) -> Option<&Message> {
        let mut messages = self.messages.values();
        messages.find(|message| message.kind == kind && message.api_key == Some(key))
    }

    /// Read the definitions of a folder.
    pub fn load(folder: &Path) -> Result<Release, String> {
        let index: Value = read(&folder.join("release.json"))?;
        match index["dialect"].as_str() {
            None | Some("released") => (),
            Some(dialect) => return Err(format!("the proposal {dialect} is unknown to the library")),
        }
        let names = index["messages"]
            .as_object()
            .ok_or("release.json has no messages")?
            .keys();
        let messages = names.map(|name| Ok((name.clone(), read(&folder.join(format!("{name}.json")))?)));
        Ok(Release {
            messages: messages.collect::<Result<_, String>>()?,
        })
    }
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let content = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&content).map_err(|error| format!("{}: {error}", path.display()))
}
