"""Templates: every text is escaped, and what no screen shows as itself is written as its escape."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.filters import do_forceescape

from conformance.definitions.catalogue import catalogue
from conformance.report.facts import finding_address
from conformance.report.states import MEANINGS, State
from conformance.system.printable import printable, printable_lines
from reference.definitions.model import ranges_of

if TYPE_CHECKING:
    from collections.abc import Iterable

MAXIMUM_TEXT = 1_000
"""Characters of one text that are shown, if a page does not ask for the whole; the JSON of a case has all of them."""

WEB = ("https://", "http://")


def render(template: str, root: str, **facts: Any) -> str:
    """Return a page; `root` is the way from its folder to that of the site, as `../`."""
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
    """Return what is put into a page: texts without control characters, bidirectional marks and the like, and cut."""
    return printable(_cut(value)) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _whole(text: str) -> str:
    """Return a text with all of its lines, however long it is, as markup."""
    return do_forceescape(printable_lines(text))


def _count(number: int, noun: str = "") -> str:
    """Return a number, with its noun: `1 case`, `2,000 cases`."""
    return f"{number:,}" + (f" {noun}{'s' if number != 1 else ''}" if noun else "")


def _cut(text: str, maximum: int = MAXIMUM_TEXT) -> str:
    return text if len(text) <= maximum else f"{text[:maximum]}… ({len(text):,} characters)"


def _kebab(text: str) -> str:
    return text.replace(",", "").replace(" ", "-")


def is_web(address: str) -> bool:
    """Return whether an address is one of the web, and not a script."""
    return address.lower().startswith(WEB)


def pairs_text(pairs: Iterable[str]) -> str:
    """Return pairs by message, as `FetchRequest v4 to 12, HeartbeatRequest v0`."""
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
