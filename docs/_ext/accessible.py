"""Additions to Sphinx and its theme for a keyboard and a screen reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

REPLACED = (
    ("body", "<pre>", '<pre tabindex="0">'),
    ("body", '<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
    ("furo_navigation_tree", 'class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"'),
)
"""The old and the new text in parts of a page. A scrolling block or table can be reached by key."""


def complete_page(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Complete the parts of a page before its template is filled."""
    for part, before, after in REPLACED:
        if isinstance(context.get(part), str):
            context[part] = context[part].replace(before, after)
