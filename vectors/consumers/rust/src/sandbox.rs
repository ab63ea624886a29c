//! The codec in a process of its own, so that what ends the process is seen, and ends nothing else.
//!
//! A codec that trusts a length in its input may ask for gigabytes. The child refuses more than `LIMIT` bytes at a time,
//! on any machine, and Rust then aborts; the parent notes that, and starts another child.
//!
//! One line to the child: `request MetadataRequest 3 9 0001000000`. One line back: the outcome, tab between its parts.

use crate::codec::{decode, Decoded, Outcome, Subject};
use crate::hex;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub const ARGUMENT: &str = "--sandbox";
const LIMIT: usize = 64 << 20;

struct Refusing(AtomicUsize);

#[global_allocator]
static ALLOCATOR: Refusing = Refusing(AtomicUsize::new(usize::MAX));

// Safe as far as `System` is: it gets every request, or nobody does.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match layout.size() > self.0.load(Relaxed) {
            true => std::ptr::null_mut(),
            false => System.alloc(layout),
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        System.dealloc(memory, layout);
    }
}

/// The child: answers until its input ends.
pub fn serve() -> std::io::Result<()> {
    ALLOCATOR.0.store(LIMIT, Relaxed);
    std::panic::set_hook(Box::new(|_| {})); // A panic is an answer, and needs no message.
    for line in std::io::stdin().lines() {
        println!(
            "{}",
            answer(&line?).unwrap_or_else(|| "crashed\tthe request is not understood".into())
        );
    }
    Ok(())
}

fn answer(line: &str) -> Option<String> {
    let [kind, message, api_key, version, wire] = line.split(' ').collect::<Vec<_>>()[..] else {
        return None;
    };
    let (api_key, version) = (api_key.parse().ok(), version.parse().ok()?);
    let subject = Subject {
        kind: kind.into(),
        message: message.into(),
        api_key,
        version,
    };
    let wire = hex::decode(wire).ok()?;
    let outcome = std::panic::catch_unwind(|| decode(&subject, wire)).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or(panic.downcast_ref::<&str>().map(|text| text.to_string()));
        Outcome::Crashed(format!("panic: {}", text.unwrap_or_default()))
    });
    let (name, text) = match outcome {
        Outcome::Unsupported(reason) => ("unsupported", reason),
        Outcome::Rejected(error) => ("rejected", error),
        Outcome::Crashed(text) => ("crashed", text),
        Outcome::Decoded(decoded) => {
            let (word, encoded) = match decoded.encoded {
                Ok(bytes) => ("ok", hex::encode(&bytes)),
                Err(error) => ("error", error.replace(['\t', '\n'], " ")),
            };
            return Some(format!(
                "decoded\t{}\t{word}\t{encoded}\t{}",
                decoded.consumed, decoded.debug
            ));
        }
    };
    Some(format!("{name}\t{}", text.replace('\n', " ")))
}

/// The parent's side: a child that is started when it is needed.
#[derive(Default)]
pub struct Sandbox(Option<Child>);

impl Sandbox {
    pub fn decode(&mut self, subject: &Subject, wire: &str) -> Result<Outcome, String> {
        let mut child = match self.0.take() {
            Some(child) => child,
            None => start().map_err(|error| format!("the child does not start: {error}"))?,
        };
        let key = subject.api_key.map_or("-".into(), |key| key.to_string());
        let request = format!(
            "{} {} {key} {} {wire}\n",
            subject.kind, subject.message, subject.version
        );
        match ask(&mut child, &request) {
            Some(reply) => {
                self.0 = Some(child);
                parse(&reply).ok_or(format!("the child answered {reply:.80} to {request:.80}"))
            }
            None => Ok(Outcome::Crashed(last_words(child))),
        }
    }
}

fn start() -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(ARGUMENT).env("RUST_BACKTRACE", "0"); // Only the last words of a child are shown.
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// The child's reply, or nothing if it has died.
fn ask(child: &mut Child, request: &str) -> Option<String> {
    child.stdin.as_mut()?.write_all(request.as_bytes()).ok()?;
    let mut reply = String::new();
    // One reply at a time: nothing is left in the buffer.
    BufReader::new(child.stdout.as_mut()?).read_line(&mut reply).ok()?;
    reply.strip_suffix('\n').map(String::from)
}

fn last_words(mut child: Child) -> String {
    drop(child.stdin.take());
    let mut text = String::new();
    let _ = child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut text));
    let status = child
        .wait()
        .map_or_else(|error| error.to_string(), |status| status.to_string());
    text.lines().next().map_or(status, String::from)
}

fn parse(reply: &str) -> Option<Outcome> {
    let (name, rest) = reply.split_once('\t')?;
    let [consumed, word, encoded, debug] = rest.splitn(4, '\t').collect::<Vec<_>>()[..] else {
        return match name {
            "unsupported" => Some(Outcome::Unsupported(rest.into())),
            "rejected" => Some(Outcome::Rejected(rest.into())),
            "crashed" => Some(Outcome::Crashed(rest.into())),
            _ => None,
        };
    };
    let encoded = if word == "ok" {
        Ok(hex::decode(encoded).ok()?)
    } else {
        Err(encoded.into())
    };
    Some(Outcome::Decoded(Decoded {
        consumed: consumed.parse().ok()?,
        encoded,
        debug: debug.into(),
    }))
}
