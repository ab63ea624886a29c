"""Templates of pages, in which every text is escaped, and so are characters that a screen cannot show."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.filters import do_forceescape

from conformance.definitions.catalogue import catalogue
from conformance.judge.levels import sentence_of
from conformance.report.states import MEANINGS, State
from conformance.report.words import (
    amplification_line,
    causes_text,
    comparison_lines,
    counted,
    impact_text,
    release_title,
    shortened,
    versions_text,
)
from conformance.system.printable import printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.judge.findings.lines import FindingLine

MAXIMUM_TEXT = 1_000
"""The number of characters shown of one text, unless a template asks for the whole. JSON has all of them."""

MAXIMUM_MESSAGES = 12
"""The number of messages named in a list of pairs."""

WEB = ("https://", "http://")

SITE = "Kafka wire protocol conformance"


def render(template: str, root: str, **facts: Any) -> str:
    """Return the text of a page. `root` is the path from its folder to that of the site, like `../`."""
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
    environment.filters |= {"whole": _whole, "count": _count, "pairs": _pairs, "cut": shortened, "kebab": kebab}
    environment.filters |= {
        "impact": impact_text,
        "release": release_title,
        "demand": _demand,
        "comparison": _comparison,
    }
    environment.filters |= {"amplification": amplification_line, "causes": causes_text}
    environment.tests |= {"web": is_web, "rule": lambda rule: rule in catalogue()}
    environment.globals |= {"State": State, "MEANINGS": MEANINGS, "SITE": SITE, "image": "", "site_url": ""}
    return environment


def _shown(value: Any) -> Any:
    # A text with `__html__` is markup of a filter or a macro, escaped already; cutting it could split an element.
    return shortened(value, MAXIMUM_TEXT) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _whole(text: str) -> str:
    return do_forceescape(printable_lines(text))


def _count(number: int, noun: str = "") -> str:
    return counted(number, noun) if noun else f"{number:,}"


def _pairs(pairs: Iterable[str]) -> str:
    return versions_text(pairs, maximum=MAXIMUM_MESSAGES)


def _demand(finding: FindingLine) -> str:
    return sentence_of(finding.rule, finding.example.side, finding.outcome)


def _comparison(finding: FindingLine) -> str:
    return "\n".join(comparison_lines(finding.example))


def kebab(text: str) -> str:
    """Return words as the name of a class of a style sheet or as an id.

    >>> kebab("follows, partly tested")
    'follows-partly-tested'
    """
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-").lower()


def is_web(address: str) -> bool:
    """Return whether an address of a report is one of the web, and no script, to which pages must not link."""
    return address.lower().startswith(WEB)
