"""Small valid definitions for tests, with properties added or dropped by a test."""

from typing import Any

Properties = dict[str, Any]


def message(*fields: Properties, **properties: Any) -> Properties:
    """Return a message of versions 0-2, flexible from 1 on."""
    sound = {"type": "data", "name": "Sample", "validVersions": "0-2", "flexibleVersions": "1+"}
    return sound | properties | {"fields": list(fields)}


def field(**properties: Any) -> Properties:
    """Return an int32 of all versions."""
    return {"name": "Some", "type": "int32", "versions": "0+"} | properties


def struct(*fields: Properties, **properties: Any) -> Properties:
    return {"name": "Shared", "versions": "0+"} | properties | {"fields": list(fields)}


def tagged(**properties: Any) -> Properties:
    """Return an int32 with tag 0 in the flexible versions."""
    return field(versions="1+", taggedVersions="1+", tag=0) | properties


def without(name: str, properties: Properties) -> Properties:
    return {key: value for key, value in properties.items() if key != name}
