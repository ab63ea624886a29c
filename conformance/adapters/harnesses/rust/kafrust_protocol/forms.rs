//! The forms of the crate's own types.

use crate::bridge::form::number;
use crate::bridge::{Failure, Form, Kind, Plan};
use kafrust_protocol::api::find_coordinator::CoordinatorType;
use serde_json::Value;
use uuid::Uuid;

/// A UUID.
impl Form for [u8; 16] {
    fn kind() -> Kind {
        Uuid::kind()
    }

    fn blank() -> Self {
        Self::default()
    }

    fn set(&mut self, plan: &Plan, value: &Value) -> Result<(), Failure> {
        let mut uuid = Uuid::nil();
        uuid.set(plan, value)?;
        *self = uuid.into_bytes();
        Ok(())
    }

    fn show(&mut self, plan: &Plan, out: &mut Vec<u8>) {
        Uuid::from_bytes(*self).show(plan, out);
    }
}

/// A number of which the crate knows three values.
impl Form for CoordinatorType {
    fn kind() -> Kind {
        i8::kind()
    }

    fn blank() -> Self {
        CoordinatorType::Group
    }

    fn set(&mut self, _: &Plan, value: &Value) -> Result<(), Failure> {
        *self = match number(value, "int8")? {
            0 => CoordinatorType::Group,
            1 => CoordinatorType::Transaction,
            2 => CoordinatorType::Share,
            _ => return Err(Failure::unrepresentable("CoordinatorType has 0, 1 and 2")),
        };
        Ok(())
    }

    fn show(&mut self, plan: &Plan, out: &mut Vec<u8>) {
        (*self as i8).show(plan, out);
    }
}
