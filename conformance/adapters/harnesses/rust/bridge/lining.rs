//! Lines up the fields of a definition with the slots of a struct: by name, then by order and type.

use super::definition::Field;
use super::kind::{Kind, Shape};

/// The slot of each field; None: the struct has none.
pub fn line_up(fields: &[Field], shape: &Shape, version: i16) -> Vec<Option<usize>> {
    let mut pairs: Vec<Option<usize>> = vec![None; fields.len()];
    for (index, field) in fields.iter().enumerate() {
        let named = |slot: &usize| plain(shape.slots[*slot].name) == plain(&field.name);
        let slot = (0..shape.slots.len()).find(named);
        pairs[index] = slot.filter(|slot| fits(field, &(shape.slots[*slot].kind)()));
    }
    fill(fields, shape, version, &mut pairs);
    pairs
}

/// Pair what lies between two pairs, in order, as far as the version has it and the types are the same.
fn fill(fields: &[Field], shape: &Shape, version: i16, pairs: &mut [Option<usize>]) {
    let mut next = 0;
    for index in 0..fields.len() {
        if let Some(slot) = pairs[index] {
            next = next.max(slot + 1);
            continue;
        }
        if !fields[index].versions.contain(version) {
            continue;
        }
        let until = pairs[index..]
            .iter()
            .flatten()
            .min()
            .copied()
            .unwrap_or(shape.slots.len());
        let free = (next..until).filter(|slot| !pairs.contains(&Some(*slot)));
        let slot = free
            .into_iter()
            .find(|slot| fits(&fields[index], &(shape.slots[*slot].kind)()));
        if let Some(slot) = slot {
            pairs[index] = Some(slot);
            next = slot + 1;
        }
    }
}

/// A name without case, underscores, and the numbers' separation.
pub fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| *letter != '_');
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether a kind holds what the definition says, looking no further than into arrays.
fn fits(field: &Field, kind: &Kind) -> bool {
    match kind.plain() {
        Kind::Array(inner) => field.is_array() && element_fits(field, inner.plain()),
        other => !field.is_array() && element_fits(field, other),
    }
}

fn element_fits(field: &Field, kind: &Kind) -> bool {
    match kind {
        Kind::Struct(_) => field.is_struct(),
        Kind::Scalar("bytes") => matches!(field.element(), "bytes" | "records"),
        Kind::Scalar(name) => field.element() == *name,
        _ => false,
    }
}
