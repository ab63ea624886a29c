"""The pages of the public names of `conformance.adapter` and `reference`, as Markdown made of their docstrings."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import conformance.adapter
import reference
from docs._ext.markdown import Page, block, generated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAMES = "reference/reference-names.md"
CONTRACT = "reference/adapter.md"
KINDS: tuple[tuple[str, Callable[[Any], bool]], ...] = (
    ("Functions", lambda value: inspect.isfunction(inspect.unwrap(value))),
    ("Errors", lambda value: inspect.isclass(value) and issubclass(value, Exception)),
    ("Classes", inspect.isclass),
    ("Constants", lambda _: True),
)
"""Heading, and test for names. A name is below the first heading with a passed test."""

SECTIONS = ("Args:", "Attributes:", "Raises:", "Returns:", "Yields:")
_ENTRY = re.compile(r"([\w, ]+): (.*)")
_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n).*)*", re.MULTILINE)


def python_name_pages() -> Iterator[Page]:
    """Yield the page of each module."""
    yield generated(CONTRACT, *_contract())
    yield generated(NAMES, *_names())


def _contract() -> Iterator[str]:
    module = conformance.adapter
    yield "# The contract of adapters"
    yield (
        "The names of the module `conformance.adapter`. [Test a codec in Python](../tutorials/python-codec.md) has a "
        "whole adapter."
    )
    yield text_of(inspect.getdoc(module) or "")
    public = [name for name in attribute_docs(module) if name.isupper() or name in vars(module)]
    for name in sorted({*public, *(each for each, value in vars(module).items() if _is_own(value, module))}):
        if not name.startswith("_"):
            yield from described(name, getattr(module, name), module)


def _is_own(value: Any, module: Any) -> bool:
    return inspect.isclass(value) and value.__module__ == module.__name__


def _names() -> Iterator[str]:
    yield "# Names of `reference`"
    yield "Every public name of the package `reference`. [The reference](reference.md) shows how they work together."
    left = sorted(reference.__all__)
    for heading, belongs in KINDS:
        names = [name for name in left if belongs(getattr(reference, name))]
        left = [name for name in left if name not in names]
        yield f"## {heading}"
        for name in names:
            value = inspect.unwrap(getattr(reference, name))
            yield from described(name, value, _module_of(name, value), level=3)


def _module_of(name: str, value: Any) -> Any:
    """Return the module that defines a public name."""
    if inspect.isclass(value) or inspect.isfunction(value):
        return inspect.getmodule(value)
    loaded = (each for key, each in sorted(sys.modules.items()) if key.startswith("reference."))
    return next((each for each in loaded if name in attribute_docs(each)), reference)


def described(name: str, value: Any, module: Any, level: int = 2) -> Iterator[str]:
    """Yield the heading, the signature and the text of a name, and of its members."""
    yield f"{'#' * level} {name}"
    if inspect.isfunction(value):
        yield block(f"{name}{_signature(value)}", "python")
    documented = inspect.isclass(value) or inspect.isfunction(value)
    yield text_of((inspect.getdoc(value) if documented else attribute_docs(module).get(name)) or "")
    if inspect.isclass(value):
        yield from _members(value)


def _members(value: type) -> Iterator[str]:
    """Yield a list of the attributes of a class with a docstring, and each public method."""
    fields = dict.fromkeys(inspect.get_annotations(value), "")
    attributes = {name: text for name, text in (fields | attribute_docs(value)).items() if not name.startswith("_")}
    yield "\n".join(f"- `{name}`: {_indented(text_of(text))}".removesuffix(": ") for name, text in attributes.items())
    for name, member in vars(value).items():
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        text = inspect.getdoc(getattr(function, "func", function)) if not name.startswith("_") else None
        if text and name not in attributes and isinstance(function, property):
            yield f"- `{name}`: {_indented(text_of(text))}"
        elif text and inspect.isfunction(function):
            yield f"`{name}{_signature(function)}`"
            yield text_of(text)


def _signature(function: Any) -> str:
    return str(inspect.signature(function)).replace("'", "")


@cache
def attribute_docs(owner: Any) -> dict[str, str]:
    """Return the docstrings below the assignments of a module or a class, by name."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(owner)))
    except (OSError, TypeError):
        return {}
    body = tree.body[0].body if isinstance(owner, type) and isinstance(tree.body[0], ast.ClassDef) else tree.body
    found = {}
    for node, following in pairwise(body):
        target = node.target if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [None])[0]
        if (
            isinstance(target, ast.Name)
            and isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
        ):
            found[target.id] = inspect.cleandoc(str(following.value.value))
    return found


def text_of(docstring: str) -> str:
    """Return a docstring as Markdown, with its sections as lists and its examples as blocks."""
    lines: list[str] = []
    section: list[str] | None = None
    for line in [*docstring.splitlines(), ""]:
        if section is not None and (line.startswith(" ") or not line):
            section.append(line)
            continue
        if section is not None:
            lines += [*_entries(section), ""]
        section = [] if line in SECTIONS else None
        lines += [line, ""] if section is not None else [line]
    lines += _entries(section or [])
    return _EXAMPLE.sub(lambda match: block(match[0], "pycon"), "\n".join(lines)).strip()


def _entries(section: list[str]) -> list[str]:
    """Return the entries of a section as a list, each on one line."""
    entries: list[str] = []
    for line in inspect.cleandoc("\n".join(("", *section))).splitlines():
        name = _ENTRY.match(line)
        if name:
            entries.append(f"- `{name[1]}`: {name[2]}")
        elif entries and line:
            entries[-1] += f" {line.strip()}"
        elif line:
            entries.append(f"- {line}")
    return entries


def _indented(text: str) -> str:
    return textwrap.indent(text, "  ").strip()
