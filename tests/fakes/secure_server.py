"""Servers that authenticate their clients, by certificates or by SCRAM.

The certificates are made for the test; SCRAM is that of an independent library.
"""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Any

import trustme
from scramp import ScramException, ScramMechanism

from conformance.live.capture.frame_verdict import judge_request
from tests.fakes.lying_server import API_VERSIONS, DEFINITIONS, Fake, Honest, api_key

if TYPE_CHECKING:
    from pathlib import Path

    from scramp.core import ScramServer

USER, PASSWORD = "us,er=1", "secret"
ROUNDS = 4096
SASL_HANDSHAKE, SASL_AUTHENTICATE, AUTHENTICATION_FAILED = 17, 36, 58


def server_context(authority: trustme.CA, *, asks_for_certificate: bool = False) -> ssl.SSLContext:
    """Return the TLS context of a server on 127.0.0.1, with a certificate signed by an authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    if asks_for_certificate:
        authority.configure_trust(context)
        context.verify_mode = ssl.CERT_REQUIRED
    return context


def authority_file(authority: trustme.CA, folder: Path) -> str:
    """Return the path of a file with the certificate of an authority."""
    path = folder / "authority.pem"
    authority.cert_pem.write_to_path(path)
    return str(path)


class AsksByScram(Honest):
    """Answers nothing else before a client has proved its knowledge of the password."""

    mechanism = "SCRAM-SHA-256"
    is_known = False

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        made = ScramMechanism(self.mechanism)
        salt, stored_key, server_key, rounds = made.make_auth_info(PASSWORD, iteration_count=ROUNDS)
        self.scram: ScramServer = made.make_server(lambda user: self._info(user, salt, stored_key, server_key, rounds))
        self.steps = 0

    @staticmethod
    def _info(user: str, *info: Any) -> tuple[Any, ...]:
        if user != USER:
            raise ScramException(f"unknown user {user!r}", "unknown-user")
        return info

    def answer(self, payload: bytes) -> bytes | None:
        key = api_key(payload)
        if key == SASL_AUTHENTICATE:
            return self._authenticate(payload)
        is_allowed = self.is_known or key in {API_VERSIONS, SASL_HANDSHAKE}
        return super().answer(payload) if is_allowed else None

    def _authenticate(self, payload: bytes) -> bytes:
        judged = judge_request(DEFINITIONS, payload)
        assert judged.value is not None
        value = self.answers.value_for(judged)
        answer: dict[str, Any]
        try:
            answer = {"AuthBytes": self.step(judged.value["AuthBytes"].decode()).encode()}
        except ScramException as error:
            answer = {"ErrorCode": AUTHENTICATION_FAILED, "ErrorMessage": str(error)}
        return self.answers.response(judged, {**value, **answer})

    def step(self, text: str) -> str:
        """Return the answer to a message of the client."""
        self.steps += 1
        if self.steps == 1:
            self.scram.set_client_first(text)
            return str(self.scram.get_server_first())
        self.scram.set_client_final(text)
        self.is_known = True
        return str(self.scram.get_server_final())


class AsksByScram512(AsksByScram):
    """Demands the longer hash."""

    mechanism = "SCRAM-SHA-512"


class ProvesNothing(AsksByScram):
    """Accepts any password, and does not know it itself."""

    def step(self, text: str) -> str:
        answer = super().step(text)
        return answer if self.steps == 1 else "v=" + "A" * 43 + "="
