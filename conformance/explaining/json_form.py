"""The JSON form of an explanation; explanation.schema.json has its schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conformance.explaining.explanation import Conclusion, Explanation

SCHEMA = "explanation.schema.json"


def explanation_as_json(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON, bytes in hex."""
    return {
        "title": explanation.title,
        "path": explanation.path,
        "start": explanation.start,
        "wire": explanation.wire.hex(),
        "parts": [vars(part) for part in explanation.parts],
        "verdict": _verdict(explanation.verdict),
        "inside": [explanation_as_json(each) for each in explanation.inside],
    }


def _verdict(verdict: Conclusion) -> dict[str, Any]:
    canonical = None if verdict.canonical is None else verdict.canonical.hex()
    return {**vars(verdict), "rules": list(verdict.rules), "canonical": canonical, "readers": dict(verdict.readers)}
