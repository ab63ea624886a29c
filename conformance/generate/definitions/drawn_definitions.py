"""Random definitions of messages, valid by every rule, with combinations of features unseen in real messages.

    @given(definitions())
    def test_every_version_can_be_resolved(definition: dict[str, Any]) -> None: ...

`definitions` is the strategy, `sample_definition` returns the definition of a seed. Both return the properties of a
definition file, ready for `json.dumps`; the simplest is a message without fields.

One walk builds common structs from the innermost to the outermost, then the message's own fields. Each choice keeps to
the rules, so no result has to be filtered.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from conformance.generate.choices import Choices, DrawnChoices, SeededChoices, pick
from conformance.generate.definitions.drawn_fields import FieldMaker, unless_empty
from conformance.generate.definitions.versions import (
    EVERY_FEATURE,
    NAMES,
    Features,
    any_range,
    flexible_versions,
    header_versions,
    valid_versions,
)
from reference.definitions.canonical import stated
from reference.definitions.header_versions import APIS
from reference.definitions.model import LISTENERS, NO_VERSIONS, VersionRange
from reference.definitions.parse import broken_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.generate.definitions.versions import Properties

GIVEN_UP_ONE_IN = 32
ZOOKEEPER = "zkBroker"
"""A listener of releases before 4.0.0 only."""

ZOOKEEPER_ONE_IN = 16


@st.composite
def definitions(draw: Callable[[Any], Any], features: Features = EVERY_FEATURE) -> Properties:
    """Return a Hypothesis strategy of valid definitions, as the objects of their files."""
    return make_definition(DrawnChoices(draw), features)


def sample_definition(seed: str, features: Features = EVERY_FEATURE) -> Properties:
    """Return the valid definition of `seed`, always the same one."""
    return make_definition(SeededChoices(f"definition/{seed}"), features)


def make_definition(choices: Choices, features: Features = EVERY_FEATURE) -> Properties:
    """Return the valid definition of those choices."""
    kind = pick(choices, features.kinds)
    valid = valid_versions(choices)
    flexible = _flexible(choices, valid, features)
    given_up = features.given_up and choices.below(GIVEN_UP_ONE_IN) == 1
    if kind == "coordinator-key":
        valid, flexible, given_up = VersionRange(0, 0), NO_VERSIONS, False
    is_sent = kind == "request" and not given_up
    maker = FieldMaker(choices, features, valid, flexible)
    common = maker.common_structs()
    definition = stated(
        {
            "apiKey": _api_key(choices, kind),
            "type": kind,
            "listeners": _listeners(choices) if is_sent else None,
            "name": NAMES[kind],
            "validVersions": str(NO_VERSIONS if given_up else valid),
            "deprecatedVersions": unless_empty(any_range(choices, valid)) if choices.below(8) == 1 else None,
            "flexibleVersions": None if given_up else str(flexible),
            "latestVersionUnstable": is_sent and choices.below(4) == 1,
            "commonStructs": common,
            "fields": maker.fields(),
        }
    )
    if features.header_versions and kind in APIS and not given_up and choices.below(2) == 1:
        definition["headerVersions"] = header_versions(choices, kind, valid, flexible)
    return _renamed(choices, definition)


def _renamed(choices: Choices, definition: Properties) -> Properties:
    """Exchange the names of two common structs, if the result is valid too.

    The order of their names matters (6.52).
    """
    names = [struct["name"] for struct in definition.get("commonStructs", ())]
    if len(names) < 2 or choices.below(2) == 0:  # noqa: PLR2004  # two to exchange
        return definition
    exchanged = {f'"{names[0]}"': f'"{names[1]}"', f'"{names[1]}"': f'"{names[0]}"'}
    text = json.dumps(definition)
    other = re.sub("|".join(map(re.escape, exchanged)), lambda match: exchanged[match[0]], text)
    return definition if broken_rules(other, "") else json.loads(other)


def _flexible(choices: Choices, valid: VersionRange, features: Features) -> VersionRange:
    if not features.flexible:
        return NO_VERSIONS
    if features.inflexible and choices.below(4) == 0:
        return NO_VERSIONS
    return flexible_versions(choices, valid)


def _api_key(choices: Choices, kind: str) -> int | None:
    if kind in {"header", "data"} and choices.below(4) != 1:
        return None
    return pick(choices, (0, 1, 32767, -1))


def _listeners(choices: Choices) -> list[str]:
    return [name for name in LISTENERS if choices.below(ZOOKEEPER_ONE_IN if name == ZOOKEEPER else 2) == 1]
