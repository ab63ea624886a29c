import pytest
from jsonschema import Draft202012Validator

from conformance.definitions.catalogue import catalogue
from conformance.vectors.enumeration.pairs import pairs_of, sources
from conformance.vectors.flags import flags
from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import committed_vectors
from conformance.vectors.tree.vector_schemas import schemas
from reference.inputs.toml_text import packaged_toml
from reference.release import PROPOSED

FOLDER = committed_vectors()
LARGEST_FILE, LARGEST_TREE, LARGEST_PROPOSALS = 2_000_000, 46_000_000, 2_300_000
"""Limits in bytes; the limit of the tree is without the proposals."""


def test_each_flag_has_one_source() -> None:
    named = [
        *packaged_toml("conformance.vectors", "flags.toml"),
        *(rule.flag for rule in catalogue().values() if rule.flag),
    ]
    assert sorted(named) == list(flags())


def test_every_pair_has_vectors() -> None:
    files = read_file(FOLDER / "index.json")["files"]
    for release in sources():
        found = set()
        for path in files:
            folder, _, name = path.removeprefix(f"{PROPOSED}/").rpartition("/")
            if folder in (f"{release}/messages", f"{release}/headers") and name != "versions.json":
                document = read_file(FOLDER / path)
                found |= {(document["message"], group["version"]) for group in document["groups"]}
        assert found == set(pairs_of(release))


def test_files_stay_small() -> None:
    files = [path for path in FOLDER.rglob("*.json") if "consumers" not in path.parts]
    sizes = {path: path.stat().st_size for path in files}
    proposed = sum(size for path, size in sizes.items() if PROPOSED in path.parts)
    assert max(sizes.values()) <= LARGEST_FILE
    assert sum(sizes.values()) - proposed <= LARGEST_TREE
    assert proposed <= LARGEST_PROPOSALS


@pytest.mark.parametrize("name", sorted(schemas()))
def test_schemas_are_sound(name: str) -> None:
    """Each schema is one of dialect 2020-12, and allows no other keys."""
    schema = schemas()[name]
    Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
