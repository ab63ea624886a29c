"""The documentation site for Sphinx, with written pages and pages made of code and data.

It takes `docs/`, the READMEs of folders, `specs/` and the commands. `python -m docs._ext build/docs` builds it. Pages
made of code and data are in no commit. `pages` lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygments.lexers.data import JsonLexer

from docs._ext.accessible import complete_page
from docs._ext.docstrings import escape_docstring, join_first_line
from docs._ext.lexers import HexLexer

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Add two lexers, the reading of docstrings and the completion of pages to Sphinx."""
    app.add_lexer("hex", HexLexer)
    app.add_lexer("jsonc", JsonLexer)  # it takes comments
    app.connect("autodoc-process-docstring", escape_docstring, priority=100)
    app.connect("autodoc-process-docstring", join_first_line, priority=900)
    app.connect("html-page-context", complete_page, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
