"""The page of the public names of `reference`, made of docstrings by autodoc."""

from __future__ import annotations

from inspect import isclass, isfunction
from typing import TYPE_CHECKING

import reference
from docs._ext.markdown import Page, generated

if TYPE_CHECKING:
    from collections.abc import Iterator

PATH = "reference/reference-names.md"
KINDS = (
    ("Functions", isfunction, "autofunction", ""),
    (
        "Errors",
        lambda value: isclass(value) and issubclass(value, Exception),
        "autoexception",
        ":members:\n:show-inheritance:",
    ),
    ("Classes", isclass, "autoclass", ":members:"),
    ("Constants", lambda _: True, "autodata", ""),
)
"""Heading, test for names, directive and its options. A name is below the first heading with a passed test."""


def python_name_pages() -> Iterator[Page]:
    """Yield the one page."""
    yield generated(PATH, *_parts())


def _parts() -> Iterator[str]:
    yield "# Names of `reference`"
    yield "Every public name of the package `reference`. [The reference](reference.md) shows how they work together."
    left = sorted(reference.__all__)
    for heading, belongs, directive, options in KINDS:
        names = [name for name in left if belongs(getattr(reference, name))]
        left = [name for name in left if name not in names]
        yield f"## {heading}"
        yield "\n\n".join(documented(directive, f"reference.{name}", options) for name in names)


def documented(directive: str, name: str, options: str = "") -> str:
    """Return the block with the directive of autodoc for a name."""
    lines = [f".. {directive}:: {name}", *(f"   {option}" for option in options.splitlines())]
    return "\n".join(["```{eval-rst}", *lines, "```"])
