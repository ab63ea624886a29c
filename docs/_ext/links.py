"""Links between pages, made of links between files of the repository."""

from __future__ import annotations

import posixpath
import re
from functools import partial
from typing import TYPE_CHECKING

from conformance.definitions.catalogue import catalogue
from conformance.report.site.documentation import rule_address
from docs._ext.addresses import command_page
from docs._ext.commands import commands
from docs._ext.markdown import Page, outside_code

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_LINK = re.compile(r"\[(?P<text>(?:[^\[\]]|`[^`]*`)*)\]\((?P<target>[^)\s]+)\)")
_CODE = re.compile(r"(?<![\[`])`(?P<rule>[a-z0-9-]+\.[a-z0-9-]+)`(?![\]`])")
_COMMAND = re.compile(
    r"(?<![\[`])`kafka-conformance (?P<words>[a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*)(?P<rest> [^`]*)?`(?![\]`])"
)
_ADDRESS = re.compile(r"[a-z]+:|#")


def relative(page: str, start: str, anchor: str = "") -> str:
    """Return the link from one page to another one, both by their paths under `docs/`."""
    target = posixpath.relpath(page, posixpath.dirname(start) or ".")
    return f"{target}#{anchor}" if anchor else target


def link_to_rule(rule: str, start: str) -> str:
    """Return the link of a page to a rule."""
    page, anchor = rule_address(rule)
    return f"[`{rule}`]({relative(f'{page}.md', start, anchor)})"


def linked(page: Page, homes: Mapping[str, str], root: Path) -> Page:
    """Return a page with links for the site, and with a link at each name of a rule and at each command.

    Args:
        page: as it is in the repository.
        homes: the page of each file of the repository with a page.
        root: the folder of the repository.
    """
    change = partial(_linked_line, page=page, homes=homes, root=root)
    return page._replace(text=outside_code(page.text, change))


def _linked_line(line: str, page: Page, homes: Mapping[str, str], root: Path) -> str:
    line = _LINK.sub(partial(_moved, page=page, homes=homes, root=root), line)
    if line.startswith("#"):
        return line
    return _COMMAND.sub(partial(_called, page=page), _CODE.sub(partial(_named, page=page), line))


def _called(match: re.Match[str], page: Page) -> str:
    """Return a command as a link to its page, or unchanged if it has none or is on that page."""
    words = match["words"].split(" ")
    known = next((words[:end] for end in range(len(words), 0, -1) if tuple(words[:end]) in commands()), None)
    target = None if known is None else f"{command_page(known)}.md"
    return match[0] if target in {None, page.path} else f"[{match[0]}]({relative(str(target), page.path)})"


def _named(match: re.Match[str], page: Page) -> str:
    return link_to_rule(match["rule"], page.path) if match["rule"] in catalogue() else match[0]


def _moved(match: re.Match[str], page: Page, homes: Mapping[str, str], root: Path) -> str:
    """Return the link to the page of a file, or the text alone if the file has no page."""
    if _ADDRESS.match(match["target"]):
        return match[0]
    target, _, anchor = match["target"].partition("#")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(page.home), target))
    found = homes.get(place) or homes.get(f"{place}/README.md")
    if found:
        return f"[{match['text']}]({relative(found, page.path, anchor)})"
    return match["text"] if (root / place).exists() else match[0]
