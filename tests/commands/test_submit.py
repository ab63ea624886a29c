import subprocess
import sys
from pathlib import Path

from conformance.commands import submit


def test_a_file_of_a_checkout_runs_the_project_around_it(tmp_path: Path) -> None:
    """spark-submit runs it by its path, from any folder."""
    done = subprocess.run(  # noqa: S603  # the words are those of this test
        [sys.executable, submit.__file__, "--help"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("Usage: kafka-conformance ")
    assert done.returncode == 0


def test_modules_beside_the_file_do_not_stand_in_for_others() -> None:
    program = f"""
import runpy, sys
sys.path.insert(0, {str(submit.HERE)!r})
sys.argv[1:] = ["--version"]
try:
    runpy.run_path({submit.__file__!r}, run_name="__main__")
finally:
    print({str(submit.HERE)!r} in sys.path)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.stdout.splitlines()[-1] == "False"
