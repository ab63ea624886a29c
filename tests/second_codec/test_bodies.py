"""The second codec agrees with the golden vectors, and is independent of the code under test."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conformance.targets import Body
from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import committed_vectors, files_of, groups_of
from reference import load_release
from tests.helpers.releases import BASE
from tests.helpers.sweeps import covering, every_form
from tests.second_codec import bodies
from tests.second_codec.ways import ContentWay, LengthWay, Misstep, NotTaken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import MessageSchema

ROOT = Path(__file__).parents[2]
COVERING = {schema.message for schema in covering(load_release(BASE).schemas(), every_form)}
DEFINITIONS = {"FrameDirection", "MessageSchema", "Release", "api_schema"}
MAY_IMPORT = (
    *("reference.schema", *(f"reference.{name}" for name in sorted(DEFINITIONS))),
    *("conformance.adapter", "conformance.codec.loaded_adapter", "tests.second_codec"),
)
"""Definitions and the contract, as all other modules are under test."""


OF_FAULTS = re.compile(r"conformance\.(judge\.blame|targets\..*faults)")
"""The modules of the codecs with one mistake by which the product explains what an implementation does."""


def vectors(result: str) -> Iterator[tuple[MessageSchema, Any, bytes, Any]]:
    """Yield the vectors with a result, from messages with every form of field."""
    files = [file for message in sorted(COVERING) for file in files_of(BASE, message)]
    for group in groups_of({file.path: read_file(committed_vectors() / file.path) for file in files}):
        if isinstance(group.target, Body):
            for vector in group.vectors:
                if vector["result"] == result and "wire" in vector:
                    yield group.target.schema, group.target, bytes.fromhex(vector["wire"]), vector


def test_valid_bytes_have_the_value_of_the_vectors() -> None:
    wrong = []
    for schema, target, wire, vector in vectors("valid"):
        value, source = bodies.read(schema.struct, wire)
        if target.to_json(value) != vector["value"] or source.left:
            wrong.append(vector["id"])
    assert not wrong


def test_values_have_the_canonical_bytes_of_the_vectors() -> None:
    wrong = []
    for schema, target, wire, vector in vectors("valid"):
        due = vector.get("canonical", wire.hex())
        if bodies.write(schema.struct, target.from_json(vector["value"])).hex() != due:
            wrong.append(vector["id"])
    assert not wrong


def test_invalid_bytes_are_refused() -> None:
    taken = []
    for schema, _, wire, vector in vectors("invalid"):
        try:
            bodies.read(schema.struct, wire)
        except NotTaken:
            continue
        taken.append(vector["id"])
    assert not taken


SCHEMA = load_release(BASE).schema("FindCoordinatorRequest", 0)


def test_a_misstep_holds_at_every_place_of_its_pattern() -> None:
    misstep = Misstep("string/*", ContentWay(value=str.upper))
    assert bodies.read(SCHEMA.struct, b"\0\1a", misstep)[0] == {"Key": "A"}


def test_a_misstep_of_another_place_is_sound() -> None:
    misstep = Misstep("array*", LengthWay(is_bound=False))
    with pytest.raises(NotTaken):
        bodies.read(SCHEMA.struct, b"\0\2a", misstep)


def imports(path: Path) -> Iterator[str]:
    """Yield the project's modules imported by a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module == "reference":
            names += [f"reference.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
        yield from (name for name in names if name.partition(".")[0] in {"conformance", "reference", "tests"})


def test_codec_imports_definitions_alone_of_the_reference() -> None:
    modules = [path for path in (ROOT / "tests/second_codec").glob("*.py") if not path.name.startswith("test_")]
    found = {name for path in modules for name in imports(path)}
    assert {name for name in found if not name.startswith(MAY_IMPORT)} == set()


def test_mutants_do_not_import_the_faults_of_the_product() -> None:
    """Otherwise the test of blame would use its own search space."""
    found = {name for path in (ROOT / "tests/mutants").rglob("*.py") for name in imports(path)}
    assert {name for name in found if OF_FAULTS.match(name)} == set()
