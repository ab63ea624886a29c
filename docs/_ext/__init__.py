"""The documentation site for Sphinx, with written pages and pages made of code and data.

It takes `docs/`, the READMEs of folders, `specs/` and the commands. `python -m docs._ext build/docs` builds it. Those
generated pages that others link to are committed: `python -m docs._ext pages` writes them. `pages` lists all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygments.lexers.data import JsonLexer

from docs._ext.accessible import complete_page
from docs._ext.lexers import HexLexer

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Add two lexers and the completion of pages to Sphinx."""
    app.add_lexer("hex", HexLexer)
    app.add_lexer("jsonc", JsonLexer)  # it takes comments
    app.connect("html-page-context", complete_page, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
