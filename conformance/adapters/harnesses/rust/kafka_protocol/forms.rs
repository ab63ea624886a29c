//! The forms of the crate's own types.

use crate::bridge::form::{bytes, quote, text};
use crate::bridge::{hex, Failure, Form, Kind, Plan, Tags};
use bytes::Bytes;
use kafka_protocol::messages::{BrokerId, GroupId, ProducerId, TopicName, TransactionalId};
use kafka_protocol::protocol::StrBytes;
use serde_json::Value;
use std::collections::BTreeMap;

impl Form for StrBytes {
    fn kind() -> Kind {
        Kind::Scalar("string")
    }

    fn blank() -> Self {
        Self::default()
    }

    fn set(&mut self, _: &Plan, value: &Value) -> Result<(), Failure> {
        *self = StrBytes::from_string(text(value)?.to_owned());
        Ok(())
    }

    fn show(&mut self, _: &Plan, out: &mut Vec<u8>) {
        quote(out, self);
    }
}

impl Form for Bytes {
    fn kind() -> Kind {
        Kind::Scalar("bytes")
    }

    fn blank() -> Self {
        Self::default()
    }

    fn set(&mut self, _: &Plan, value: &Value) -> Result<(), Failure> {
        *self = bytes(value)?.into();
        Ok(())
    }

    fn show(&mut self, _: &Plan, out: &mut Vec<u8>) {
        hex::quote(out, self);
    }
}

macro_rules! newtypes {
    ($($outer:ty, $inner:ty;)*) => {
        $(impl Form for $outer {
            fn kind() -> Kind {
                <$inner>::kind()
            }

            fn blank() -> Self {
                Self::default()
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

newtypes! {
    BrokerId, i32;
    GroupId, StrBytes;
    ProducerId, i64;
    TopicName, StrBytes;
    TransactionalId, StrBytes;
}

/// A map: neither the order of tags nor one that occurs twice can be held, nor one beyond its keys.
impl Tags for BTreeMap<i32, Bytes> {
    fn clear(&mut self) {
        BTreeMap::clear(self);
    }

    fn put(&mut self, tag: u32, data: Vec<u8>) -> Result<(), Failure> {
        let key = i32::try_from(tag).map_err(|_| Failure::unrepresentable("tags are int32"))?;
        if self.last_key_value().is_some_and(|(last, _)| *last >= key) {
            return Err(Failure::unrepresentable("tags are the keys of an ordered map"));
        }
        self.insert(key, data.into());
        Ok(())
    }

    fn each(&self, visit: &mut dyn FnMut(u32, &[u8])) {
        self.iter().for_each(|(tag, data)| visit(*tag as u32, data));
    }
}
