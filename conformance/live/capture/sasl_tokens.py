"""Tokens of SASL that stand in a frame by themselves, where a request belongs.

They do so behind SaslHandshake version 0. A token of GSSAPI may also be the first thing on a connection, as clients
before the handshake wrote it (KIP-43).
"""

from __future__ import annotations

GSSAPI = 0x60
"""The tag of the first token of GSSAPI; a length in the form of DER follows (RFC 2743, 3.1)."""
SCRAM = (b"n,", b"y,", b"p=")
"""The beginnings of the first message of SCRAM and of OAUTHBEARER (RFC 5802, RFC 7628)."""
NULS_OF_PLAIN = 2
"""Between the three texts of PLAIN (RFC 4616)."""


def is_token(payload: bytes) -> bool:
    """Return whether a frame is a client's first token, of one of the mechanisms that Kafka has."""
    return is_gssapi(payload) or payload.startswith(SCRAM) or _is_plain(payload)


def is_gssapi(payload: bytes) -> bool:
    """Return whether a frame is a token of GSSAPI, as long as it says."""
    if len(payload) < 2 or payload[0] != GSSAPI:  # noqa: PLR2004  # tag and length
        return False
    size, long_form = payload[1] & 0x7F, payload[1] & 0x80
    if not long_form:
        return len(payload) == 2 + size
    return len(payload) == 2 + size + int.from_bytes(payload[2 : 2 + size])


def _is_plain(payload: bytes) -> bool:
    _, *rest = payload.split(b"\0")
    if len(rest) != NULS_OF_PLAIN or not all(rest):
        return False
    try:
        return payload.decode().replace("\0", "").isprintable()
    except UnicodeDecodeError:
        return False
