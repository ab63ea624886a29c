"""Small definitions inside a test, resolved at one version, and errors of a codec as plain facts."""

from typing import Any

import pytest

from reference import Malformed, MessageSchema, Reason, Refusal, Unencodable, decode, encode
from reference.definitions.parse import parse_definition
from reference.resolution import resolve


def message(fields: str, *, version: int = 0, flexible: str = "0+", common: str = "") -> MessageSchema:
    """Return the schema of a message with fields given as JSON text, separated by commas."""
    text = f"""{{ "type": "data", "name": "Sample", "validVersions": "0-9", "flexibleVersions": "{flexible}",
                 "commonStructs": [{common}], "fields": [{fields}] }}"""
    return resolve(parse_definition(text, "Sample.json"), version)


def one_field(properties: str, *, version: int = 0, flexible: str = "0+") -> MessageSchema:
    """Return the schema of a message with one field, `Some`.

    Its properties are given as JSON text without braces.
    """
    return message(f'{{ "name": "Some", {properties} }}', version=version, flexible=flexible)


def wire_of(schema: MessageSchema, value: dict[str, Any]) -> str:
    return encode(schema, value).hex()


def value_of(schema: MessageSchema, wire: str) -> dict[str, Any]:
    """Return the value of strictly valid bytes, given in hex, without bytes left over."""
    return decode(schema, bytes.fromhex(wire)).value


def malformed(schema: MessageSchema, wire: str) -> tuple[str, Reason | None, int, str]:
    """Return rule, reason, offset and path of a strict reader's error about bytes in hex."""
    with pytest.raises(Malformed) as caught:
        decode(schema, bytes.fromhex(wire))
    return caught.value.rule, caught.value.reason, caught.value.offset, caught.value.path


def unencodable(schema: MessageSchema, value: Any) -> tuple[Refusal, str]:
    with pytest.raises(Unencodable) as caught:
        encode(schema, value)
    return caught.value.reason, caught.value.path
