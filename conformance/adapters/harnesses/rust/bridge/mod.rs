//! The bridge protocol, for any library: lines, JSON forms of values, hello, outcomes, memory, definitions.
//!
//! A program has this as its module `bridge`, says `counting_allocator!()` once, and calls `serve` with a `Library`.

pub mod allocation;
mod defaults;
pub mod definition;
mod describe;
pub mod failure;
pub mod form;
pub mod frames;
mod guard;
mod hello;
pub mod hex;
pub mod kind;
pub mod library;
mod lining;
mod plan;
mod serve;
mod session;
pub mod structure;

pub use failure::{Failure, Refusal};
pub use form::Form;
pub use kind::Kind;
pub use library::{Body, Entry, Library};
pub use plan::Plan;
pub use serve::serve;
pub use structure::Tags;
