"""Claims of a state folder for one night at a time.

On this machine a lock protects the folder. Elsewhere there are no locks, and a claim replaces them. A claim is a file
with the name of its holder. The holder rewrites it until its work ends. A process that finds a claim waits for a
rewrite. Without one the holder has ended, perhaps by `kill -9`, and the folder is free. Clocks are never compared. A
holder that was stopped for longer than the wait, and continues then, is not noticed.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from contextlib import contextmanager
from pathlib import Path
from socket import gethostname
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from conformance.campaign.spark.storage import StorageFailed
from conformance.system.folders import InUse, alone
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.campaign.spark.storage import Storage

CLAIM = "claim.json"

BEAT = 5.0
"""Seconds between two writes of a claim."""

PATIENCE = 4 * BEAT
"""Seconds without a write before a claim is void."""

SETTLED = 1.0
"""Seconds before a new claim is read again. Of two concurrent claims one has overwritten the other, and the holder of
the latter gives up."""


@contextmanager
def held(folder: Storage, work: str) -> Iterator[None]:
    """Hold a folder for this process alone.

    Raises:
        InUse: another process holds it; the text names the process.
        StorageFailed: the folder cannot be read or written.
    """
    if folder.is_local:
        with alone(Path(folder.uri), work):
            yield
        return
    claim = {"holder": f"process {os.getpid()} on {gethostname()}", "token": uuid.uuid4().hex, "beats": 0}
    _refuse_if_held(folder, work)
    _write(folder, claim)
    # Without locks two processes may write at once. Both read the later claim now, and one of them gives up.
    time.sleep(SETTLED)
    present = _claim(folder)
    if present is not None and present["token"] != claim["token"]:
        raise _in_use(folder, work, present)
    ended = Event()
    beats = Thread(target=_beat, args=(folder, claim, ended), daemon=True)
    beats.start()
    try:
        yield
    finally:
        ended.set()
        beats.join()
        folder.remove(CLAIM)


def _refuse_if_held(folder: Storage, work: str) -> None:
    """Wait whether an existing claim is rewritten, and raise InUse if it is.

    A claim without a rewrite is void.
    """
    first = present = _claim(folder)
    until = time.monotonic() + PATIENCE
    while present is not None and time.monotonic() < until:
        if present != first:
            raise _in_use(folder, work, present)
        time.sleep(PATIENCE / 20)
        present = _claim(folder)


def _in_use(folder: Storage, work: str, claim: dict[str, Any]) -> InUse:
    return InUse(f"{folder} is in use by another {work}, {claim.get('holder', 'unknown')}. Wait for its end.")


def _claim(folder: Storage) -> dict[str, Any] | None:
    """Return the claim of a folder, or None if it has no valid one."""
    try:
        claim = parse_json(folder.read(CLAIM) or b"null", CLAIM)
    except BadInput:
        return None
    return claim if isinstance(claim, dict) and "token" in claim else None


def _write(folder: Storage, claim: dict[str, Any]) -> None:
    folder.write(CLAIM, (json.dumps(claim) + "\n").encode())


def _beat(folder: Storage, claim: dict[str, Any], ended: Event) -> None:
    """Rewrite the claim until the work has ended.

    The next write makes up for a failed one.
    """
    while not ended.wait(BEAT):
        claim["beats"] += 1
        try:
            _write(folder, claim)
        except StorageFailed:
            continue
