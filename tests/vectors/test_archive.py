"""An archive has the vectors of one release for a codec, and is a tree of its own."""

import hashlib
import tarfile
from pathlib import Path

import pytest

from conformance.system.whole_files import NotWritten
from conformance.vectors.tree.archive import Archive, NoVectors, archived, write_archive
from conformance.vectors.tree.documents import root_of
from conformance.vectors.tree.releases import RELEASES, groups_of_release
from conformance.vectors.tree.vector_files import read_file, read_tree
from conformance.vectors.tree.vector_paths import committed_vectors, groups_of
from reference import newest_release, releases
from tests.helpers.runs import invoke

LARGEST = 2_500_000
"""Bytes of an archive."""
FRAMES = "4.3.0/frames/ApiVersionsRequest.json"


@pytest.fixture
def archive(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Archive:
    return write_archive(read_tree(tree), "3.9.1", tmp_path_factory.mktemp("archive"))


def unpacked(archive: Archive) -> Path:
    with tarfile.open(archive.path) as packed:
        packed.extractall(archive.path.parent, filter="data")
    return archive.path.parent / "vectors-3.9.1"


def test_an_archive_has_the_files_of_its_release_and_no_history(archive: Archive) -> None:
    """Those of proposals, of the other releases and of builders stay in the tree."""
    folder = unpacked(archive)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == {
        "README.md", "flags.json", "index.json", "reasons.json", "releases.json",
        "3.9.1/frames/ControlledShutdownRequest.json", "3.9.1/headers/versions.json",
        "3.9.1/messages/ControlledShutdownRequest.json",
        "4.3.0/frames/ApiVersionsRequest.json", "4.3.0/frames/HeartbeatResponse.json",
        "4.3.0/headers/RequestHeader.json",
        "4.3.0/messages/ApiVersionsRequest.json", "4.3.0/messages/HeartbeatResponse.json",
        "primitives/tag-section.json", "primitives/unsigned-varint.json", "records/message-sets.json",
        "schema/flags.json", "schema/header-versions.json", "schema/index.json", "schema/reasons.json",
        "schema/releases.json", "schema/vectors.json",
    }  # fmt: skip


def test_the_index_of_an_archive_has_the_hashes_of_its_files(archive: Archive) -> None:
    folder = unpacked(archive)
    index = read_file(folder / "index.json")
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.json")}
    hashes = {path: hashlib.sha256(data).hexdigest() for path, data in files.items() if path != "index.json"}
    assert (index["files"], index["root"], index["releases"]) == (hashes, root_of(hashes), ["3.9.1"])


def test_a_codec_runs_on_an_unpacked_archive(archive: Archive) -> None:
    """The archive has the number of them."""
    command = ("vectors", "run", "--impl=conformance.adapters.reference", "--release=3.9.1")
    done = invoke(*command, "--folder", str(unpacked(archive)))
    assert (done.exit_code, done.output.splitlines()[-1].partition(" ")[0]) == (0, f"{archive.vectors:,}")


def test_versions_missing_in_the_release_are_left_out() -> None:
    """A file keeps the versions of the release, counts their vectors, and has no fields missing in the release."""
    names = ("4.3.0/messages/EndTxnResponse.json", RELEASES)
    documents = {name: read_file(committed_vectors() / name) for name in names}
    own = archived(documents, "3.9.1")[names[0]]
    assert [group["version"] for group in own["groups"]] == documents[RELEASES]["taken"]["3.9.1"][names[0]]
    assert len(own["groups"]) < len(documents[names[0]]["groups"])
    assert own["count"] == sum(len(group["vectors"]) for group in own["groups"])
    assert "producer-id-dropped" not in {
        vector["id"] for group in own["groups"] for vector in group["vectors"] if "given" in vector
    }


def test_an_archive_of_the_same_vectors_has_the_same_bytes(tree: Path, archive: Archive, tmp_path: Path) -> None:
    again = write_archive(read_tree(tree), "3.9.1", tmp_path / "again")
    assert again.path.read_bytes() == archive.path.read_bytes()


def test_an_archive_takes_the_place_of_an_older_one_and_of_no_other_file(tree: Path, archive: Archive) -> None:
    write_archive(read_tree(tree), "3.9.1", archive.path.parent)
    archive.path.write_bytes(b"precious")
    with pytest.raises(NotWritten, match=f"{archive.path} .*not an archive"):
        write_archive(read_tree(tree), "3.9.1", archive.path.parent)
    assert archive.path.read_bytes() == b"precious"


def test_the_checksum_is_beside_the_archive(archive: Archive) -> None:
    """`sha256sum -c` reads it."""
    digest, name = Path(f"{archive.path}.sha256").read_text(encoding="utf-8").split()
    assert (digest, name) == (hashlib.sha256(archive.path.read_bytes()).hexdigest(), "vectors-3.9.1.tar.gz")


def test_the_command_writes_one_archive_for_each_release(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each has a line with its path, its vectors and its size."""
    to = tmp_path_factory.mktemp("archives")
    done = invoke("vectors", "archive", "--folder", str(tree), "--output", str(to))
    for release, line in zip(releases(), done.output.splitlines(), strict=True):
        path = to / f"vectors-{release}.tar.gz"
        assert line.startswith(f"{path}: ")
        assert line.endswith(f" vectors, {path.stat().st_size:,} bytes")


def test_the_archive_of_the_newest_release_is_small_enough_to_copy_into_a_repository(tmp_path: Path) -> None:
    """It is the largest, and has all vectors of its release."""
    documents = read_tree(committed_vectors())
    archive = write_archive(documents, newest_release(), tmp_path)
    own = groups_of_release(groups_of(documents), documents[RELEASES], newest_release())
    assert archive.vectors == sum(len(group.vectors) for group in own)
    assert archive.path.stat().st_size == archive.size <= LARGEST


def test_a_release_without_vectors_is_an_error(tree: Path, tmp_path: Path) -> None:
    with pytest.raises(NoVectors, match=r"no file of 2\.8\.0"):
        write_archive(read_tree(tree), "2.8.0", tmp_path)
