"""TLS and SASL at the beginning of a connection."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import ssl
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from conformance.live.server.connection import request
from conformance.system.system_errors import text_of
from reference import ConformanceError, completed

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.server.connection import Connection

PASSWORD = "KAFKA_PASSWORD"  # noqa: S105  # the name of the variable
SASL_HANDSHAKE, SASL_AUTHENTICATE = 17, 36
HANDSHAKE_VERSION, AUTHENTICATE_VERSION = 1, 1
CORRELATION_ID = 3
HASHES = {"SCRAM-SHA-256": "sha256", "SCRAM-SHA-512": "sha512"}


class NotAuthenticated(ConformanceError):
    """The server refuses the credentials, or credentials are missing."""


@dataclass(frozen=True)
class Credentials:
    """A name and a password, with the mechanism of SASL."""

    mechanism: str
    user: str
    password: str = field(repr=False)

    @classmethod
    def chosen(cls, mechanism: str | None, user: str | None) -> Credentials | None:
        """Return the credentials of a run, or None if it has none.

        Raises:
            NotAuthenticated: a part of them is missing.
        """
        if mechanism is None:
            return None
        password = os.environ.get(PASSWORD)
        if not user or password is None:
            raise NotAuthenticated(f"--sasl={mechanism} needs --user=NAME, and the password in {PASSWORD}")
        return cls(mechanism, user, password)


def tls_context(cafile: str | None, certfile: str | None) -> ssl.SSLContext:
    """Return the settings of TLS, or raise NotAuthenticated if a file cannot be read."""
    try:
        context = ssl.create_default_context(cafile=cafile)
        if certfile:
            context.load_cert_chain(certfile)
    except (OSError, ssl.SSLError) as error:
        raise NotAuthenticated(f"{certfile or cafile}: {text_of(error)}") from error
    return context


def authentication(credentials: Credentials, definitions: Definitions) -> Callable[[Connection], None]:
    """Return a function to authenticate a new connection."""

    def authenticate(connection: Connection) -> None:
        _ask(connection, definitions, SASL_HANDSHAKE, HANDSHAKE_VERSION, {"Mechanism": credentials.mechanism})
        if credentials.mechanism == "PLAIN":
            _send(connection, definitions, f"\0{credentials.user}\0{credentials.password}".encode())
        else:
            _scram(connection, definitions, credentials)

    return authenticate


def _scram(connection: Connection, definitions: Definitions, credentials: Credentials) -> None:
    """Authenticate by SCRAM (RFC 5802), without channel binding."""
    name = HASHES[credentials.mechanism]
    user, nonce = credentials.user.replace("=", "=3D").replace(",", "=2C"), secrets.token_urlsafe(18)
    first = f"n={user},r={nonce}"
    challenge = _send(connection, definitions, f"n,,{first}".encode()).decode(errors="replace")
    combined, salt, rounds = _challenge(challenge, nonce)
    # This is `n,,` in base64, for no channel binding.
    last = f"c=biws,r={combined}"
    text = f"{first},{challenge},{last}".encode()
    salted = hashlib.pbkdf2_hmac(name, credentials.password.encode(), salt, rounds)
    client_key = hmac.digest(salted, b"Client Key", name)
    signature = hmac.digest(hashlib.new(name, client_key).digest(), text, name)
    proof = bytes(one ^ other for one, other in zip(client_key, signature, strict=True))
    answer = _send(connection, definitions, f"{last},p={base64.b64encode(proof).decode()}".encode())
    expected = base64.b64encode(hmac.digest(hmac.digest(salted, b"Server Key", name), text, name))
    if answer.partition(b"v=")[2].partition(b",")[0] != expected:
        raise NotAuthenticated(f"{credentials.mechanism}: the server does not prove that it knows the password")


def _challenge(text: str, nonce: str) -> tuple[str, bytes, int]:
    """Return nonce, salt and number of rounds, or raise NotAuthenticated."""
    parts = dict(part.partition("=")[::2] for part in text.split(","))
    try:
        combined, salt, rounds = parts["r"], base64.b64decode(parts["s"]), int(parts["i"])
    except (KeyError, ValueError) as error:
        raise NotAuthenticated(f"SCRAM: the server's challenge has no nonce, salt and rounds: {text!r}") from error
    if not combined.startswith(nonce) or rounds < 1:
        raise NotAuthenticated(f"SCRAM: the server's challenge is no answer to the nonce {nonce!r}: {text!r}")
    return combined, salt, rounds


def _send(connection: Connection, definitions: Definitions, data: bytes) -> bytes:
    value = _ask(connection, definitions, SASL_AUTHENTICATE, AUTHENTICATE_VERSION, {"AuthBytes": data})
    answer: bytes = value["AuthBytes"]
    return answer


def _ask(
    connection: Connection, definitions: Definitions, api_key: int, version: int, value: dict[str, Any]
) -> dict[str, Any]:
    release = definitions.release_of(api_key, version)
    schema = definitions.body("request", api_key, version)
    if release is None or schema is None:
        raise NotAuthenticated(f"no release defines {definitions.name(api_key)} version {version}")
    asked = request(release, api_key, version, CORRELATION_ID, completed(schema, value))
    connection.send(asked.wire)
    reply = connection.receive()
    answer = asked.judge(definitions, reply).value if reply.is_frame else None
    if answer is None or answer["ErrorCode"] != 0:
        why = reply if answer is None else answer.get("ErrorMessage") or f"error code {answer['ErrorCode']}"
        raise NotAuthenticated(f"{definitions.name(api_key)}: the server refuses: {why}")
    return answer
