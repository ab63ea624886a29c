import os
import subprocess
import sys
from pathlib import Path

from conformance.pipeline.session import write_archive

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import conformance, reference, specs
from conformance.golden.enumeration.enumerate import group
from conformance.pipeline.rows import make_row
from conformance.catalogue.rules import catalogue
assert all(each.__file__.startswith(sys.argv[1]) for each in (conformance, reference, specs))
schema = reference.load_release("3.9.1").schema("MetadataRequest", 12)
print(make_row("3.9.1", schema, 0, "1").result, len(catalogue()) > 0, group("4.3.0", "MetadataRequest", 12)["version"])
"""


def test_everything_works_from_the_archive_alone(tmp_path: Path) -> None:
    archive = tmp_path / "project.zip"
    write_archive(archive)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(  # noqa: S603  # the words are those of this test
        [sys.executable, "-P", "-c", PROGRAM, str(archive)],
        cwd=tmp_path,
        env=kept,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.split(), done.stderr) == (["valid", "True", "12"], "")


def test_the_archive_is_the_same_every_time(tmp_path: Path) -> None:
    archives = [tmp_path / name for name in ("one.zip", "other.zip")]
    for archive in archives:
        write_archive(archive)
    assert archives[0].read_bytes() == archives[1].read_bytes()
