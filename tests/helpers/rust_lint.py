"""Check the format of the Rust harness, and by clippy its bridge part: with the template, which needs no library.

Clippy works in a folder of its own, as the bridge part is one that programs copy.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HARNESS = Path(__file__).parents[2] / "conformance" / "harnesses" / "rust"


def main() -> int:
    """Return the exit status."""
    with tempfile.TemporaryDirectory() as scratch:
        project = copy_template(Path(scratch) / "project")
        sources = sorted(
            str(file) for file in (*HARNESS.glob("*/*.rs"), project / "main.rs") if file.parent.name != "template"
        )
        steps = (
            ["rustfmt", "--check", "--edition", "2021", "--config", "max_width=120", *sources],
            ["cargo", "clippy", "--quiet", "--", "--deny", "warnings", "--allow", "dead_code"],
        )
        return max(subprocess.run(step, cwd=project, check=False).returncode for step in steps)


def copy_template(project: Path) -> Path:
    """Copy the template, with the bridge part beside it, as a harness of one's own begins."""
    shutil.copytree(HARNESS / "template", project)
    shutil.copytree(HARNESS / "bridge", project / "bridge")
    return project


if __name__ == "__main__":
    sys.exit(main())
