import os
import sys
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest

from conformance.campaign.pipeline.spark_session import write_archive
from tests.helpers.releases import BASE, OLDEST
from tests.helpers.runs import program

PROGRAM = f"""
import sys
sys.path.insert(0, sys.argv[1])
import conformance, reference, specs
from conformance.vectors.enumeration.enumerate import group
from conformance.campaign.pipeline.corpus_rows import make_row
from conformance.definitions.catalogue import catalogue
assert all(each.__file__.startswith(sys.argv[1]) for each in (conformance, reference, specs))
schema = reference.load_release("{OLDEST}").schema("MetadataRequest", 12)
row, vectors = make_row("{OLDEST}", schema, 0, "1"), group("{BASE}", "MetadataRequest", 12)
print(row.result, len(catalogue()) > 0, vectors["version"])
"""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    write_archive(tmp_path / "project.zip")
    return tmp_path / "project.zip"


def test_everything_works_from_the_archive_alone(archive: Path, tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = program([sys.executable, "-P", "-c", PROGRAM, str(archive)], tmp_path, kept, 60)
    assert done.ended(0).split() == ["valid", "True", "12"]


def test_the_archive_is_the_same_every_time(archive: Path, tmp_path: Path) -> None:
    write_archive(tmp_path / "other.zip")
    assert (tmp_path / "other.zip").read_bytes() == archive.read_bytes()


def test_programs_of_harnesses_come_from_the_checkout(archive: Path) -> None:
    """A worker finds programs built from the same sources, as the hash of its own sources is the same."""
    with zipfile.ZipFile(archive) as content:
        names = set(content.namelist())
    root = Path(str(files("conformance"))).parent
    for suffix in (".xml", ".java", ".rs", ".go", ".mjs"):
        found = list((root / "conformance" / "adapters" / "harnesses").rglob(f"*{suffix}"))
        assert found, suffix
        assert {path.relative_to(root).as_posix() for path in found} <= names
