"""TLS with certificates made for the test, and SCRAM against a server by a library of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import trustme

from conformance.judge.tally import Tally
from conformance.live.server.authentication import check_authentication
from conformance.live.server.black_box import BlackBox
from conformance.live.server.security import Credentials, NotAuthenticated, authentication, tls_context
from conformance.live.server.server import NoServer, Server
from conformance.live.server.sound_requests import check_sound_requests
from conformance.live.server.tiers import Permission
from tests.fakes.lying_server import DEFINITIONS, METADATA, Fake
from tests.fakes.secure_server import (
    PASSWORD,
    USER,
    AsksByScram,
    AsksByScram512,
    ProvesNothing,
    authority_file,
    server_context,
)
from tests.helpers.events import found

if TYPE_CHECKING:
    from pathlib import Path

DEADLINE = 20.0
MECHANISMS = {"SCRAM-SHA-256": AsksByScram, "SCRAM-SHA-512": AsksByScram512}


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def secured(fake: Fake, cafile: str, certfile: str | None = None) -> Server:
    return Server(fake.address, DEFINITIONS, tls_context(cafile, certfile), deadline=DEADLINE)


def test_server_with_tls_answers(authority: trustme.CA, tmp_path: Path) -> None:
    """The authority is that of `--cafile`, and every check uses TLS."""
    with Fake(context=server_context(authority)) as fake:
        black_box = BlackBox(secured(fake, authority_file(authority, tmp_path)), Permission())
        tally = Tally()
        assert found(check_sound_requests(black_box, METADATA, 13), tally) == []
        black_box.close()
    assert tally.cases["sound requests"] > 0


def test_server_of_another_authority_is_refused_with_advice(authority: trustme.CA, tmp_path: Path) -> None:
    """The error names the address, the reason and the option."""
    with Fake(context=server_context(authority)) as fake:
        server = secured(fake, authority_file(trustme.CA(), tmp_path))
        with pytest.raises(NoServer, match=rf"{fake.address}: .*certificate.*--cafile"):
            _ = server.announced


def test_server_without_tls_is_refused(authority: trustme.CA, tmp_path: Path) -> None:
    """An unanswered handshake ends in an error, not in a wait."""
    with Fake() as fake, pytest.raises(NoServer, match=r"cannot connect"):
        _ = secured(fake, authority_file(authority, tmp_path)).announced


def test_client_shows_its_certificate(authority: trustme.CA, tmp_path: Path) -> None:
    """A server that asks for a certificate takes that of `--certfile`."""
    certfile = tmp_path / "client.pem"
    authority.issue_cert("client.example").private_key_and_cert_chain_pem.write_to_path(certfile)
    with Fake(context=server_context(authority, asks_for_certificate=True)) as fake:
        assert secured(fake, authority_file(authority, tmp_path), str(certfile)).announced.entries


def test_client_without_a_certificate_is_not_served(authority: trustme.CA, tmp_path: Path) -> None:
    """The same server closes without one."""
    with Fake(context=server_context(authority, asks_for_certificate=True)) as fake, pytest.raises(NoServer):
        _ = secured(fake, authority_file(authority, tmp_path)).announced


@pytest.mark.parametrize("missing", ["cafile", "certfile"])
def test_missing_file_is_named(missing: str, tmp_path: Path) -> None:
    """No run begins without it."""
    path = str(tmp_path / "none.pem")
    files = {"cafile": None, "certfile": None, missing: path}
    with pytest.raises(NotAuthenticated, match=r"none\.pem"):
        tls_context(**files)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_scram_authenticates(mechanism: str) -> None:
    """The name has the two characters that SCRAM escapes, and nothing is answered before authentication."""
    credentials = Credentials(mechanism, USER, PASSWORD)
    with Fake(MECHANISMS[mechanism]) as fake:
        server = Server(fake.address, DEFINITIONS, None, authentication(credentials, DEFINITIONS), DEADLINE)
        black_box = BlackBox(server, Permission())
        assert found(check_authentication(black_box)) == []
        assert found(check_sound_requests(black_box, METADATA, 13)) == []
        black_box.close()


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize(("user", "password"), [(USER, "wrong"), ("nobody", PASSWORD)])
def test_wrong_credentials_are_refused_with_the_reason(mechanism: str, user: str, password: str) -> None:
    """The error names the refused step."""
    authenticate = authentication(Credentials(mechanism, user, password), DEFINITIONS)
    with Fake(MECHANISMS[mechanism]) as fake:
        server = Server(fake.address, DEFINITIONS, None, authenticate, DEADLINE)
        with pytest.raises(NotAuthenticated, match=r"SaslAuthenticate: .*refuses"):
            server.connect()


def test_server_without_the_password_is_reported() -> None:
    """SCRAM authenticates both sides."""
    authenticate = authentication(Credentials("SCRAM-SHA-256", USER, PASSWORD), DEFINITIONS)
    with Fake(ProvesNothing) as fake:
        server = Server(fake.address, DEFINITIONS, None, authenticate, DEADLINE)
        with pytest.raises(NotAuthenticated, match=r"does not prove"):
            server.connect()
