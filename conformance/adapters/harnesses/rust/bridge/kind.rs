//! The types of a library's values, in the words of the definitions.

use super::definition::Versions;

/// A type as the definitions would name it.
#[derive(Clone)]
pub enum Kind {
    /// `bool`, `int8`, `string`, `bytes` and so on.
    Scalar(&'static str),
    Array(Box<Kind>),
    Nullable(Box<Kind>),
    Struct(&'static Shape),
}

impl Kind {
    /// The same without null.
    pub fn plain(&self) -> &Kind {
        match self {
            Kind::Nullable(inner) => inner.plain(),
            other => other,
        }
    }

    /// The kind of what an array has, or of a field itself.
    pub fn element(&self) -> &Kind {
        match self.plain() {
            Kind::Array(inner) => inner.plain(),
            other => other,
        }
    }
}

/// What a struct has.
pub struct Shape {
    pub slots: &'static [Slot],
}

/// A field of a struct.
pub struct Slot {
    pub name: &'static str,
    /// The versions that have it, as the library says; empty: those of the struct.
    pub versions: &'static str,
    pub kind: fn() -> Kind,
}

impl Slot {
    /// Whether the library says that a version has the field.
    pub fn is_in(&self, version: i16) -> bool {
        let parsed = Versions::parse(self.versions);
        self.versions.is_empty() || parsed.is_none_or(|versions| versions.contain(version))
    }
}
