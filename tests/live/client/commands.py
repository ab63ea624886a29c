"""How the fake clients are run."""

from __future__ import annotations

import sys
from pathlib import Path

from conformance.definitions.defining_releases import Definitions
from conformance.live.client.trial import ClientSubject
from reference import load_release, newest_release
from tests.fakes import clients

DEFINITIONS = Definitions.beginning_with(load_release(newest_release()))
ROOT = Path(__file__).parents[3]
DEADLINE = 60.0
"""Seconds: a fake takes one, if the machine is not busy."""


def fake(name: str) -> tuple[str, ...]:
    """Return the command of a fake client."""
    return sys.executable, "-E", "-S", clients.__file__, name


def client(name: str, deadline: float = DEADLINE) -> ClientSubject:
    """Return a fake client as it is put to the test."""
    return ClientSubject(fake(name), DEFINITIONS, deadline)
