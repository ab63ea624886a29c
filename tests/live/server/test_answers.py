"""Answers to ApiVersions in another version, from servers with version 0 alone."""

from __future__ import annotations

import pytest

from conformance.live.server.resending import send_pieces
from conformance.live.server.server import Server
from tests.fakes.lying_server import API_VERSIONS, DEFINITIONS, Fake, Honest
from tests.live.capture.broker import request
from tests.live.capture.test_answers import FACTS


class AnnouncesTheOldest(Honest):
    """Announces version 0 of ApiVersions, and gives one answer to all others."""

    body = b""

    def __init__(self, server: Fake) -> None:
        super().__init__(server)
        self.answers.announced = [{"ApiKey": API_VERSIONS, "MinVersion": 0, "MaxVersion": 0}]

    def answer(self, payload: bytes) -> bytes | None:
        if payload[3] == 0:
            return super().answer(payload)
        answer = payload[4:8] + self.body
        return len(answer).to_bytes(4) + answer


@pytest.mark.parametrize(("asked", "digits", "_", "rules"), FACTS.values(), ids=FACTS)
def test_answer_breaks_the_rules_of_the_version_it_is_read_in(
    asked: int, digits: str, _: object, rules: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AnnouncesTheOldest, "body", bytes.fromhex(digits))
    with Fake(AnnouncesTheOldest) as fake:
        [exchange] = send_pieces(Server(fake.address, DEFINITIONS), [request(API_VERSIONS, asked, 7)])
    assert tuple(departure.rule for departure in exchange.departures) == rules
