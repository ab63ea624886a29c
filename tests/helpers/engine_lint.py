"""Check that each task of the engine is done in one place; a part of `make lint`.

- Outcomes are judged by the demands of the protocol in `conformance.judge` alone: no other function compares a `Result`
  and an outcome.
- The checks are listed in `conformance.judge.checks.check_list` alone: no other module imports more than a few of them.
- The text of an observation, as the implementation wrote it, is read only where findings are grouped and shown.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from conformance.judge.checks.check_list import CHECKS

ROOT = Path(__file__).parents[2]
JUDGING = "conformance/judge/judgement.py"

OF_THE_ORACLE = "conformance/campaign/proof/"
"""The room that compares the oracle with Apache Kafka: nothing there is tested."""

OUTCOMES = frozenset(("ABSENT", "FATAL", "REFUSALS", "Kind"))
FEW_CHECKS = 2
LISTS = ("conformance/judge/checks/check_list.py", "conformance/judge/checks/all_cases.py")
"""The list, and the module that finds a case by its name."""

EXPLANATION, OBSERVATION = "explanation", "observation"
READERS = ("conformance/judge/findings/", "conformance/judge/clusters.py")
"""The places that read texts of observations, for clusters and reports."""


def names_in(node: ast.AST) -> set[str]:
    """Return the names in an expression."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def judging(tree: ast.AST, path: str) -> Iterator[str]:
    """Yield the functions that compare both a verdict and an outcome."""
    if path.startswith((JUDGING, OF_THE_ORACLE)):
        return
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            compared = [names_in(each) for each in ast.walk(function) if isinstance(each, ast.Compare)]
            found: set[str] = set().union(*compared) if compared else set()
            if "Result" in found and found & OUTCOMES:
                yield f"{path}:{function.lineno}: {function.name} judges an outcome: conformance.judge.judgement does"


def listing(tree: ast.AST, path: str) -> Iterator[str]:
    """Yield the modules that import many checks."""
    checks = {check.cases.__name__ for check in CHECKS}
    imported = {name.name for each in ast.walk(tree) if isinstance(each, ast.ImportFrom) for name in each.names}
    if len(imported & checks) > FEW_CHECKS and path not in LISTS:
        yield f"{path}:1: it lists checks: conformance.judge.checks.check_list does"


def reading(tree: ast.AST, path: str) -> Iterator[str]:
    """Yield the places that read the text of an observation."""
    if path.startswith(READERS):
        return
    for each in ast.walk(tree):
        if isinstance(each, ast.Attribute) and each.attr == EXPLANATION and OBSERVATION in ast.unparse(each.value):
            yield f"{path}:{each.lineno}: it looks at the text of an observation: compare what it is"


def problems() -> Iterator[str]:
    """Yield the problems, with file and line."""
    for file in sorted((ROOT / "conformance").rglob("*.py")):
        tree, path = ast.parse(file.read_text(encoding="utf-8")), file.relative_to(ROOT).as_posix()
        for check in (judging, listing, reading):
            yield from check(tree, path)


if __name__ == "__main__":
    found = list(problems())
    print("\n".join(found) or "one place judges, one lists checks, and texts of observations are shown alone")  # noqa: T201
    sys.exit(bool(found))
