"""The run that README.md shows, compared with the output of a run: `python -m tests.helpers.readme FILE`.

Wherever the run shows numbers, those of the table of findings are compared, too.
"""

import re
import sys
from pathlib import Path
from textwrap import dedent

from tests.helpers.documents import missing_lines

ROOT = Path(__file__).parents[2]


def shown_output() -> str:
    """What the README says that `make conformance` prints."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return dedent(readme.partition("<!-- output of make conformance -->")[2].partition("<!-- end of output -->")[0])


def missing(printed: str) -> list[str]:
    """Return the lines of the README that the run did not print."""
    rows = re.search(r"^known .*?(?=\n\n)", shown_output(), re.DOTALL | re.MULTILINE)
    table = [] if rows is None else missing_lines(rows[0], printed)
    return [*missing_lines(shown_output(), printed, with_numbers=False), *table]


if __name__ == "__main__":
    lines = missing(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.exit("\n".join(["README.md shows what the run did not print:", *lines]) if lines else 0)
