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


def test_comparison_of_two_files_imports_only_its_needs(tmp_path: Path) -> None:
    """Most of its time goes to imports, and hypothesis, pytest and the like would double it."""
    file = tmp_path / "Sample.json"
    file.write_text(json.dumps(message(field())))
    for words in (("validate", str(file)), ("diff", str(file), str(file))):
        command = [sys.executable, "-c", SCRIPT, "specs", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # our own command
        assert done.stdout.splitlines()[-1] == "[]"


def test_child_process_imports_only_its_needs() -> None:
    """Each replacement of a dead child pays for its imports."""
    script = (
        "import sys, conformance.codec.bridge.child; print(sorted({'hypothesis', 'pytest', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.split() == ["[]"]
