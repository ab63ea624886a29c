"""The replies of harnesses, and what is done with them."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any
from unittest import mock

from conformance.adapter import AdapterError
from conformance.codec.bridge import transcript
from conformance.codec.bridge.harness_check import HarnessUnderCheck, run_checks
from conformance.codec.bridge.hello import start_harness
from conformance.codec.bridge.loading import harness_words, load_codec
from conformance.codec.bridge.transport import program
from conformance.system import program_runs
from conformance.system.program_runs import Finished
from conformance.targets import DECODE, ENCODE, Ask, Body
from reference import load_release
from tests.campaign.conftest import HONEST
from tests.damage.running import Unwanted
from tests.helpers.releases import NEWEST

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

RELEASE = load_release(NEWEST)


def _printable(text: str) -> str:
    if not text.replace("\n", "").isprintable():
        raise Unwanted(f"unprintable characters in {text!r}")
    return text


def recorded_transcripts(folder: Path) -> Path:
    """Record the replies of a sound harness to the checks of `bridge check`, in their order."""
    outputs: list[bytes] = []

    def recording(command: Sequence[str], **options: Any) -> Finished:
        outputs.append(program_runs.run(command, **options).output)
        return Finished(0, outputs[-1], "")

    with mock.patch.object(transcript, "run", recording):
        _check_harness(harness_words(HONEST, RELEASE))
    path = folder / "replies.jsonl"
    path.write_bytes(b"".join(outputs))
    return path


def checked_transcripts(path: Path) -> object:
    lines = path.read_bytes().splitlines(keepends=True)

    def replayed(_: Sequence[str], *, stdin: bytes, **_options: Any) -> Finished:
        own = lines[: stdin.count(b"\n")]
        del lines[: len(own)]
        return Finished(0, b"".join(own), "")

    with mock.patch.object(transcript, "run", replayed):
        return _check_harness(("cat",))


def _check_harness(command: Sequence[str]) -> list[str]:
    harness = HarnessUnderCheck(command, RELEASE, 10.0)
    with mock.patch.object(HarnessUnderCheck, "exchange"):  # of large requests, which take seconds
        return [_printable(str(found)) for _, several in run_checks(harness, _hello()) for found in several]


@cache
def _hello() -> dict[str, Any]:
    process, hello = start_harness(program(harness_words(HONEST, RELEASE)), RELEASE)
    process.close()
    return hello


SCHEMA = RELEASE.schema("HeartbeatResponse", 0)
PACED = 'exec 3<"$0"; while read -r _; do IFS= read -r reply <&3 || exit; printf "%s\\n" "$reply"; done'
"""A harness that answers each request with the next line of a file."""

REPLIES = (
    {"id": 1, "outcome": "value", "value": {"ErrorCode": 0}, "consumed": 2},
    {"id": 2, "outcome": "rejected", "class": "ValueError", "text": "no", "reason": "truncated"},
    {"id": 3, "outcome": "bytes", "wire": "0000"},
)


def recorded_replies(folder: Path) -> Path:
    lines = ({"id": 0, **_hello(), "notes": [{"message": "HeartbeatResponse", "note": "text"}]}, *REPLIES)
    path = folder / "replies.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines), encoding="utf-8")
    return path


def session_of(path: Path) -> object:
    try:
        codec = load_codec(f"stdio:sh -c '{PACED}' {path}", RELEASE, deadline=5.0)
    except AdapterError as error:
        return _printable(str(error))
    outcomes = [codec.perform(Ask(DECODE, Body(SCHEMA), wire)) for wire in (b"\0\0", b"\0")]
    outcomes.append(codec.perform(Ask(ENCODE, Body(SCHEMA), {"ErrorCode": 0})))
    claims = codec.claims
    return [_printable(str(each)) for each in (claims.name, claims.version, *claims.notes, *outcomes)]
