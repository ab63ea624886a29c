"""Check that each task of the engine is done in one place, as a part of `make lint`.

- Outcomes are judged by the demands of the protocol in `conformance.judge` alone: no other function compares a `Result`
  and an outcome.
- A conclusion about an outcome is interpreted in `conformance.judge.kinds` alone, for every kind of cases.
- The checks are listed in `conformance.judge.checks.check_list` alone: no other module imports more than a few of them.
- The text of an observation, as the implementation wrote it, is read only where findings are grouped and shown.
- An implementation is called by its session, which knows the process for the call.
- The modules of a target are imported in the room of targets alone, which exports their classes.
- Names of cases are for people: `conformance.generate.origin` alone parses them, and other code asks the origin.
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
LISTS = ("conformance/judge/checks/check_list.py",)
CONCLUSION = "Conclusion"
INTERPRETERS = (JUDGING, "conformance/judge/kinds.py")
"""The places that compare conclusions; the rows of kinds name them alone."""

EXPLANATION, OBSERVATION = "explanation", "observation"
READERS = ("conformance/judge/findings/", "conformance/judge/clusters.py")
"""The places that read texts of observations, for clusters and reports."""

CALLS = ("encode", "decode", "size", "header_version")
"""The beginnings of the names of an adapter's functions."""

PERFORM, CLAIMS = "perform", "claims"
CALLERS = (
    *("conformance/codec/session.py", "conformance/codec/bridge/child.py"),
    "conformance/codec/bridge/request_server.py",
)
"""The session, and the servers in a child process, which perform calls of a codec."""

ROOM = "conformance/targets/"
TARGETS = tuple(f"conformance.targets.{name}" for name in ("body", "frame", "stored", "wire_type", "records"))
"""The folders with a target each in the room of targets."""

ORIGIN = "conformance/generate/origin.py"
OF_CASES = ("conformance/generate/", "conformance/judge/", "conformance/vectors/enumeration/")
"""The rooms where any `name` that is parsed is one of a case, except the names of fields and files."""
WORDS = frozenset(("case", "edge", "fault", "tampered", "variation"))
"""The words for a case in other rooms."""
NAMES = frozenset(("name", "what"))
SPLITTING = frozenset(("startswith", "endswith", "partition", "rpartition", "split", "removeprefix", "removesuffix"))
SEARCHING = frozenset(("search", "match", "fullmatch", "findall", "finditer"))
OTHER_NAMES = ("field.", "path.", "release.", "target.")
OF_FIELDS = ("ErrorCode", "ERROR_CODE")


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


def interpreting(tree: ast.AST, path: str) -> Iterator[str]:
    """Yield the functions that interpret a conclusion."""
    if path.startswith(INTERPRETERS):
        return
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and any(map(_compares_conclusion, ast.walk(function))):
            yield f"{path}:{function.lineno}: {function.name} interprets a conclusion: conformance.judge.kinds does"


def _compares_conclusion(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and CONCLUSION in names_in(node)


def listing(tree: ast.AST, path: str) -> Iterator[str]:
    """Yield the modules that import many checks."""
    checks = {check.cases.__name__ for check in CHECKS}
    imported = {name.name for each in ast.walk(tree) if isinstance(each, ast.ImportFrom) for name in each.names}
    if len(imported & checks) > FEW_CHECKS and path not in LISTS:
        yield f"{path}:1: it lists checks: conformance.judge.checks.check_list does"


def reading(tree: ast.AST, path: str) -> Iterator[str]:
    """Yield the places with a reader of an observation's text."""
    if path.startswith(READERS):
        return
    for each in ast.walk(tree):
        if isinstance(each, ast.Attribute) and each.attr == EXPLANATION and OBSERVATION in ast.unparse(each.value):
            yield f"{path}:{each.lineno}: it looks at the text of an observation: compare what it is"


def calling(tree: ast.AST, path: str) -> Iterator[str]:
    """Yield the places with a call of an implementation past its session."""
    if path.startswith(CALLERS):
        return
    for each in ast.walk(tree):
        function = each.func if isinstance(each, ast.Call) else None
        if not isinstance(each, ast.Call) or not isinstance(function, ast.Attribute):
            continue
        if function.attr.startswith(PERFORM) or (
            function.attr.startswith(CALLS) and _last_name(function.value) == CLAIMS
        ):
            yield f"{path}:{each.lineno}: it calls an implementation: `Session.ask` does, in the right process"


def _last_name(node: ast.AST) -> str:
    """Return the last name of an expression such as `session.claims`, empty for any other."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def entering(tree: ast.AST, path: str) -> Iterator[str]:
    """Yield the places outside of the room of targets with an import of a target's own module."""
    if path.startswith(ROOM):
        return
    for each in ast.walk(tree):
        if not isinstance(each, ast.ImportFrom | ast.Import):
            continue
        imported = [each.module or ""] if isinstance(each, ast.ImportFrom) else [name.name for name in each.names]
        if any(module.startswith(TARGETS) for module in imported):
            yield f"{path}:{each.lineno}: it imports the module of a target: conformance.targets exports the class"


def parsing_names(tree: ast.AST, path: str) -> Iterator[str]:
    """Yield the places that read a fact from the name of a case."""
    if path == ORIGIN:
        return
    for each in ast.walk(tree):
        for text in _parsed(each):
            if _is_name_of_case(text, path) and not ast.unparse(text).startswith(OTHER_NAMES):
                yield f"{path}:{each.lineno}: it parses the name of a case: ask its origin"  # type: ignore[attr-defined]  # an expression has a line


def _parsed(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the texts that an expression looks into, but not names of fields with an error code."""
    match node:
        case ast.Call(func=ast.Attribute(value=text, attr=function)) if function in SPLITTING:
            if not any(word in ast.unparse(argument) for argument in node.args for word in OF_FIELDS):
                yield text
        case ast.Call(func=ast.Attribute(attr=function)) if function in SEARCHING:
            yield from node.args
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            yield from node.comparators


def _is_name_of_case(node: ast.expr, path: str) -> bool:
    if isinstance(node, ast.Attribute) and node.attr in NAMES:
        return path.startswith(OF_CASES) or _last_name(node.value) in WORDS
    return isinstance(node, ast.Name) and node.id in NAMES and path.startswith(OF_CASES)


def problems() -> Iterator[str]:
    """Yield the problems, with file and line."""
    for file in sorted((ROOT / "conformance").rglob("*.py")):
        tree, path = ast.parse(file.read_text(encoding="utf-8")), file.relative_to(ROOT).as_posix()
        for check in (judging, interpreting, listing, reading, calling, entering, parsing_names):
            yield from check(tree, path)


if __name__ == "__main__":
    found = list(problems())
    done = "each task is done in one place"
    print("\n".join(found) or done)  # noqa: T201
    sys.exit(bool(found))
