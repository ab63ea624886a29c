//! Why there is no result: the request, the harness, what the library can hold, or the library itself.

/// The library's own error.
#[derive(Debug)]
pub struct Refusal {
    pub class: &'static str,
    pub text: String,
    /// One of the reasons in the README of the bridge, if the library tells it.
    pub reason: Option<&'static str>,
}

impl Refusal {
    pub fn new(class: &'static str, text: impl std::fmt::Display) -> Refusal {
        Refusal {
            class,
            text: text.to_string(),
            reason: None,
        }
    }
}

#[derive(Debug)]
pub enum Failure {
    /// The line is no request of the protocol.
    Protocol(String),
    /// The library does not offer it.
    Unsupported(String),
    /// The library's types cannot hold the value: the path of the field, and the reason.
    Unrepresentable(String, String),
    /// The harness does not understand the value: the path of the field, and the reason.
    Harness(String, String),
    Rejected(Refusal),
    Crashed(String),
    ExhaustedMemory(String),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Rejected(refusal)
    }
}

impl Failure {
    pub fn unrepresentable(reason: impl Into<String>) -> Failure {
        Failure::Unrepresentable(String::new(), reason.into())
    }

    pub fn form(reason: impl Into<String>) -> Failure {
        Failure::Harness(String::new(), reason.into())
    }

    /// The same failure, one level further out.
    pub fn under(self, step: &str) -> Failure {
        let joined = |path: String| match path.is_empty() || path.starts_with('[') {
            true => format!("{step}{path}"),
            false => format!("{step}.{path}"),
        };
        match self {
            Failure::Unrepresentable(path, reason) => Failure::Unrepresentable(joined(path), reason),
            Failure::Harness(path, reason) => Failure::Harness(joined(path), reason),
            other => other,
        }
    }

    /// The outcome, and its text.
    pub fn outcome(self) -> (&'static str, String) {
        let placed = |path: String, reason: String| match path.is_empty() {
            true => reason,
            false => format!("{path}: {reason}"),
        };
        match self {
            Failure::Protocol(text) => ("protocol-error", text),
            Failure::Unsupported(text) => ("unsupported", text),
            Failure::Unrepresentable(path, reason) => ("unrepresentable", placed(path, reason)),
            Failure::Harness(path, reason) => ("harness-error", placed(path, reason)),
            Failure::Rejected(refusal) => ("rejected", refusal.text),
            Failure::Crashed(text) => ("crashed", text),
            Failure::ExhaustedMemory(text) => ("exhausted-memory", text),
        }
    }
}
