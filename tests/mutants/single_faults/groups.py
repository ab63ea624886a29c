"""The groups of ways named by rows of the table of places."""

from collections.abc import Callable, Mapping
from typing import Any

from conformance.codec.selection import parse_selection
from tests.mutants.single_faults import ways
from tests.mutants.single_faults.own_ways import PLAIN, Way
from tests.second_codec.frames import HeaderAsked
from tests.second_codec.steps import HIGHEST_TEXT, ContentWay

Ways = Mapping[str, Way]
LIMITS = {"text": HIGHEST_TEXT, "bytes": 2**31 - 1}
EMPTY: dict[str, Any] = {"text": "", "bytes": b""}


def group(name: str) -> Callable[..., Ways]:
    """Return the ways of a group, by the side and by the other words of a row."""
    return GROUPS[name] if name in GROUPS else lambda _side: PLAIN[name]


def _int(side: str, width: str, kind: str = "signed") -> Ways:
    found = ways.fixed_readings if side == "decode" else ways.fixed_writings
    return found(int(width), is_signed=kind == "signed")


def _varint(side: str, bits: str) -> Ways:
    return (ways.varint_readings if side == "decode" else ways.varint_writings)(int(bits))


def _lengths(side: str, kind: str, null: str) -> Ways:
    found = ways.length_readings if side == "decode" else ways.length_writings
    return found(LIMITS[kind], nullable=null == "nullable")


def _section(side: str, part: str = "") -> Ways:
    return ways.entries(side)[part]


def _header(_side: str, name: str, header: str, selection: str) -> Ways:
    """Return another version of the header for the messages of a selection."""
    [selector] = parse_selection([selection])

    def changed(around: HeaderAsked) -> HeaderAsked:
        is_wrong = selector.matches(around.schema.message, around.schema.version)
        return around._replace(header=int(header)) if is_wrong else around

    return {name: ContentWay(value=changed)}


GROUPS: dict[str, Callable[..., Ways]] = {
    "int": _int,
    "varint": _varint,
    "lengths": _lengths,
    "contents": lambda _side, kind: ways.contents(EMPTY[kind]),
    "nothing": lambda _side, kind: ways.nothing(EMPTY[kind]),
    "section": _section,
    "header": _header,
    "alone": lambda _side, *names: dict.fromkeys(names),
    "excess": lambda _side, bits: {"excess-bits-refused": ways.excess_refused(int(bits))},
}
