"""Violations found by no check, and the content of the file of a found case."""

import json
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import msgspec

from conformance.judge.case import Case, Violation
from conformance.judge.events import REFUSAL, wrote
from conformance.judge.forms import Broken, as_json
from conformance.targets import Target
from reference import newest_release

FOUND_CASE: dict[str, Any] = {
    "format": 1,
    "kind": "value",
    "release": newest_release(),
    "message": "HeartbeatResponse",
    "version": 0,
    "rule": "int.width-and-order",
    "path": "ErrorCode",
    "case": "ErrorCode=1",
    "wire": "0001",
    "value": "",
    "deterministic": True,
}
"""The content of the file of a found case."""


@dataclass(frozen=True)
class Place:
    """A message and a version, of any release or none."""

    message: str
    version: int


@dataclass(frozen=True)
class StubCase(Case):
    """A case without a run."""

    kind: ClassVar[str] = "stub"
    place: Place
    name: str = "a case"
    path: str = ""
    data: bytes = b""
    deterministic: bool = True

    @property
    def target(self) -> Target:
        return cast("Target", self.place)

    @property
    def wire(self) -> bytes:
        return self.data


def violation(rule: str, message: str, version: int = 0, *, deterministic: bool = True, **facts: Any) -> Violation:
    """Return a violation of a rule in a message.

    `facts` are other fields of `Violation`, or `wire` or `name`.
    """
    wire, name = facts.pop("wire", b""), facts.pop("name", "a case")
    case = StubCase(Place(message, version), name, facts.get("path", ""), wire, deterministic)
    known = {"path": "", "direction": "encode", "expectation": REFUSAL, "observation": wrote(b"\0")}
    return Violation(**{"rule": rule, **known, **facts, "case": case})


def sent(event: Broken) -> Broken:
    """Return an event as read from a file, or by another process."""
    return msgspec.convert(json.loads(json.dumps(as_json(event))), Broken)


def read_violation(event: Broken) -> Violation:
    """Return the violation of an event with such a case."""
    place, wire = Place(event.message, event.version), bytes.fromhex(event.wire)
    return Violation.of(event, StubCase(place, event.case, event.path, wire, event.deterministic))
