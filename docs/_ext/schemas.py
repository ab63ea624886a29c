"""Pages of JSON Schemas for the lines of a report, found cases, and the messages of the bridge.

The docstrings of classes describe the members of the first two.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import msgspec

from conformance.codec.bridge.protocol import schema_document
from conformance.judge.findings.lines import schema
from conformance.judge.forms import FoundForm
from docs._ext.markdown import Page, block, code, generated, table

if TYPE_CHECKING:
    from collections.abc import Iterator

LINES = "reference/report-lines.md"
FOUND = "reference/found-cases.md"
BRIDGE = "reference/bridge-schema.md"
_ATTRIBUTES = re.compile(r"\s*\n\s*Attributes:\n")
_MEMBER = re.compile(r"^\s*([\w, -]+): ", re.MULTILINE)


def schema_pages() -> Iterator[Page]:
    """Yield the page of each schema."""
    yield generated(LINES, *_report_lines(schema()))
    yield generated(FOUND, *_found_cases(msgspec.json.schema(FoundForm)))
    yield generated(BRIDGE, *_bridge())


def _found_cases(document: dict[str, Any]) -> Iterator[str]:
    yield "# Found cases"
    yield (
        "A found case is one JSON file. `--found DIR`, nights and campaigns write it; `replay` and `--found` read it. "
        "Its name says what it is about, and ends in a hash of the case."
    )
    yield from _section("Members", document["$defs"]["FoundForm"], document)
    yield "## JSON Schema"
    yield block(json.dumps(document, indent=2), "json")


def _bridge() -> Iterator[str]:
    yield "# JSON Schema of the bridge"
    yield "The messages between the suite and a harness. [The bridge](bridge.md) adds what a schema cannot say."
    yield block(json.dumps(schema_document(), indent=2), "json")


def _report_lines(document: dict[str, Any]) -> Iterator[str]:
    events = {_name(place): event for event, place in document["discriminator"]["mapping"].items()}
    yield "# Lines of a report"
    yield (
        "`--report FILE` writes JSON Lines. Each line is an object, and its member `event` says which. "
        "`kafka-conformance report --schema` prints the JSON Schema below. Readers skip events that they do not know."
    )
    for name, event in events.items():
        yield from _section(event, document["$defs"][name], document)
    yield "## Parts of lines"
    for name, definition in document["$defs"].items():
        if name not in events:
            yield from _section(name, definition, document, level=3)
    yield "## JSON Schema"
    yield block(json.dumps(document, indent=2), "json")


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _section(title: str, definition: dict[str, Any], document: dict[str, Any], level: int = 2) -> Iterator[str]:
    about, attributes = _split(definition.get("description", ""))
    yield f"{'#' * level} {title}"
    yield about
    required = set(definition.get("required", ()))
    rows = [
        (code(name), _type(form, document), "always" if name in required else "sometimes", attributes.get(name, ""))
        for name, form in definition.get("properties", {}).items()
        if name != "event"
    ]
    yield table(("member", "type", "there", "meaning"), rows)


def _split(description: str) -> tuple[str, dict[str, str]]:
    """Return the description of a class, and that of each attribute."""
    parts = _ATTRIBUTES.split(description, maxsplit=1)
    about = " ".join(parts[0].split())
    if len(parts) == 1:
        return about, {}
    words = _MEMBER.split(parts[1])[1:]
    pairs = zip(words[::2], words[1::2], strict=True)
    return about, {name: " ".join(text.split()) for names, text in pairs for name in re.split(r", ?", names)}


def _type(form: dict[str, Any], document: dict[str, Any]) -> str:
    """Return the type of a member in a few words."""
    if "$ref" in form:
        name = _name(form["$ref"])
        return f"[{name}](#{name.lower()})"
    if "anyOf" in form:
        return " or ".join(_type(each, document) for each in form["anyOf"])
    if "enum" in form:
        return ", ".join(code(str(each)) for each in form["enum"])
    if form.get("type") == "array" and isinstance(form.get("items"), dict):
        return f"array of {_type(form['items'], document)}"
    return str(form.get("type", "any"))
