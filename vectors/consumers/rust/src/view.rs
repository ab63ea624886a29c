//! What a decoded message holds, compared with the value of a vector.
//!
//! The crate's types have one thing in common that shows all their fields: `Debug`. Reading that text back takes fewer
//! lines than a mapping for 185 messages:
//!
//! ```text
//! Metadata(MetadataRequest { topics: Some([MetadataRequestTopic { topic_id: 0000…, name: Some("a"), … }]), … })
//! ```

use crate::json::Json;
use std::iter::Peekable;
use std::str::Chars;

/// A value as its `Debug` shows it. `Some(…)` and the variants of enums that hold a message are left out.
#[derive(Debug)]
pub enum View {
    /// A number, `true`, `None`, a UUID.
    Word(String),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<View>),
    Struct(Vec<(String, View)>),
    /// Unknown tagged fields.
    Map(Vec<(View, View)>),
}

/// Where a decoded value differs from that of the vector, and how; nothing if it does not.
///
/// The vector has exactly the fields of its version; a Rust struct has those of all versions, and only the ones that
/// the vector has are compared.
pub fn difference(expected: &Json, seen: &View, path: &str) -> Option<String> {
    match (expected, seen) {
        (Json::Object(members), View::Struct(fields)) => {
            let has_tags = members.iter().any(|(name, _)| name == "_tags");
            let no_tags = ("_tags".to_string(), Json::List(vec![]));
            members
                .iter()
                .chain((!has_tags).then_some(&no_tags))
                .find_map(|(name, value)| {
                    let place = format!("{path}.{name}");
                    match fields.iter().find(|(field, _)| *field == rust_name(name)) {
                        Some((_, field)) => difference(value, field, &place),
                        None if name == "_tags" && !has_tags => None, // Messages that never were flexible have no such field.
                        None => Some(format!("{place}: the struct has no field {}", rust_name(name))),
                    }
                })
        }
        (Json::List(values), View::List(elements)) if values.len() == elements.len() => (values.iter().zip(elements))
            .enumerate()
            .find_map(|(index, (value, element))| difference(value, element, &format!("{path}[{index}]"))),
        (Json::List(tags), View::Map(entries)) if tags.len() == entries.len() => {
            tags.iter()
                .zip(entries)
                .find_map(|(tag, (number, bytes))| match tag.list() {
                    [tag, hex] if same_tag(tag, number) => difference(hex, bytes, path),
                    _ => Some(format!("{path}: tag {number:?} instead of {tag:?}")),
                })
        }
        _ if same_scalar(expected, seen) => None,
        _ => Some(format!(
            "{}: {seen:?} instead of {expected:?}",
            path.trim_start_matches('.')
        )),
    }
}

fn same_scalar(expected: &Json, seen: &View) -> bool {
    match (expected, seen) {
        (Json::Null, View::Word(word)) => word == "None",
        (Json::Bool(value), View::Word(word)) => *word == value.to_string(),
        (Json::Text(text), View::Text(seen)) => text == seen,
        (Json::Text(hex), View::Bytes(bytes)) => *hex == crate::hex::encode(bytes),
        (Json::Number(text) | Json::Text(text), View::Word(word)) => text == word || same_float(text, word),
        _ => false,
    }
}

/// The crate has the tags as i32, so those of 2^31 and more are negative in the text.
fn same_tag(expected: &Json, seen: &View) -> bool {
    match (expected, seen) {
        (Json::Number(tag), View::Word(word)) => {
            word.parse::<i32>().is_ok_and(|seen| *tag == (seen as u32).to_string())
        }
        _ => false,
    }
}

/// A float64 is 16 hex digits in the vectors. Of a NaN the text shows no bits: those are compared when it is written.
fn same_float(bits: &str, word: &str) -> bool {
    match (bits.len(), u64::from_str_radix(bits, 16), word.parse::<f64>()) {
        (16, Ok(bits), Ok(seen)) => bits == seen.to_bits() || (seen.is_nan() && f64::from_bits(bits).is_nan()),
        _ => false,
    }
}

/// The crate's name of a field: `TopicId` is `topic_id`.
fn rust_name(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut result = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let after_small = index > 0 && !letters[index - 1].is_uppercase();
        let before_small = letters.get(index + 1).is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && index > 0 && (after_small || before_small) {
            result.push('_');
        }
        result.extend(letter.to_lowercase());
    }
    match result.as_str() {
        "_tags" => "unknown_tagged_fields".into(),
        "type" | "match" => format!("_{result}"), // Words that Rust reserves.
        _ => result,
    }
}

impl View {
    /// Reads what `format!("{:?}")` has written.
    pub fn parse(debug: &str) -> Result<View, String> {
        let mut reader = Reader(debug.chars().peekable());
        let view = reader.value()?;
        match reader.0.peek() {
            None => Ok(view),
            Some(_) => Err(format!("more than a value: {:.60}", reader.0.collect::<String>())),
        }
    }
}

struct Reader<'a>(Peekable<Chars<'a>>);

impl Reader<'_> {
    fn value(&mut self) -> Result<View, String> {
        match self.0.peek() {
            Some('[') => self.sequence("[", "]", Self::value).map(View::List),
            Some('{') => self.sequence("{", "}", Self::entry).map(View::Map),
            Some('"') => Ok(View::Text(
                String::from_utf8(self.quoted()?).map_err(|error| error.to_string())?,
            )),
            _ => self.named(),
        }
    }

    /// A word, which may be the name of a struct or of a variant, or the b before bytes.
    fn named(&mut self) -> Result<View, String> {
        let word = self.word();
        match self.0.peek() {
            Some('"') if word == "b" => self.quoted().map(View::Bytes),
            Some('(') => {
                self.skip("(")?;
                let inner = self.value()?;
                self.skip(")").map(|()| inner)
            }
            Some(' ') if word.starts_with(char::is_uppercase) && word != "None" && word != "NaN" => {
                self.skip(" ")?;
                self.sequence("{ ", " }", Self::field).map(View::Struct)
            }
            _ if word.is_empty() => Err("a value is missing".into()),
            _ => Ok(View::Word(word)),
        }
    }

    fn field(&mut self) -> Result<(String, View), String> {
        let name = self.word();
        self.skip(": ")?;
        Ok((name, self.value()?))
    }

    fn entry(&mut self) -> Result<(View, View), String> {
        let key = self.value()?;
        self.skip(": ")?;
        Ok((key, self.value()?))
    }

    fn sequence<T>(
        &mut self,
        open: &str,
        close: &str,
        item: fn(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        self.skip(open)?;
        let mut items = Vec::new();
        if self.0.peek() == close.chars().next().as_ref() {
            return self.skip(close).map(|()| items);
        }
        loop {
            items.push(item(self)?);
            if self.0.peek() != Some(&',') {
                return self.skip(close).map(|()| items);
            }
            self.skip(", ")?;
        }
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(next) = self.0.next_if(|c| c.is_ascii_alphanumeric() || "_+-.".contains(*c)) {
            word.push(next);
        }
        word
    }

    /// A string or byte string, escapes undone.
    fn quoted(&mut self) -> Result<Vec<u8>, String> {
        self.skip("\"")?;
        let mut bytes = Vec::new();
        loop {
            match self.0.next().ok_or("a string does not end")? {
                '"' => return Ok(bytes),
                '\\' => self.escape(&mut bytes)?,
                other => bytes.extend(other.to_string().bytes()),
            }
        }
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result<(), String> {
        match self.0.next().ok_or("a string does not end")? {
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            '0' => bytes.push(0),
            'x' => {
                let digits: String = (&mut self.0).take(2).collect();
                bytes.push(u8::from_str_radix(&digits, 16).map_err(|_| format!("\\x{digits} is no byte"))?);
            }
            'u' => {
                self.skip("{")?;
                let digits: String = (&mut self.0).take_while(|next| *next != '}').collect();
                let scalar = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                bytes.extend(
                    scalar
                        .ok_or(format!("\\u{{{digits}}} is no character"))?
                        .to_string()
                        .bytes(),
                );
            }
            other => bytes.extend(other.to_string().bytes()),
        }
        Ok(())
    }

    fn skip(&mut self, wanted: &str) -> Result<(), String> {
        for character in wanted.chars() {
            if self.0.next_if_eq(&character).is_none() {
                return Err(format!("expected {wanted:?}, not {:?}", self.0.peek()));
            }
        }
        Ok(())
    }
}
