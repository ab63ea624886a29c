"""A session for tests, in this process, with the results of cases in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.codec.session import Session
from conformance.judge.engine import counted, run
from conformance.judge.tally import Tally
from reference import Release, load_release, newest_release

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.codec.session import AnyCodec
    from conformance.judge.case import Event, Violation
    from conformance.judge.kinds import CodecCase


def session_of(codec: AnyCodec, release: Release | None = None) -> Session:
    """Return a session in this process, by default against the newest release."""
    return Session(codec, release or load_release(newest_release()))


def tried(session: Session, cases: Iterable[CodecCase | Event]) -> tuple[list[Violation], Tally]:
    """Run cases, and return the violations and the counts of everything else."""
    tally = Tally()
    return list(counted(run(session, cases), tally)), tally
