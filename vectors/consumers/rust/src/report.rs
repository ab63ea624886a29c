//! What is printed at the end: counts, and the vectors that fail, by what goes wrong and by flag.

use crate::json::Json;
use std::collections::{BTreeMap, BTreeSet};

/// How many vectors are named for a flag.
const SHOWN: usize = 2;
const WIDEST: usize = 150;

pub enum Verdict {
    Passes,
    /// What goes wrong, in a few words that many vectors share; and the details.
    Fails(String, String),
    Unsupported(String),
    /// What the reader does with bytes that the protocol leaves open, and what Apache Kafka does if that is something else.
    Profile(&'static str, Option<&'static str>),
}

/// One vector with what there is to say of it, the shortest first.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone)]
struct Entry {
    bytes: usize,
    id: String,
    detail: String,
}

type ByFlag = BTreeMap<String, Vec<Entry>>;

#[derive(Default)]
pub struct Report {
    /// Result, and what became of it: passes, fails, accepts, ...
    counts: BTreeMap<(String, &'static str), usize>,
    failing: BTreeMap<String, ByFlag>,
    profile: BTreeMap<String, ByFlag>,
    unsupported: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Report {
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub fn any_failed(&self) -> bool {
        !self.failing.is_empty()
    }

    pub fn add(&mut self, id: String, result: &str, vector: &Json, verdict: Verdict) {
        let bytes = vector.get("wire").and_then(Json::text).map_or(0, |wire| wire.len() / 2);
        let flags: Vec<&str> = vector
            .get("flags")
            .map_or(&[][..], Json::list)
            .iter()
            .filter_map(Json::text)
            .collect();
        let entry = |detail| Entry {
            bytes,
            id: id.clone(),
            detail,
        };
        let what = match verdict {
            Verdict::Passes => "pass",
            Verdict::Fails(how, detail) => {
                add_by_flag(self.failing.entry(how).or_default(), &flags, entry(detail));
                "fail"
            }
            Verdict::Unsupported(reason) => {
                let message = id.split('/').rev().nth(2).unwrap_or_default();
                *self
                    .unsupported
                    .entry(reason)
                    .or_default()
                    .entry(message.into())
                    .or_default() += 1;
                "unsupported"
            }
            Verdict::Profile(what, unlike) => {
                if let Some(kafka) = unlike {
                    add_by_flag(
                        self.profile.entry(format!("{what}, {kafka}")).or_default(),
                        &flags,
                        entry(String::new()),
                    );
                }
                what
            }
        };
        *self.counts.entry((result.into(), what)).or_default() += 1;
    }

    pub fn print(&self, all: bool) {
        println!("kafka-protocol 0.18.0 against the vectors of Apache Kafka 4.3.0\n");
        let results: BTreeSet<&String> = self.counts.keys().map(|(result, _)| result).collect();
        for result in results {
            let counts = self.counts.iter().filter(|((of, _), _)| of == result);
            let columns: Vec<String> = counts.map(|((_, what), count)| format!("{count} {what}")).collect();
            println!("{result:<12} {}", columns.join(", "));
        }
        for (reason, messages) in &self.unsupported {
            println!("\nunsupported, {reason}: {}", messages.values().sum::<usize>());
            println!("  {}", messages.keys().cloned().collect::<Vec<_>>().join(", "));
        }
        for (how, by_flag) in &self.failing {
            print_by_flag(&format!("FAIL: {how}"), by_flag, all);
        }
        for (how, by_flag) in &self.profile {
            print_by_flag(&format!("profile, no failure: {how}"), by_flag, all);
        }
    }
}

fn add_by_flag(by_flag: &mut ByFlag, flags: &[&str], entry: Entry) {
    for flag in if flags.is_empty() { &["no flag"] } else { flags } {
        by_flag.entry(flag.to_string()).or_default().push(entry.clone());
    }
}

/// A vector with several flags is under each of them, and counted once in the heading.
fn print_by_flag(heading: &str, by_flag: &ByFlag, all: bool) {
    let distinct: BTreeSet<&String> = by_flag.values().flatten().map(|entry| &entry.id).collect();
    println!("\n{heading}: {}", distinct.len());
    for (flag, entries) in by_flag {
        let mut entries = entries.clone();
        entries.sort();
        println!("  {flag}: {}", entries.len());
        for Entry { id, detail, .. } in entries.iter().take(if all { usize::MAX } else { SHOWN }) {
            println!("    {id}{}{detail:.WIDEST$}", if detail.is_empty() { "" } else { ": " });
        }
    }
}
