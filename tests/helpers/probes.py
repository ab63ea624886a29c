"""Small messages with each kind of field, and values of them from both sources of choices."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from conformance.generate.drawn_values import sample, values
from reference import MessageSchema
from reference.definitions.parse import parse_definition
from reference.resolution import resolve

Source = list[dict[str, Any]]

USUAL = 500
"""The number of values for a test."""


def message(*fields: dict[str, Any], flexible: str = "0+") -> MessageSchema:
    """Return a message with fields as in a definition, in all versions."""
    definition = {"type": "data", "name": "Probe", "validVersions": "0", "flexibleVersions": flexible}
    every = [{"versions": "0+", **field} for field in fields]
    return resolve(parse_definition(json.dumps({**definition, "fields": every}), "Probe.json"), 0)


def field(name: str, type_name: str, *fields: dict[str, Any], **properties: Any) -> dict[str, Any]:
    """Return one field of a definition, present in all versions."""
    inner = {"fields": list(fields)} if fields else {}
    return {"name": name, "type": type_name, "versions": "0+", **properties, **inner}


def tagged(name: str, type_name: str, tag: int, *fields: dict[str, Any], **properties: Any) -> dict[str, Any]:
    """Return one field of a definition, tagged in all versions."""
    return field(name, type_name, *fields, tag=tag, taggedVersions="0+", **properties)


@cache
def seeded(schema: MessageSchema, count: int = USUAL) -> Source:
    return [sample(schema, str(number)) for number in range(count)]


@cache
def drawn(schema: MessageSchema, count: int = USUAL) -> Source:
    """Return a source of values drawn by Hypothesis, the same in every run."""
    return drawn_from(values(schema), count)


def drawn_from(strategy: SearchStrategy[dict[str, Any]], count: int) -> Source:
    """Return a source of values drawn by Hypothesis from a strategy, the same in every run."""
    found: Source = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: dict[str, Any]) -> None:
        found.append(value)

    collect()
    return found


Get = Callable[..., Source]
SOURCES: dict[str, Get] = {"seeded": seeded, "drawn": drawn}
