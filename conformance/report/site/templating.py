"""Templates of pages.

Every text is escaped. Characters that a screen cannot show are written as their escapes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.filters import do_forceescape

from conformance.definitions.catalogue import catalogue
from conformance.judge.findings.wording import length_of
from conformance.report.facts import finding_address
from conformance.report.states import MEANINGS, State
from conformance.system.printable import printable, printable_lines
from reference.definitions.model import ranges_of

if TYPE_CHECKING:
    from collections.abc import Iterable

MAXIMUM_TEXT = 1_000
"""The number of characters shown of one text, unless a template asks for the whole.

The JSON of a case has all of them.
"""

WEB = ("https://", "http://")


def render(template: str, root: str, **facts: Any) -> str:
    """Return the text of a page.

    Args:
        template: the name of the template.
        root: the relative path from the folder of the page to that of the site, like `../`.
        facts: the variables of the template.
    """
    return _environment().get_template(template).render(root=root, **facts).rstrip() + "\n"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("conformance.report.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters |= {"whole": _whole, "count": _count, "pairs": pairs_text, "cut": _cut, "kebab": _kebab}
    environment.filters["address"] = finding_address
    environment.tests |= {"web": is_web, "rule": lambda rule: rule in catalogue()}
    environment.globals |= {"State": State, "MEANINGS": MEANINGS}
    return environment


def _shown(value: Any) -> Any:
    """Return a value for a page.

    A text is cut, and has no control characters, bidirectional marks and the like.
    """
    # A text with `__html__` is markup of a filter or a macro, escaped already; cutting it could split an element.
    return printable(_cut(value)) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _whole(text: str) -> str:
    """Return a whole text with all of its lines as markup."""
    return do_forceescape(printable_lines(text))


def _count(number: int, noun: str = "") -> str:
    """Return a number with its noun, like `1 case` or `2,000 cases`."""
    return f"{number:,}" + (f" {noun}{'s' if number != 1 else ''}" if noun else "")


def _cut(text: str, maximum: int = MAXIMUM_TEXT) -> str:
    return text if len(text) <= maximum else f"{text[:maximum]}… ({length_of(text):,} characters)"


def _kebab(text: str) -> str:
    return text.replace(",", "").replace(" ", "-")


def is_web(address: str) -> bool:
    """Return whether an address is one of the web.

    An address of a report may be a script, like `javascript:…`; pages must not link to it.
    """
    return address.lower().startswith(WEB)


def pairs_text(pairs: Iterable[str]) -> str:
    """Return pairs by message, like `FetchRequest v4-12, HeartbeatRequest v0`."""
    versions: dict[str, list[int]] = {}
    others: list[str] = []
    for pair in pairs:
        message, dash, version = pair.rpartition("-v")
        if dash and version.isdecimal():
            versions.setdefault(message, []).append(int(version))
        else:
            others.append(pair)
    named = [f"{name} v{', '.join(map(str, ranges_of(sorted(each))))}" for name, each in sorted(versions.items())]
    return "; ".join([*named, *sorted(others)])
