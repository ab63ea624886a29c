"""Check the Rust harness by the formatter, and its bridge part by clippy.

Clippy checks the bridge part with the template, which needs no library. It works in a folder of its own, as programs
copy the bridge part.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from conformance.adapters.harnesses.toolchains import tool

HARNESS = Path(__file__).parents[2] / "conformance" / "adapters" / "harnesses" / "rust"


CLIPPY = ("clippy", "--quiet", "--", "--deny=warnings", "--allow=dead_code", "--allow=clippy::type_complexity")
"""The command of clippy. A template uses no records and no primitives; a type of a function reads best at its place."""


def main() -> int:
    """Return the exit status."""
    with tempfile.TemporaryDirectory() as scratch:
        project = copy_template(Path(scratch) / "project")
        steps = ((HARNESS, ("fmt", "--check")), (project, ("fmt", "--check")), (project, CLIPPY))
        return max(_cargo(folder, step) for folder, step in steps)


def _cargo(folder: Path, step: tuple[str, ...]) -> int:
    return subprocess.run((tool("cargo"), *step), cwd=folder, check=False).returncode  # noqa: S603  # our own command


def copy_template(project: Path) -> Path:
    """Copy the template with the bridge part beside it, as at the start of a user's own harness."""
    shutil.copytree(HARNESS / "template", project)
    shutil.copytree(HARNESS / "bridge", project / "bridge")
    return project


if __name__ == "__main__":
    sys.exit(main())
