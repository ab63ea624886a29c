//! A plan says which slot of a struct is which field of the definition, at one version.

use super::defaults::default_of;
use super::definition::{Field, Message};
use super::describe::type_name;
use super::kind::{Kind, Shape, Slot};
use super::lining::{line_up, plain};
use serde_json::Value;
use std::collections::HashMap;

/// The fields of a struct; of anything else it is empty.
#[derive(Default)]
pub struct Plan {
    pub members: Vec<Member>,
    by_name: HashMap<String, usize>,
}

pub struct Member {
    /// In the definition.
    pub name: String,
    pub slot: usize,
    /// Whether the version has the field; others may be set, and are not shown.
    pub shown: bool,
    /// What null stands for: the default of a tagged field that may not be null and is one that the library may leave out.
    pub absent: Option<Value>,
    pub plan: Plan,
}

/// Where a struct differs from the definition: the path of the field, and what is wrong.
#[derive(Clone, PartialEq)]
pub struct Difference {
    pub path: String,
    pub text: String,
    /// Whether the version cannot be driven for it.
    pub grave: bool,
}

impl Plan {
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.by_name.get(name).map(|&index| &self.members[index])
    }

    /// Line up a message with a kind at a version. The differences that are grave leave the plan incomplete.
    pub fn of(message: &Message, version: i16, kind: &Kind) -> (Plan, Vec<Difference>) {
        let mut builder = Builder {
            message,
            version,
            differences: Vec::new(),
        };
        let plan = match kind.plain() {
            Kind::Struct(shape) => builder.structure(&message.fields, shape, ""),
            _ => Plan::default(),
        };
        (plan, builder.differences)
    }
}

struct Builder<'a> {
    message: &'a Message,
    version: i16,
    differences: Vec<Difference>,
}

impl Builder<'_> {
    fn structure(&mut self, fields: &[Field], shape: &'static Shape, path: &str) -> Plan {
        let pairs = line_up(fields, shape, self.version);
        let mut plan = Plan::default();
        for (field, slot) in fields.iter().zip(&pairs) {
            let path = joined(path, &field.name);
            let shown = field.versions.contain(self.version);
            self.compare(field, shape, *slot, &path);
            let Some(slot) = *slot else { continue };
            let kind = (shape.slots[slot].kind)();
            let member = Member {
                name: field.name.clone(),
                slot,
                shown,
                absent: self.absent(field, &kind),
                plan: self.inner(field, &kind, &path),
            };
            plan.by_name.insert(member.name.clone(), plan.members.len());
            plan.members.push(member);
        }
        self.further(shape, &pairs, path);
        plan
    }

    fn absent(&self, field: &Field, kind: &Kind) -> Option<Value> {
        let left_out = field.tagged_versions.contain(self.version) && !field.nullable_versions.contain(self.version);
        let may_be = left_out && matches!(kind, Kind::Nullable(_));
        may_be.then(|| default_of(self.message, field, self.version))
    }

    fn inner(&mut self, field: &Field, kind: &Kind, path: &str) -> Plan {
        match kind.element() {
            Kind::Struct(shape) => self.structure(self.message.fields_of(field), shape, path),
            _ => Plan::default(),
        }
    }

    /// Tell a field that is missing, and one that the library has in other versions.
    fn compare(&mut self, field: &Field, shape: &Shape, slot: Option<usize>, path: &str) {
        let defined = field.versions.contain(self.version);
        match slot.map(|slot| &shape.slots[slot]) {
            None if defined => {
                let text = format!("{} is missing{}", field.kind, of_another_type(field, shape));
                self.differ(path, text, true);
            }
            None => (),
            Some(Slot { versions: "", .. }) if !defined => {
                self.differ(path, "the version has no such field".into(), true);
            }
            Some(Slot { versions: "", .. }) => (),
            Some(own) if own.is_in(self.version) != defined => {
                self.differ(path, format!("the library has it in versions {}", own.versions), false);
            }
            Some(_) => (),
        }
    }

    /// Tell the slots that no field of the definition has taken.
    fn further(&mut self, shape: &Shape, pairs: &[Option<usize>], path: &str) {
        for (index, slot) in shape.slots.iter().enumerate() {
            if !pairs.contains(&Some(index)) && slot.is_in(self.version) {
                self.differ(
                    &joined(path, slot.name),
                    "the definition has no such field".into(),
                    true,
                );
            }
        }
    }

    fn differ(&mut self, path: &str, text: String, grave: bool) {
        self.differences.push(Difference {
            path: path.to_owned(),
            text,
            grave,
        });
    }
}

/// The slot of a field's name, if it has another type.
fn of_another_type(field: &Field, shape: &Shape) -> String {
    let named = shape.slots.iter().find(|slot| plain(slot.name) == plain(&field.name));
    named.map_or(String::new(), |slot| {
        format!("; {} is {}", slot.name, type_name(&(slot.kind)(), None))
    })
}

fn joined(path: &str, name: &str) -> String {
    match path.is_empty() {
        true => name.to_owned(),
        false => format!("{path}.{name}"),
    }
}
