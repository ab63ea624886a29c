//! Bytes as lower-case hex digits, and back.

pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn decode(digits: &str) -> Result<Vec<u8>, String> {
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            std::str::from_utf8(pair)
                .ok()
                .filter(|pair| pair.len() == 2)
                .and_then(|pair| u8::from_str_radix(pair, 16).ok())
        })
        .collect::<Option<_>>()
        .ok_or_else(|| format!("{digits:.20} is not hex"))
}
