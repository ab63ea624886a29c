//! Runs the golden vectors of requests and responses against kafka-protocol.
//!
//! Valid bytes are read to their end and written again, invalid bytes are refused. Whatever else happens is printed.

use anyhow::{anyhow, bail, ensure, Context, Result};
use bytes::{Bytes, BytesMut};
use glob::Pattern;
use kafka_protocol::messages::{ApiKey, RequestKind, ResponseKind};
use serde_json::Value;
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;

/// What kafka-protocol says of a version that it lacks, and this program of a message.
const LACKING: &str = "specified version not supported by this message type";

const USAGE: &str = "no vectors; usage: cargo run -- [--known FILE] FOLDER RELEASE";

/// An allocator that names the vector for which the codec asks for more than 64 MiB: Rust then ends the program.
struct Limited;

#[global_allocator]
static ALLOCATOR: Limited = Limited;
static CURRENT: Mutex<String> = Mutex::new(String::new());

// As safe as `System`: every request is refused or passed on to it.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() <= 64 << 20 {
            return System.alloc(layout);
        }
        eprintln!("{:?}: {} bytes of memory", CURRENT.lock(), layout.size());
        std::ptr::null_mut()
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        System.dealloc(memory, layout);
    }
}

#[derive(Default)]
struct Run {
    /// Lines `fails PATTERN` of a file, and `aborts PATTERN`: those are not run.
    known: Vec<(String, Pattern)>,
    counts: BTreeMap<&'static str, usize>,
}

impl Run {
    fn knows(&self, word: &str, id: &str) -> bool {
        self.known.iter().any(|(kind, ids)| kind == word && ids.matches(id))
    }

    /// Tries the versions of a file that the release takes.
    fn file(&mut self, folder: &Path, name: &str, versions: &[Value]) -> Result<()> {
        let file = read_json(&folder.join(name))?;
        let stem = name.trim_end_matches(".json");
        let is_taken = |group: &&Value| versions.contains(&group["version"]);
        for group in list(&file["groups"]).iter().filter(is_taken) {
            for vector in list(&group["vectors"]) {
                let id = format!("{stem}/v{}/{}", group["version"], string(&vector["id"]));
                let verdict = self.verdict(&file, &group["version"], vector, &id);
                *self.counts.entry(verdict).or_default() += 1;
            }
        }
        Ok(())
    }

    fn verdict(&self, file: &Value, version: &Value, vector: &Value, id: &str) -> &'static str {
        let (result, version) = (string(&vector["result"]), version.as_i64().unwrap_or_default() as i16);
        match result {
            "unspecified" => return "unspecified",
            "unwritable" => return "unwritable",
            _ if self.knows("aborts", id) => return "left out",
            _ => *CURRENT.lock().unwrap() = id.into(),
        }
        let found = catch_unwind(|| read_and_write(file, version, string(&vector["wire"])));
        let expected = string(vector.get("canonical").unwrap_or(&vector["wire"]));
        let wrong = match found {
            Ok(Err(error)) if error.root_cause().to_string() == LACKING => return "of messages that it lacks",
            Ok(Err(_)) if result == "invalid" => return "passed",
            Ok(Ok((written, 0))) if result == "valid" && written == expected => return "passed",
            Ok(Ok((written, left))) => format!("written as {written}, {left} bytes are left"),
            Ok(Err(error)) => format!("refused: {}", error.root_cause()),
            Err(_) => "panic".into(),
        };
        if self.knows("fails", id) {
            return "known to fail";
        }
        println!("{id}: {result}, {wrong}");
        "failed"
    }
}

fn read_json(path: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// What a vector's bytes are written as after they were read, and how many bytes were not read.
fn read_and_write(file: &Value, version: i16, wire: &str) -> Result<(String, usize)> {
    let number = file["apiKey"].as_i64().context(LACKING)? as i16;
    let key = ApiKey::try_from(number).map_err(|()| anyhow!(LACKING))?;
    let (mut wire, mut written) = (Bytes::from(hex::decode(wire)?), BytesMut::new());
    match string(&file["kind"]) {
        "request" => RequestKind::decode(key, &mut wire, version)?.encode(&mut written, version)?,
        "response" => ResponseKind::decode(key, &mut wire, version)?.encode(&mut written, version)?,
        _ => bail!(LACKING),
    }
    Ok((hex::encode(written), wire.len()))
}

fn read_known(path: &str) -> Result<Vec<(String, Pattern)>> {
    let text = std::fs::read_to_string(path).with_context(|| path.to_owned())?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once(' '));
    pairs.map(|(word, ids)| Ok((word.into(), Pattern::new(ids)?))).collect()
}

fn main() -> Result<ExitCode> {
    std::panic::set_hook(Box::new(|_| ())); // a panic is printed as what is wrong with a vector
    let mut run = Run::default();
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.len() > 2 && arguments[0] == "--known" {
        run.known = read_known(&arguments[1])?;
        arguments.drain(..2);
    }
    let [folder, release] = &arguments[..] else {
        bail!(USAGE)
    };
    let releases = read_json(&Path::new(folder).join("releases.json"))?;
    for (name, versions) in releases["taken"][release].as_object().into_iter().flatten() {
        if name.contains("/messages/") {
            run.file(Path::new(folder), name, list(versions))?;
        }
    }
    println!("{:?}", run.counts);
    ensure!(!run.counts.is_empty(), USAGE);
    Ok(ExitCode::from(u8::from(run.counts.contains_key("failed"))))
}
