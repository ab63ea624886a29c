//! Calls into the library: a panic, and memory out of proportion to the input, is a failure of their own.

use super::{allocation, Failure};
use std::cell::RefCell;
use std::panic::{catch_unwind, AssertUnwindSafe, PanicHookInfo};

const MEBIBYTE: usize = 1 << 20;
/// What any input may take, and each byte of it beyond that; as conformance/codec/bridge/memory.py has it.
const ALLOWANCE: usize = 64 * MEBIBYTE;
const FACTOR: usize = 1024;

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Have panics keep their message and place, and print nothing.
pub fn quiet_panics() {
    std::panic::set_hook(Box::new(|panic| {
        PANIC.with(|text| *text.borrow_mut() = described(panic))
    }));
}

fn described(panic: &PanicHookInfo) -> String {
    let payload = panic.payload();
    let message = payload.downcast_ref::<String>().map(String::as_str);
    let message = message.or(payload.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    let place = panic.location().map_or(String::new(), |place| {
        format!(", in {} line {}", crate_path(place.file()), place.line())
    });
    format!("panic: {message}{place}")
}

/// The path of a source file from the folder of its crate.
fn crate_path(file: &str) -> &str {
    if let Some((_, inside)) = file.split_once("/registry/src/") {
        return inside.split_once('/').map_or(inside, |(_, path)| path);
    }
    file.split_once("/library/").map_or(file, |(_, path)| path)
}

/// Do the harness's own work: a panic of its own is its error, and not the library's.
pub fn own<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Failure::form(last_panic())))
}

fn last_panic() -> String {
    PANIC.with(|text| text.borrow().clone())
}

/// Call the library with an input of some size.
pub fn guard<T>(size: usize, call: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let before = allocation::begin();
    let result = catch_unwind(AssertUnwindSafe(call));
    let grown = allocation::grown(before);
    if grown > ALLOWANCE + FACTOR * size {
        let text = format!("allocated {} MiB for {size} bytes", grown / MEBIBYTE);
        return Err(Failure::ExhaustedMemory(text));
    }
    result.unwrap_or_else(|_| Err(Failure::Crashed(last_panic())))
}
