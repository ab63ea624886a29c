"""The command `kafka-conformance` as a file for spark-submit.

    spark-submit --master spark://host:7077 conformance/commands/submit.py corpus build --total 1000000 --output corpus

The project is the one around this file, or the installed one, since a cluster may have a copy of this file alone.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]


def find_project() -> None:
    """Replace the folder of this file on the import path by that of the project."""
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != HERE]
    if (PROJECT / "conformance" / "__init__.py").is_file() and str(PROJECT) not in sys.path:
        sys.path.insert(0, str(PROJECT))


if __name__ == "__main__":
    find_project()
    from conformance.commands.main import main

    main(prog_name="kafka-conformance")
