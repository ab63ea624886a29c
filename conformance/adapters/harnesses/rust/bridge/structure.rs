//! Structs of a library, by numbered slots: what reflection is in other languages.

use super::form::{quote, unfit};
use super::{hex, Failure, Form, Kind, Plan};
use serde_json::Value;

/// The key of the unknown tagged fields.
const TAGS: &str = "_tags";

/// The unknown tagged fields of a struct.
pub trait Tags {
    fn clear(&mut self);
    fn put(&mut self, tag: u32, data: Vec<u8>) -> Result<(), Failure>;
    fn each(&self, visit: &mut dyn FnMut(u32, &[u8]));
}

pub trait Structure {
    fn slot(&mut self, index: usize) -> &mut dyn Form;
    fn tags(&mut self) -> Option<&mut dyn Tags>;
}

/// The kind of the field that a function gets from a struct.
pub fn kind_of<S, T: Form>(_: fn(&S) -> &T) -> Kind {
    T::kind()
}

/// Give a struct its form: `structure!(path::Struct, {0 first "1-3" 1 second ""}, tags_field)`. A struct without
/// `Default` is put together from its fields, and from those that are named at the end with a value of their own:
/// `structure!(path::Struct, {0 first ""},, {client_id: None})`.
#[macro_export]
macro_rules! structure {
    ($path:ty, {$($index:literal $field:ident $versions:literal)*}, $($tags:ident)?) => {
        $crate::structure!(@ $path, {$($index $field $versions)*}, $($tags)?, <$path>::default());
    };
    ($path:ty, {$($index:literal $field:ident $versions:literal)*}, $($tags:ident)?, {$($other:ident: $value:expr)*}) => {
        const _: () = {
            type Struct = $path;
            $crate::structure!(@ Struct, {$($index $field $versions)*}, $($tags)?, Struct {
                $($field: $crate::bridge::Form::blank(),)*
                $($other: $value,)*
            });
        };
    };
    (@ $path:ty, {$($index:literal $field:ident $versions:literal)*}, $($tags:ident)?, $blank:expr) => {
        impl $crate::bridge::structure::Structure for $path {
            fn slot(&mut self, index: usize) -> &mut dyn $crate::bridge::Form {
                match index {
                    $($index => &mut self.$field,)*
                    _ => unreachable!("a struct has the slots of its shape"),
                }
            }

            fn tags(&mut self) -> Option<&mut dyn $crate::bridge::Tags> {
                [$(Some(&mut self.$tags as &mut dyn $crate::bridge::Tags),)? None].into_iter().next().flatten()
            }
        }

        impl $crate::bridge::Form for $path {
            fn kind() -> $crate::bridge::Kind {
                static SHAPE: $crate::bridge::kind::Shape = $crate::bridge::kind::Shape {
                    slots: &[$($crate::bridge::kind::Slot {
                        name: stringify!($field),
                        versions: $versions,
                        kind: || $crate::bridge::structure::kind_of(|of: &$path| &of.$field),
                    },)*],
                };
                $crate::bridge::Kind::Struct(&SHAPE)
            }

            fn blank() -> Self {
                $blank
            }

            fn set(
                &mut self,
                plan: &$crate::bridge::Plan,
                value: &serde_json::Value,
            ) -> Result<(), $crate::bridge::Failure> {
                $crate::bridge::structure::set(self, plan, value)
            }

            fn show(&mut self, plan: &$crate::bridge::Plan, out: &mut Vec<u8>) {
                $crate::bridge::structure::show(self, plan, out);
            }
        }
    };
}

/// Set the fields that the value has; others keep what they have.
pub fn set(structure: &mut dyn Structure, plan: &Plan, value: &Value) -> Result<(), Failure> {
    let Value::Object(fields) = value else {
        return Err(unfit("a struct", value));
    };
    for (name, value) in fields {
        match name == TAGS {
            true => set_tags(structure, value),
            false => set_field(structure, plan, name, value),
        }
        .map_err(|failure| failure.under(name))?;
    }
    Ok(())
}

fn set_field(structure: &mut dyn Structure, plan: &Plan, name: &str, value: &Value) -> Result<(), Failure> {
    let Some(member) = plan.member(name) else {
        return Err(Failure::unrepresentable("the library does not have the field"));
    };
    let slot = structure.slot(member.slot);
    match &member.absent {
        Some(default) if value == default => slot.set(&member.plan, &Value::Null),
        Some(_) if value.is_null() => Err(Failure::unrepresentable("null: there it stands for the default")),
        _ => slot.set(&member.plan, value),
    }
}

fn set_tags(structure: &mut dyn Structure, value: &Value) -> Result<(), Failure> {
    let Some(tags) = structure.tags() else {
        return Err(Failure::unrepresentable(
            "the struct has no place for unknown tagged fields",
        ));
    };
    tags.clear();
    for pair in value.as_array().ok_or_else(|| unfit("an array of tags", value))? {
        let tag = pair[0].as_u64().and_then(|tag| u32::try_from(tag).ok());
        let data = pair[1].as_str().and_then(hex::decode);
        match (tag, data) {
            (Some(tag), Some(data)) => tags.put(tag, data)?,
            _ => return Err(unfit("a tag and its hex", pair)),
        }
    }
    Ok(())
}

/// Append the JSON form: the fields of the version, and unknown tagged fields if there are any.
pub fn show(structure: &mut dyn Structure, plan: &Plan, out: &mut Vec<u8>) {
    let mut separator = b'{';
    for member in plan.members.iter().filter(|member| member.shown) {
        out.push(separator);
        separator = b',';
        quote(out, &member.name);
        out.push(b':');
        let start = out.len();
        structure.slot(member.slot).show(&member.plan, out);
        if let Some(default) = member.absent.as_ref().filter(|_| out[start..] == *b"null") {
            out.truncate(start);
            out.extend(default.to_string().bytes());
        }
    }
    if let Some(tags) = structure.tags() {
        let mut list = Vec::new();
        tags.each(&mut |tag, data| {
            list.extend(format!("{}[{tag},", if list.is_empty() { "" } else { "," }).bytes());
            hex::quote(&mut list, data);
            list.push(b']');
        });
        if !list.is_empty() {
            out.push(separator);
            separator = b',';
            out.extend(b"\"_tags\":[");
            out.append(&mut list);
            out.push(b']');
        }
    }
    if separator == b'{' {
        out.push(b'{');
    }
    out.push(b'}');
}
