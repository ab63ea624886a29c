"""A session for tests: an implementation without a child process."""

from conformance.implementation.driver import Implementation
from conformance.implementation.session import Session
from reference import Release, load_release, newest_release


def session_of(implementation: Implementation, release: Release | None = None) -> Session:
    """Return a session in this process, against the newest release unless one is named."""
    return Session(implementation, release or load_release(newest_release()))
