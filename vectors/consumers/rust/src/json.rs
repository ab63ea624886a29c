//! JSON as the vectors use it. Numbers stay text: which type they are of is for the definition to say.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader(text.chars().peekable());
        let value = reader.value()?;
        reader.skip_space();
        match reader.0.next() {
            None => Ok(value),
            Some(other) => Err(format!("{other:?} after the end of the JSON text")),
        }
    }

    /// The member of an object, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a string, or of a number.
    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) | Json::Number(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list; nothing has none.
    pub fn list(&self) -> &[Json] {
        match self {
            Json::List(elements) => elements,
            _ => &[],
        }
    }
}

struct Reader<'a>(Peekable<Chars<'a>>);

impl Reader<'_> {
    fn value(&mut self) -> Result<Json, String> {
        self.skip_space();
        match self.0.peek() {
            Some('{') => self.sequence('{', '}', Self::member).map(Json::Object),
            Some('[') => self.sequence('[', ']', Self::value).map(Json::List),
            Some('"') => self.string().map(Json::Text),
            Some(_) => self.word(),
            None => Err("the JSON text ends too early".into()),
        }
    }

    fn member(&mut self) -> Result<(String, Json), String> {
        self.skip_space();
        let name = self.string()?;
        self.skip_space();
        self.expect(':')?;
        Ok((name, self.value()?))
    }

    fn sequence<T>(
        &mut self,
        open: char,
        close: char,
        item: fn(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        self.expect(open)?;
        let mut items = Vec::new();
        self.skip_space();
        if self.0.next_if_eq(&close).is_some() {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            self.skip_space();
            if self.0.next_if_eq(&',').is_none() {
                self.expect(close)?;
                return Ok(items);
            }
        }
    }

    fn word(&mut self) -> Result<Json, String> {
        let mut word = String::new();
        while let Some(next) = self.0.next_if(|c| c.is_ascii_alphanumeric() || "+-.".contains(*c)) {
            word.push(next);
        }
        match word.as_str() {
            "null" => Ok(Json::Null),
            "true" => Ok(Json::Bool(true)),
            "false" => Ok(Json::Bool(false)),
            _ if word.parse::<f64>().is_ok() => Ok(Json::Number(word)),
            _ => Err(format!("{word:?} is not JSON")),
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.expect('"')?;
        let mut text = String::new();
        loop {
            match self.0.next().ok_or("a string does not end")? {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                other => text.push(other),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        match self.0.next().ok_or("a string does not end")? {
            'b' => Ok('\u{8}'),
            'f' => Ok('\u{c}'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'u' => {
                // What is beyond U+FFFF comes as two units of UTF-16.
                let mut units = vec![self.utf16_unit()?];
                if (0xd800..0xdc00).contains(&units[0]) {
                    self.expect('\\')?;
                    self.expect('u')?;
                    units.push(self.utf16_unit()?);
                }
                let text = String::from_utf16(&units).map_err(|_| "half a character in a string")?;
                Ok(text.chars().next().expect("one or two units are one character"))
            }
            other => Ok(other),
        }
    }

    fn utf16_unit(&mut self) -> Result<u16, String> {
        let digits: String = (&mut self.0).take(4).collect();
        u16::from_str_radix(&digits, 16).map_err(|_| format!("\\u{digits} is no character"))
    }

    fn skip_space(&mut self) {
        while self.0.next_if(char::is_ascii_whitespace).is_some() {}
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        match self.0.next() {
            Some(found) if found == wanted => Ok(()),
            found => Err(format!("expected {wanted:?}, not {found:?}")),
        }
    }
}
