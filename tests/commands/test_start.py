import json
import subprocess
import sys
from pathlib import Path

from tests.helpers.definitions import field, message

SCRIPT = """
import sys
from conformance.commands.main import main
main(sys.argv[1:], standalone_mode=False)
print(sorted({"hypothesis", "jsonschema", "pytest"} & set(sys.modules)))
"""


def test_comparison_of_two_files_imports_what_it_needs_alone(tmp_path: Path) -> None:
    """Most of its time is that of imports, and these take as long as all else."""
    file = tmp_path / "Sample.json"
    file.write_text(json.dumps(message(field())))
    for words in (("validate", str(file)), ("diff", str(file), str(file))):
        command = [sys.executable, "-c", SCRIPT, "specs", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # our own command
        assert done.stdout.splitlines()[-1] == "[]"


def test_a_child_process_imports_what_it_needs_alone() -> None:
    """Each child that takes the place of one that died pays for its imports."""
    script = (
        "import sys, conformance.codec.bridge.child; print(sorted({'hypothesis', 'pytest', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.split() == ["[]"]
