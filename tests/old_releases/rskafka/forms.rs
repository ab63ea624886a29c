//! The forms of the library's own types.

use crate::bridge::form::{bytes, number, unfit};
use crate::bridge::{Failure, Form, Kind, Plan, Tags};
use rskafka::protocol::api_key::ApiKey;
use rskafka::protocol::api_version::ApiVersion;
use rskafka::protocol::error::Error;
use rskafka::protocol::messages::IsolationLevel;
use rskafka::protocol::primitives::*;
use serde_json::Value;

/// Types that hold another one, with the same form.
macro_rules! held {
    ($($outer:ident $(<$part:ident>)? ($inner:ty);)*) => {
        $(impl $(<$part: Form>)? Form for $outer $(<$part>)? {
            fn kind() -> Kind {
                <$inner>::kind()
            }

            fn blank() -> Self {
                $outer(<$inner>::blank())
            }

            fn set(&mut self, plan: &Plan, value: &Value) -> Result<(), Failure> {
                self.0.set(plan, value)
            }

            fn show(&mut self, plan: &Plan, out: &mut Vec<u8>) {
                self.0.show(plan, out);
            }
        })*
    };
}

held! {
    ApiVersion(Int16);
    Array<T>(Option<Vec<T>>);
    Boolean(bool);
    Bytes(Vec<u8>);
    CompactNullableString(Option<String>);
    CompactString(String);
    Int16(i16);
    Int32(i32);
    Int64(i64);
    Int8(i8);
    NullableString(Option<String>);
    String_(String);
}

/// Types that a number is converted to.
macro_rules! converted {
    ($($outer:ty: $inner:ident, $to:expr, $back:expr;)*) => {
        $(impl Form for $outer {
            fn kind() -> Kind {
                $inner::kind()
            }

            fn blank() -> Self {
                $to(0)
            }

            fn set(&mut self, plan: &Plan, value: &Value) -> Result<(), Failure> {
                let mut number = $inner::blank();
                number.set(plan, value)?;
                *self = $to(number);
                Ok(())
            }

            fn show(&mut self, plan: &Plan, out: &mut Vec<u8>) {
                $back(self).show(plan, out);
            }
        })*
    };
}

converted! {
    ApiKey: i16, |code| ApiKey::from(Int16(code)), |key: &ApiKey| Int16::from(*key).0;
    Option<Error>: i16, Error::new, |error: &Option<Error>| Int16::from(*error).0;
}

/// A number of which the library knows two values.
impl Form for IsolationLevel {
    fn kind() -> Kind {
        i8::kind()
    }

    fn blank() -> Self {
        IsolationLevel::default()
    }

    fn set(&mut self, _: &Plan, value: &Value) -> Result<(), Failure> {
        *self = match number(value, "int8")? {
            0 => IsolationLevel::ReadUncommitted,
            1 => IsolationLevel::ReadCommitted,
            _ => return Err(Failure::unrepresentable("IsolationLevel has 0 and 1")),
        };
        Ok(())
    }

    fn show(&mut self, plan: &Plan, out: &mut Vec<u8>) {
        Int8::from(*self).show(plan, out);
    }
}

/// A list of batches, which cannot be any bytes; only none at all.
impl Form for Records {
    fn kind() -> Kind {
        Kind::Scalar("bytes")
    }

    fn blank() -> Self {
        Records(Vec::new())
    }

    fn set(&mut self, _: &Plan, value: &Value) -> Result<(), Failure> {
        if value.is_null() {
            return Err(unfit("records", value));
        }
        match bytes(value)?.is_empty() {
            true => Ok(()),
            false => Err(Failure::unrepresentable("records are batches there")),
        }
    }

    fn show(&mut self, _: &Plan, out: &mut Vec<u8>) {
        out.extend(b"\"\"");
    }
}

/// A list, in any order; tags have 64 bits.
impl Tags for Option<TaggedFields> {
    fn clear(&mut self) {
        *self = None;
    }

    fn put(&mut self, tag: u32, data: Vec<u8>) -> Result<(), Failure> {
        let fields = self.get_or_insert_with(TaggedFields::default);
        fields.0.push((UnsignedVarint(tag.into()), data));
        Ok(())
    }

    fn each(&self, visit: &mut dyn FnMut(u32, &[u8])) {
        for (tag, data) in self.iter().flat_map(|fields| &fields.0) {
            visit(tag.0 as u32, data);
        }
    }
}
