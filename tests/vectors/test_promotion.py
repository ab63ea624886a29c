"""A found case promoted to a vector, with a permanent id, in the tree and in every later build."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conformance.judge.forms import FoundForm
from conformance.vectors.enumeration.enumerate import group
from conformance.vectors.enumeration.promoted import add_promoted, promoted_of
from conformance.vectors.tree.documents import INDEX, index_of, whole_ids
from conformance.vectors.tree.vector_files import read_file, read_id_history, read_tree
from conformance.vectors.tree.vector_paths import text_of
from conformance.vectors.verification.tree_check import check_file
from tests.helpers.cases import FOUND_CASE
from tests.helpers.releases import BASE
from tests.helpers.runs import invoke

PATH = f"{BASE}/messages/HeartbeatResponse.json"
FOUND: dict[str, Any] = {
    **FOUND_CASE,
    "kind": "hostile-bytes",
    "version": 4,
    "rule": "tag.unknown-accepted",
    "case": "a tag that nobody knows",
    "wire": "000000000000010503010203",
    "run": {"impl": "some.codec", "version": "1"},
}


@pytest.fixture
def entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty promoted.json of this test."""
    file = tmp_path / "promoted.json"
    file.write_text('{"format": 1, "vectors": []}')
    monkeypatch.setattr("conformance.vectors.enumeration.promoted.promoted_file", lambda: file)
    return file


@pytest.fixture
def found(tmp_path: Path) -> Path:
    file = tmp_path / "found.json"
    file.write_text(json.dumps(FOUND))
    return file


def test_a_found_case_becomes_a_vector(tree: Path, entries: Path, found: Path) -> None:  # noqa: ARG001  # replaced
    """The tree of the release with its layout gets it, and passes the check of the file, the ids and the index."""
    done = invoke("vectors", "promote", str(found), "--folder", str(tree))
    assert done.exit_code == 0, done.output
    whole = done.output.strip()
    assert whole.startswith(f"{BASE}/messages/HeartbeatResponse/v4/promoted-tag-unknown-accepted-")
    assert whole in whole_ids(PATH, read_file(tree / PATH))
    assert check_file((tree, PATH, ())) == []
    documents = read_tree(tree)
    assert not list(read_id_history(tree).vanished(documents))
    texts = {path: (tree / path).read_text(encoding="utf-8") for path in documents}
    assert text_of(index_of(texts, documents)) == (tree / INDEX).read_text(encoding="utf-8")
    again = invoke("vectors", "promote", str(found), "--folder", str(tree))
    assert f"{whole}, which is there" in again.output


def test_the_verdict_is_the_oracles(entries: Path) -> None:  # noqa: ARG001  # replaced
    """A build has the vector with result, value and flags of its bytes."""
    [entry] = add_promoted([promoted_of(msgspec.convert(FOUND, FoundForm))])
    [vector] = [each for each in group(BASE, "HeartbeatResponse", 4)["vectors"] if each["id"] == entry.id]
    assert vector["result"] == "valid"
    assert vector["value"]["_tags"] == [[5, "010203"]]
    assert vector["flags"]


def test_bytes_of_an_existing_vector_are_not_added_again(entries: Path) -> None:  # noqa: ARG001  # replaced
    wire = group(BASE, "HeartbeatResponse", 4)["vectors"][0]["wire"]
    before = len(group(BASE, "HeartbeatResponse", 4)["vectors"])
    add_promoted([promoted_of(msgspec.convert({**FOUND, "wire": wire}, FoundForm))])
    assert len(group(BASE, "HeartbeatResponse", 4)["vectors"]) == before


@pytest.mark.parametrize(
    ("changes", "printed"),
    [
        ({"kind": "frame"}, "kind frame"),
        ({"wire": ""}, "no bytes"),
        ({"wire": "00" * 8193}, "more than 8192"),
        ({"rule": "codec.survival"}, "no flag"),
    ],
)
def test_found_case_of_another_form_is_refused(
    tmp_path: Path, entries: Path, changes: dict[str, Any], printed: str
) -> None:
    file = tmp_path / "found.json"
    file.write_text(json.dumps({**FOUND, **changes}))
    done = invoke("vectors", "promote", str(file))
    assert done.exit_code == 1
    assert printed in done.output
    assert json.loads(entries.read_text())["vectors"] == []
