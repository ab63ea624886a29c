//! The JSON forms of values, by the Rust type that holds them.

use super::{hex, Failure, Kind, Plan};
use serde_json::Value;
use uuid::Uuid;

/// A Rust value that is set from its JSON form, and shown as JSON. The plan says which fields structs have.
pub trait Form: 'static {
    fn kind() -> Kind
    where
        Self: Sized;
    /// A value with the library's defaults; without those, of zeros, null and nothing.
    fn blank() -> Self
    where
        Self: Sized;
    fn set(&mut self, plan: &Plan, value: &Value) -> Result<(), Failure>;
    fn show(&mut self, plan: &Plan, out: &mut Vec<u8>);
}

impl<T: Form> Form for Option<T> {
    fn kind() -> Kind {
        Kind::Nullable(Box::new(T::kind()))
    }

    fn blank() -> Self {
        Self::default()
    }

    fn set(&mut self, plan: &Plan, value: &Value) -> Result<(), Failure> {
        *self = None;
        match value {
            Value::Null => Ok(()),
            value => self.insert(T::blank()).set(plan, value),
        }
    }

    fn show(&mut self, plan: &Plan, out: &mut Vec<u8>) {
        match self {
            None => out.extend(b"null"),
            Some(inner) => inner.show(plan, out),
        }
    }
}

/// An array, without its type: what is generic is compiled for each of thousands of structs.
trait List {
    fn empty(&mut self);
    fn add(&mut self) -> &mut dyn Form;
    fn count(&self) -> usize;
    fn item(&mut self, index: usize) -> &mut dyn Form;
}

impl<T: Form> List for Vec<T> {
    fn empty(&mut self) {
        self.clear();
    }

    fn add(&mut self) -> &mut dyn Form {
        self.push(T::blank());
        let last = self.len() - 1;
        &mut self[last]
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn item(&mut self, index: usize) -> &mut dyn Form {
        &mut self[index]
    }
}

impl<T: Form> Form for Vec<T> {
    fn kind() -> Kind {
        Kind::Array(Box::new(T::kind()))
    }

    fn blank() -> Self {
        Self::default()
    }

    fn set(&mut self, plan: &Plan, value: &Value) -> Result<(), Failure> {
        set_list(self, plan, value)
    }

    fn show(&mut self, plan: &Plan, out: &mut Vec<u8>) {
        show_list(self, plan, out);
    }
}

fn set_list(list: &mut dyn List, plan: &Plan, value: &Value) -> Result<(), Failure> {
    let Value::Array(elements) = value else {
        return Err(unfit("an array", value));
    };
    list.empty();
    for (index, element) in elements.iter().enumerate() {
        let item = list.add();
        item.set(plan, element)
            .map_err(|failure| failure.under(&format!("[{index}]")))?;
    }
    Ok(())
}

fn show_list(list: &mut dyn List, plan: &Plan, out: &mut Vec<u8>) {
    out.push(b'[');
    for index in 0..list.count() {
        if index > 0 {
            out.push(b',');
        }
        list.item(index).show(plan, out);
    }
    out.push(b']');
}

impl Form for Vec<u8> {
    fn kind() -> Kind {
        Kind::Scalar("bytes")
    }

    fn blank() -> Self {
        Self::default()
    }

    fn set(&mut self, _: &Plan, value: &Value) -> Result<(), Failure> {
        *self = bytes(value)?;
        Ok(())
    }

    fn show(&mut self, _: &Plan, out: &mut Vec<u8>) {
        hex::quote(out, self);
    }
}

impl Form for String {
    fn kind() -> Kind {
        Kind::Scalar("string")
    }

    fn blank() -> Self {
        Self::default()
    }

    fn set(&mut self, _: &Plan, value: &Value) -> Result<(), Failure> {
        *self = text(value)?.to_owned();
        Ok(())
    }

    fn show(&mut self, _: &Plan, out: &mut Vec<u8>) {
        quote(out, self);
    }
}

impl Form for bool {
    fn kind() -> Kind {
        Kind::Scalar("bool")
    }

    fn blank() -> Self {
        Self::default()
    }

    fn set(&mut self, _: &Plan, value: &Value) -> Result<(), Failure> {
        *self = value.as_bool().ok_or_else(|| unfit("a bool", value))?;
        Ok(())
    }

    fn show(&mut self, _: &Plan, out: &mut Vec<u8>) {
        out.extend(self.to_string().bytes());
    }
}

impl Form for f64 {
    fn kind() -> Kind {
        Kind::Scalar("float64")
    }

    fn blank() -> Self {
        Self::default()
    }

    fn set(&mut self, _: &Plan, value: &Value) -> Result<(), Failure> {
        let bits = value.as_str().filter(|digits| digits.len() == 16);
        let bits = bits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        *self = f64::from_bits(bits.ok_or_else(|| unfit("the bits of a float64", value))?);
        Ok(())
    }

    fn show(&mut self, _: &Plan, out: &mut Vec<u8>) {
        hex::quote(out, &self.to_be_bytes());
    }
}

impl Form for Uuid {
    fn kind() -> Kind {
        Kind::Scalar("uuid")
    }

    fn blank() -> Self {
        Self::default()
    }

    fn set(&mut self, _: &Plan, value: &Value) -> Result<(), Failure> {
        let text = value.as_str().filter(|text| text.len() == 36);
        let parsed = text.and_then(|text| Uuid::parse_str(text).ok());
        *self = parsed.ok_or_else(|| unfit("a uuid", value))?;
        Ok(())
    }

    fn show(&mut self, _: &Plan, out: &mut Vec<u8>) {
        quote(out, &self.hyphenated().to_string());
    }
}

macro_rules! numbers {
    ($($number:ty, $name:literal, $quote:literal;)*) => {
        $(impl Form for $number {
            fn kind() -> Kind {
                Kind::Scalar($name)
            }

            fn blank() -> Self {
                Self::default()
            }

            fn set(&mut self, _: &Plan, value: &Value) -> Result<(), Failure> {
                if value.is_string() == $quote.is_empty() {
                    return Err(unfit($name, value));
                }
                let fit = <$number>::try_from(number(value, $name)?).ok();
                *self = fit.ok_or_else(|| Failure::unrepresentable(format!("{value} does not fit {}", $name)))?;
                Ok(())
            }

            fn show(&mut self, _: &Plan, out: &mut Vec<u8>) {
                out.extend($quote);
                out.extend(self.to_string().bytes());
                out.extend($quote);
            }
        })*
    };
}

numbers! {
    i8, "int8", b"";
    i16, "int16", b"";
    i32, "int32", b"";
    u16, "uint16", b"";
    i64, "int64", b"\"";
    u32, "uint32", b"\"";
}

/// A number, in either form; one beyond all types is the largest.
pub fn number(value: &Value, name: &str) -> Result<i128, Failure> {
    let form = || unfit(name, value);
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => Ok(number.into()),
            (None, Some(number)) => Ok(number.into()),
            (None, None) if number.to_string().contains('.') => Err(form()),
            (None, None) => Ok(i128::MAX),
        },
        Value::String(digits) => match digits
            .trim_start_matches('-')
            .bytes()
            .all(|digit| digit.is_ascii_digit())
        {
            true if !digits.is_empty() => Ok(digits.parse().unwrap_or(i128::MAX)),
            _ => Err(form()),
        },
        _ => Err(form()),
    }
}

/// Why a value has no place in a type: null is none that it can hold, and anything else no form of it.
pub fn unfit(wanted: &str, value: &Value) -> Failure {
    match value {
        Value::Null => Failure::unrepresentable("null: the type has no place for it"),
        other => {
            let shown: String = other.to_string().chars().take(60).collect();
            Failure::form(format!("{shown} is not {wanted}"))
        }
    }
}

/// The text of a string. Rust has UTF-8 only.
pub fn text(value: &Value) -> Result<&str, Failure> {
    match value {
        Value::String(text) => Ok(text),
        Value::Object(form) if form.contains_key("utf8") || form.contains_key("utf16") => {
            Err(Failure::unrepresentable("strings of Rust are valid Unicode"))
        }
        other => Err(unfit("a string", other)),
    }
}

/// The bytes of hex.
pub fn bytes(value: &Value) -> Result<Vec<u8>, Failure> {
    let digits = value.as_str().ok_or_else(|| unfit("hex", value))?;
    hex::decode(digits).ok_or_else(|| unfit("hex", value))
}

/// Append a JSON string.
pub fn quote(out: &mut Vec<u8>, text: &str) {
    if text
        .bytes()
        .all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\')
    {
        out.push(b'"');
        out.extend(text.bytes());
        out.push(b'"');
    } else {
        out.extend(Value::from(text).to_string().bytes());
    }
}
