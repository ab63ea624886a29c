"""A session for tests: an implementation without a child process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.implementation.session import Session
from reference import load_release, newest_release

if TYPE_CHECKING:
    from conformance.implementation.driver import Implementation
    from reference import Release


def session_of(implementation: Implementation, release: Release | None = None) -> Session:
    """Return a session in this process, against the newest release unless one is named."""
    return Session(implementation, release or load_release(newest_release()))
