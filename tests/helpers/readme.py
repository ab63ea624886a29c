"""Compare the run in README.md with the one of `make implementations`, by `python -m tests.helpers.readme`.

The numbers are not compared: the tries of a random case depend on the number of processes.
"""

import re
import sys
from pathlib import Path
from textwrap import dedent

from reference import newest_release

ROOT = Path(__file__).parents[2]

CUT = "…"
"""A mark in the documentation. Within a line it stands for any text, as a line of its own for any number of lines."""

NUMBER = re.compile(r"\d[\d,.]*")


def shown_output() -> str:
    """Return the output of `make conformance` in the README."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return dedent(readme.partition("<!-- output of make conformance -->")[2].partition("<!-- end of output -->")[0])


def missing(printed: str) -> list[str]:
    """Return the lines of the README missing in the printed output."""
    return missing_lines(shown_output(), printed, with_numbers=False)


def missing_lines(shown: str, printed: str, *, with_numbers: bool = True) -> list[str]:
    """Return the lines of `shown` that are not in `printed` in their order, indentation aside.

    Between two shown lines `printed` has no others, except at a cut. Without numbers any two numbers are equal: the
    tries of a random case depend on the number of processes.
    """
    lines = [_comparable(line, with_numbers=with_numbers) for line in printed.splitlines()]
    at, may_skip, missing = 0, True, []
    for line in shown.strip("\n").splitlines():
        if line.strip() == CUT:
            may_skip = True
            continue
        pattern = _pattern(_comparable(line, with_numbers=with_numbers))
        places = range(at, len(lines) if may_skip else min(at + 1, len(lines)))
        place = next((place for place in places if pattern.fullmatch(lines[place])), None)
        if place is None:
            missing.append(line)
        else:
            at, may_skip = place + 1, False
    return missing


def _comparable(line: str, *, with_numbers: bool) -> str:
    text = " ".join(line.split())
    return text if with_numbers else NUMBER.sub("0", text)


def _pattern(line: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in line.split(CUT)))


if __name__ == "__main__":
    lines = missing((ROOT / "build" / f"kio-{newest_release()}.txt").read_text(encoding="utf-8"))
    sys.exit("\n".join(["README.md shows what the run did not print:", *lines]) if lines else 0)
