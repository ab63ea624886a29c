"""A session for tests: an implementation without a child process, and what comes of cases in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.codec.session import Session
from conformance.codec.tally import Tally
from conformance.judge.engine import counted, run
from reference import Release, load_release, newest_release

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.codec.driver import Implementation
    from conformance.judge.case import CodecCase, Event, Violation


def session_of(implementation: Implementation, release: Release | None = None) -> Session:
    """Return a session in this process, against the newest release unless one is named."""
    return Session(implementation, release or load_release(newest_release()))


def tried(session: Session, cases: Iterable[CodecCase | Event]) -> tuple[list[Violation], Tally]:
    """Run cases, and return the rules that they show to be broken and the counts of everything else."""
    tally = Tally()
    return list(counted(run(session, cases), tally)), tally
