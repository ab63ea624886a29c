//! The forms and the entries of the crate's structs, which the build generates from its sources.

include!("generated.rs");
