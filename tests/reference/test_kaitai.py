"""Messages as formats of Kaitai Struct, compiled by its compiler to JavaScript."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from conformance.adapters.harnesses.toolchains import node_product
from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import populated
from reference import TAGS, FieldSchema, MessageSchema, encode, is_default, load_release, minimal, newest_release
from reference.kaitai import NoFormat, kaitai
from tests.helpers import requirements
from tests.helpers.runs import ROOT
from tests.helpers.sweeps import swept

PROGRAM = ROOT / "tests" / "programs" / "kaitai"


def js_name(name: str) -> str:
    """Return the name of a field in the compiled parser."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    first, *rest = snake.split("_")
    return first + "".join(part.capitalize() for part in rest)


def differences(struct: FieldSchema, value: dict[str, Any], read: dict[str, Any], path: str) -> Iterator[str]:
    """Yield the paths where a struct was read with another value."""
    entries = read.get("taggedFields", {}).get("entries", [])
    tagged = {entry["tag"]: entry["data"] for entry in entries}
    for field in struct.fields:
        place, name = f"{path}.{field.name}", js_name(field.name)
        if field.tag is None:
            yield from field_differences(field, value[field.name], read.get(name), place)
        elif field.tag in tagged:
            yield from field_differences(field, value[field.name], tagged.pop(field.tag).get(name), place)
        elif not is_default(field, value[field.name]):
            yield place
    if sorted(tagged.items()) != [(tag, data.hex()) for tag, data in value.get(TAGS, [])]:
        yield f"{path}.{TAGS}"


def field_differences(field: FieldSchema, value: Any, read: Any, path: str) -> Iterator[str]:
    if value is None or read is None:
        yield from [] if value is read else [path]
    elif field.element is not None:
        if len(value) != len(read):
            yield path
        for number, (one, other) in enumerate(zip(value, read, strict=False)):
            item = other["value"] if isinstance(other, dict) and field.element.type != "struct" else other
            yield from field_differences(field.element, one, item, f"{path}[{number}]")
    elif field.type == "struct":
        yield from differences(field, value, read, path)
    elif not is_same(value, read):
        yield path


def is_same(value: Any, read: Any) -> bool:
    """Return whether a number, a text or bytes were read, as JavaScript does.

    It rounds an int64 to a double, and drops a byte order mark.
    """
    if isinstance(value, int | float):
        number = float(read)
        return value == number or str(value) == str(number) or abs(value - number) < abs(value) / 2**50
    if isinstance(value, UUID | bytes):
        return bool((value.bytes if isinstance(value, UUID) else value).hex() == read)
    return bool(value.removeprefix("\ufeff") == read)


@pytest.mark.node
def test_compiled_formats_read_bytes_of_the_reference(tmp_path: Path) -> None:
    requirements.node()
    folder = node_product("kaitai", PROGRAM)
    schemas = swept(newest_release())
    values = [[minimal(schema), populated(schema), sample(schema, "kaitai")] for schema in schemas]
    lines = (
        json.dumps({"format": json.loads(kaitai(schema)), "wires": [encode(schema, value).hex() for value in each]})
        for schema, each in zip(schemas, values, strict=True)
    )
    (tmp_path / "formats.jsonl").write_text("\n".join(lines), encoding="utf-8")
    command = ["node", str(folder / "read.mjs"), str(tmp_path / "formats.jsonl")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # our own command
    for schema, each, line in zip(schemas, values, run.stdout.splitlines(), strict=True):
        for value, read in zip(each, json.loads(line), strict=True):
            assert read["rest"] == 0, str(schema)
            assert [*differences(schema.body, value, read["value"], str(schema))] == []


def schemas_of(name: str) -> list[MessageSchema]:
    return list(load_release(name).schemas())


def test_ids_are_unique_and_of_the_form_of_kaitai_struct() -> None:
    for schema in swept(newest_release()):
        document = json.loads(kaitai(schema))
        for node in (document, *document.get("types", {}).values()):
            ids = [attribute["id"] for attribute in node["seq"]]
            assert len(ids) == len(set(ids)), str(schema)
            assert all(re.fullmatch(r"[a-z][a-z0-9_]*", each) for each in ids)


def test_proposal_with_encodings_of_its_own_has_no_format() -> None:
    with pytest.raises(NoFormat, match="only released encodings"):
        kaitai(schemas_of("kip-482-first-draft")[0])
