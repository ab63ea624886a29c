//! Runs the golden vectors against the crate kafka-protocol, and prints which of them it fails, by id.
//!
//! The rules are three. Valid bytes are read as the vector's value and written again as `canonical`, or `wire` where the
//! vector has none. Invalid bytes are refused, and neither a crash nor a request for much memory is a refusal. With all
//! others a reader may do as it likes, short of crashing: what it does is its profile.

mod codec;
mod hex;
mod json;
mod records;
mod report;
mod sandbox;
mod view;

use codec::{Decoded, Outcome, Subject};
use json::Json;
use report::{Report, Verdict};
use sandbox::Sandbox;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use view::View;

const USAGE: &str = "usage: kafka-vectors [VECTORS] [--all] [--strict]
  VECTORS   the folder vectors/ (default: ../..)
  --all     name every failing vector, not only the first ones
  --strict  exit with 1 if any vector fails";
const FOLDERS: [&str; 4] = ["4.3.0/messages", "4.3.0/headers", "4.3.0/frames", "records"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == [sandbox::ARGUMENT] {
        return sandbox::serve().map_or(ExitCode::from(2), |()| ExitCode::SUCCESS);
    }
    let (options, folders): (Vec<String>, _) = arguments.into_iter().partition(|argument| argument.starts_with('-'));
    if folders.len() > 1 || options.iter().any(|option| option != "--all" && option != "--strict") {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    let vectors = PathBuf::from(folders.first().map_or("../..", String::as_str));
    match run(&vectors) {
        Ok(report) => {
            report.print(options.contains(&"--all".into()));
            let failed = options.contains(&"--strict".into()) && report.any_failed();
            ExitCode::from(u8::from(failed))
        }
        Err(error) => {
            eprintln!("kafka-vectors: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(vectors: &Path) -> Result<Report, String> {
    let mut report = Report::default();
    let mut sandbox = Sandbox::default();
    for file in files(vectors)? {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let json = Json::parse(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        let name = file
            .strip_prefix(vectors)
            .unwrap_or(&file)
            .with_extension("")
            .display()
            .to_string();
        run_file(&name, &json, &mut sandbox, &mut report).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    match report.is_empty() {
        true => Err(format!(
            "no vectors in {} (looked in {})",
            vectors.display(),
            FOLDERS.join(", ")
        )),
        false => Ok(report),
    }
}

fn files(vectors: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for folder in FOLDERS
        .map(|name| vectors.join(name))
        .iter()
        .filter(|folder| folder.is_dir())
    {
        let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        files.extend(
            entries
                .flatten()
                .map(|entry| entry.path())
                .filter(|path| path.extension().is_some_and(|it| it == "json")),
        );
    }
    files.sort();
    Ok(files)
}

fn run_file(name: &str, file: &Json, sandbox: &mut Sandbox, report: &mut Report) -> Result<(), String> {
    if let Some(apis) = file.get("apis") {
        return run_header_versions(name, apis, report);
    }
    for group in file.get("groups").ok_or("no groups")?.list() {
        let version = group
            .get("version")
            .map_or("0", |version| version.text().unwrap_or("0"));
        let subject = Subject {
            kind: text(file, "kind")?.into(),
            message: text(file, "message")?.into(),
            api_key: file.get("apiKey").and_then(Json::text).and_then(|key| key.parse().ok()),
            version: version.parse().map_err(|_| format!("{version} is no version"))?,
        };
        for vector in group.get("vectors").ok_or("no vectors")?.list() {
            let id = format!("{name}/v{version}/{}", text(vector, "id")?);
            let outcome = sandbox.decode(&subject, text(vector, "wire")?)?;
            let verdict = judge(vector, outcome).map_err(|error| format!("{id}: {error}"))?;
            report.add(id, text(vector, "result")?, vector, verdict);
        }
    }
    Ok(())
}

/// Not bytes, but which version of the header goes with which version of an API.
fn run_header_versions(name: &str, apis: &Json, report: &mut Report) -> Result<(), String> {
    for line in apis.list() {
        let number = |key| {
            text(line, key)?
                .parse::<i16>()
                .map_err(|_| format!("{key} is no int16"))
        };
        let (version, expected) = (
            number("version")?,
            (number("requestHeader")?, number("responseHeader")?),
        );
        let verdict = match codec::header_versions(number("apiKey")?, version) {
            None => Verdict::Unsupported("the crate has no such version of the API".into()),
            Some(seen) if seen == expected => Verdict::Passes,
            Some(seen) => Verdict::Fails("other headers".into(), format!("{seen:?} instead of {expected:?}")),
        };
        report.add(
            format!("{name}/{}/v{version}", text(line, "api")?),
            "headers",
            line,
            verdict,
        );
    }
    Ok(())
}

fn text<'a>(object: &'a Json, name: &str) -> Result<&'a str, String> {
    object
        .get(name)
        .and_then(Json::text)
        .ok_or_else(|| format!("no {name}"))
}

/// The three rules.
fn judge(vector: &Json, outcome: Outcome) -> Result<Verdict, String> {
    Ok(match (text(vector, "result")?, outcome) {
        (_, Outcome::Unsupported(reason)) => Verdict::Unsupported(reason),
        (result, Outcome::Crashed(how)) if how.starts_with("panic") => Verdict::Fails(format!("{result}, panics"), how),
        (result, Outcome::Crashed(how)) => Verdict::Fails(format!("{result}, ends the process"), how),
        ("valid", Outcome::Rejected(error)) => Verdict::Fails("valid, rejected".into(), error),
        ("valid", Outcome::Decoded(decoded)) => judge_value(vector, &decoded)?,
        ("invalid", Outcome::Rejected(_)) => Verdict::Passes,
        ("invalid", Outcome::Decoded(decoded)) => Verdict::Fails("invalid, accepted".into(), decoded.debug),
        ("unspecified", outcome) => judge_profile(vector, &outcome)?,
        (other, _) => return Err(format!("{other} is no result")),
    })
}

fn judge_value(vector: &Json, decoded: &Decoded) -> Result<Verdict, String> {
    let fails = |what: &str, detail: String| Ok(Verdict::Fails(format!("valid, {what}"), detail));
    let wire = text(vector, "wire")?;
    if let Some(difference) = difference(vector, decoded)? {
        return fails("another value", difference);
    }
    if decoded.consumed != wire.len() / 2 {
        return fails(
            "bytes left over",
            format!("{} of {} read", decoded.consumed, wire.len() / 2),
        );
    }
    let canonical = vector.get("canonical").and_then(Json::text).unwrap_or(wire);
    match &decoded.encoded {
        Err(error) => fails("not written again", error.clone()),
        Ok(bytes) if hex::encode(bytes) == canonical || hex::encode(bytes) == wire => Ok(Verdict::Passes),
        Ok(bytes) => fails(
            "written otherwise",
            format!("{} instead of {canonical}", hex::encode(bytes)),
        ),
    }
}

/// What the reader does with bytes that the protocol leaves open, beside what Apache Kafka was seen to do.
fn judge_profile(vector: &Json, outcome: &Outcome) -> Result<Verdict, String> {
    let Some(Json::Object(observed)) = vector.get("observed") else {
        return Err("nothing observed".into());
    };
    let (_, kafka) = observed.first().ok_or("nothing observed")?;
    let kafka_accepts = kafka.get("accepts") == Some(&Json::Bool(true));
    Ok(match outcome {
        Outcome::Decoded(_) if !kafka_accepts => Verdict::Profile("accepted", Some("Apache Kafka rejects")),
        Outcome::Decoded(decoded) if difference(kafka, decoded)?.is_some() => {
            Verdict::Profile("accepted", Some("Apache Kafka reads another value"))
        }
        Outcome::Decoded(_) => Verdict::Profile("accepted", None),
        _ if kafka_accepts => Verdict::Profile("rejected", Some("Apache Kafka accepts")),
        _ => Verdict::Profile("rejected", None),
    })
}

fn difference(expected: &Json, decoded: &Decoded) -> Result<Option<String>, String> {
    let value = expected.get("value").ok_or("no value")?;
    if let Some(expected) = records::expected(value) {
        return Ok(records::difference(&expected, &decoded.debug));
    }
    let view = View::parse(&decoded.debug).map_err(|error| format!("{error} in {}", decoded.debug))?;
    Ok(view::difference(value, &view, ""))
}
