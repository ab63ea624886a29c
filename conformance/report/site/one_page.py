"""One HTML file with the pages of a site for runs and causes, which opens without a network and other files.

The address chooses the page that is shown. Links to pages that are left out lose their address.
"""

from __future__ import annotations

import base64
import re
from functools import partial
from importlib.resources import files
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from conformance.report.report_set import report_set_of
from conformance.report.site.cause_pages import CASES, cause_pages
from conformance.report.site.front_pages import front_pages
from conformance.report.site.run_pages import run_pages
from conformance.report.site.templating import render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from conformance.report.facts import RunReport
    from conformance.report.site.cause_pages import ReplayOf

ROWS = 10
"""The number of other cases shown of a cause. The file of ten reports stays below 5 MB with it."""

_NAME = r"href|src|id|for|aria-labelledby|aria-controls|data-(?:copy|filter|shown|states|toggle)"
_ATTRIBUTE = re.compile(rf' (?P<name>{_NAME})="(?P<value>[^"]*)"')
"""An attribute with an id or an address. Quotes within a value or a text are escaped, so that nothing else matches."""

_MAIN = re.compile(r'<main id="main" tabindex="-1">\n(.*)</main>', re.DOTALL)


def one_page(runs: Sequence[RunReport], replay_of: ReplayOf, baselines: Sequence[RunReport] = ()) -> str:
    """Return the text of the file, with changes since older reports as `baselines`, or raise `SameRun`."""
    shelf = report_set_of(runs)
    found = [*run_pages(shelf, baselines), *cause_pages(shelf, replay_of, maximum=ROWS)]
    shown = {name: text for name, text in found if not name.endswith(("-coverage.html", ".svg", CASES))}
    if len(shelf.placed) > 1:
        shown = dict(front_pages(shelf)) | shown
    pictures = {name: text for name, text in found if name.endswith(".svg")}
    ids = {name: f"p{number}" for number, name in enumerate(shown)}
    sections = [(ids[name], _section(name, text, ids, pictures)) for name, text in shown.items()]
    style, script = (
        (files(__package__) / "static" / each).read_text(encoding="utf-8") for each in ("style.css", "site.js")
    )
    return render("one_page.html", "", sections=sections, runs=shelf.placed, style=style, script=script)


def _section(name: str, text: str, ids: Mapping[str, str], pictures: Mapping[str, str]) -> str:
    [main] = _MAIN.findall(text)
    return _ATTRIBUTE.sub(partial(_attribute, name, ids, pictures), main)


def _attribute(page: str, ids: Mapping[str, str], pictures: Mapping[str, str], found: re.Match[str]) -> str:
    name, value = found["name"], found["value"]
    if name not in {"href", "src"}:
        return f' {name}="{ids[page]}-{value}"'
    if "://" in value:
        return found[0]
    target, _, place = value.partition("#")
    target = normpath(join(dirname(page), target)) if target else page
    if name == "src":
        picture = base64.b64encode(pictures[target].encode()).decode()
        return f' src="data:image/svg+xml;base64,{picture}"'
    if target not in ids:
        return ""
    return f' href="#{ids[target]}{"-" if place else ""}{place}"'
