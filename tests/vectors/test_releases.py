"""Each release takes its valid vectors, and no others."""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from conformance.vectors.enumeration.pairs import sources
from conformance.vectors.enumeration.vector import refusal_of
from conformance.vectors.tree.releases import RELEASES, groups_of_release, releases_document
from conformance.vectors.tree.vector_files import read_file, read_tree
from conformance.vectors.tree.vector_paths import VectorGroup, committed_vectors, files_of, groups_of
from reference import load_release

STEP = 10
"""One in so many groups is judged again."""


@cache
def taken() -> dict[str, dict[str, list[int]]]:
    document: dict[str, dict[str, list[int]]] = read_file(committed_vectors() / RELEASES)["taken"]
    return document


@cache
def documents() -> dict[str, Any]:
    return read_tree(committed_vectors())


def groups(release: str) -> list[VectorGroup]:
    return list(groups_of_release(groups_of(documents()), documents()[RELEASES], release))


@pytest.mark.parametrize("release", sources())
def test_a_release_takes_every_version_of_its_messages_once(release: str) -> None:
    """This holds in each folder, for bodies, frames and stored messages."""
    found = Counter(
        (path.rpartition("/")[2], path.split("/")[-2], version)
        for path, versions in taken()[release].items()
        for version in versions
    )
    expected = Counter(
        (f"{schema.message}.json", file.folder, schema.version)
        for schema in load_release(release).schemas()
        for file in files_of(release, schema.message)
    )
    assert found == expected


@pytest.mark.parametrize("release", sources())
def test_every_vector_taken_by_a_release_exists(release: str) -> None:
    found = {(group.file.path, group.version) for group in groups(release)}
    assert found >= {(path, version) for path, versions in taken()[release].items() for version in versions}


def test_response_with_another_layout_in_a_release_is_replaced() -> None:
    name = "messages/StreamsGroupHeartbeatResponse.json"
    assert taken()["4.4.0"][f"4.4.0/{name}"] == [0, 1]
    assert f"4.3.0/{name}" not in taken()["4.4.0"]


def test_later_version_is_not_taken() -> None:
    assert 18 in taken()["4.3.0"]["4.3.0/messages/FetchRequest.json"]
    assert 18 not in taken()["3.9.1"]["4.3.0/messages/FetchRequest.json"]


def test_a_key_with_another_number_in_another_release_has_vectors_of_its_own() -> None:
    """The body is the same, but it has 0 before it in 3.9.1, and the type, 1, in 4.3.0."""
    assert taken()["3.9.1"]["3.9.1/stored/OffsetCommitKey.json"] == [0, 1]


@pytest.mark.parametrize("release", ["3.9.1", "4.4.0"])
def test_shared_vectors_hold_by_the_definitions_of_the_taking_release(release: str) -> None:
    shared = [group for group in groups(release) if group.release != group.file.release]
    for group in shared[::STEP]:
        for vector in group.vectors:
            if vector["result"] == "unwritable":
                known = refusal_of(group.target, vector["value"])
                assert known == {key: vector[key] for key in known}, (group.prefix, vector["id"])
            else:
                verdict = group.target.judge(bytes.fromhex(vector["wire"]))
                assert vector["result"] in {"unspecified", verdict.result}, (group.prefix, vector["id"])


@pytest.mark.parametrize(("release", "is_given"), [("3.9.1", False), ("4.3.0", True), ("4.4.0", True)])
def test_field_missing_in_the_release_is_not_given(release: str, *, is_given: bool) -> None:
    """EndTxnResponse has a producer id since 4.0."""
    [group] = [each for each in groups(release) if each.prefix == "4.3.0/messages/EndTxnResponse/v0"]
    [vector] = [each for each in group.vectors if each["id"] == "producer-id-dropped"]
    assert ("given" in vector) is is_given


def test_a_tree_of_one_release_names_no_file_of_another() -> None:
    document = releases_document(("4.4.0",))
    assert list(document["taken"]) == ["4.4.0"]
    assert {path.split("/")[0] for path in document["taken"]["4.4.0"]} == {"4.4.0"}


@pytest.mark.parametrize(
    ("release", "home", "group", "name"),
    [
        ("4.4.0", "4.3.0", "stored/ConfigRecord/v0", "unknown-type-29"),
        ("4.4.0", "4.3.0", "stored/TopicRecord/v0", "unknown-type-29"),
        ("3.9.1", "4.3.0", "messages/FetchRequest/v16", "topics-0-partitions-0-section-tag-1-of-another-version"),
    ],
)
def test_a_number_with_another_meaning_in_a_release_is_left_to_the_other_one(
    release: str, home: str, group: str, name: str
) -> None:
    """Type 29 is a record of 4.4.0 with another reason or result, and tag 1 is unknown in all versions of 3.9.1."""
    ids = {each: {vector["id"] for vector in own.vectors} for each in (release, home) for own in groups(each)
           if own.prefix == f"{home}/{group}"}  # fmt: skip
    assert name not in ids[release]
    assert ids[release] | {name} == ids[home]


@pytest.mark.slow
@pytest.mark.parametrize("release", ["3.9.1", "4.4.0"])
def test_every_shared_stored_message_has_the_verdicts_of_the_taking_release(release: str) -> None:
    for group in groups(release):
        if group.file.folder == "stored" and group.release != group.file.release:
            verdicts = [(vector, group.target.judge(bytes.fromhex(vector["wire"]))) for vector in group.vectors]
            assert [(vector["id"], str(verdict.result)) for vector, verdict in verdicts] == [
                (vector["id"], vector["result"]) for vector, _ in verdicts
            ], group.prefix
