//! Bytes as lower-case hex.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Append the hex of bytes.
fn append(out: &mut Vec<u8>, bytes: &[u8]) {
    out.reserve(2 * bytes.len());
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
}

/// Append the hex of bytes as a JSON string.
pub fn quote(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    append(out, bytes);
    out.push(b'"');
}

/// The bytes of hex digits; None if there is anything else.
pub fn decode(digits: &str) -> Option<Vec<u8>> {
    if digits.len() % 2 == 1 {
        return None;
    }
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs.map(|pair| Some(value(pair[0])? << 4 | value(pair[1])?)).collect()
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}
