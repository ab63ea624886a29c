//! Values of single types, by the crate's public traits: numbers, strings and UUIDs.

use crate::bridge::{Failure, Form, Plan};
use crate::refusal;
use kafka_wire_protocol::readable_writable::{Readable, Writable};
use serde_json::Value;
use uuid::Uuid;

/// Call a function generic in the type of a name, with whether it is compact.
macro_rules! by_name {
    ($name:expr, $function:ident $arguments:tt) => {
        match $name {
            "bool" => by_name!(@ $function, bool, false, $arguments),
            "int8" => by_name!(@ $function, i8, false, $arguments),
            "int16" => by_name!(@ $function, i16, false, $arguments),
            "uint16" => by_name!(@ $function, u16, false, $arguments),
            "int32" => by_name!(@ $function, i32, false, $arguments),
            "uint32" => by_name!(@ $function, u32, false, $arguments),
            "int64" => by_name!(@ $function, i64, false, $arguments),
            "float64" => by_name!(@ $function, f64, false, $arguments),
            "uuid" => by_name!(@ $function, Uuid, false, $arguments),
            "string" => by_name!(@ $function, String, false, $arguments),
            "compact-string" => by_name!(@ $function, String, true, $arguments),
            "nullable-string" => by_name!(@ $function, Option<String>, false, $arguments),
            "compact-nullable-string" => by_name!(@ $function, Option<String>, true, $arguments),
            name => Err(Failure::Unsupported(format!("no public function is for {name}"))),
        }
    };
    (@ $function:ident, $kind:ty, $compact:literal, ($($argument:expr),*)) => {
        $function::<$kind>($compact, $($argument),*)
    };
}

pub fn encode(name: &str, value: &Value) -> Result<Vec<u8>, Failure> {
    by_name!(name, write(value))
}

pub fn decode(name: &str, wire: Vec<u8>) -> Result<(Vec<u8>, usize), Failure> {
    by_name!(name, read(&wire))
}

fn write<T: Form + Default + Writable>(compact: bool, value: &Value) -> Result<Vec<u8>, Failure> {
    let (mut held, mut wire) = (T::default(), Vec::new());
    held.set(&Plan::default(), value)?;
    held.write_ext(&mut wire, "value", compact).map_err(refusal)?;
    Ok(wire)
}

fn read<T: Form + Readable>(compact: bool, wire: &[u8]) -> Result<(Vec<u8>, usize), Failure> {
    let (mut rest, mut shown) = (wire, Vec::new());
    let mut held = T::read_ext(&mut rest, "value", compact).map_err(refusal)?;
    held.show(&Plan::default(), &mut shown);
    Ok((shown, wire.len() - rest.len()))
}
