import json

import pytest

from conformance.adapters.harnesses.kafka_generator import KafkaGenerator
from reference.definitions.model import RELEASED
from reference.evolution import Effect, changes
from tests.helpers.definitions import Properties, field, message, tagged
from tests.reference.evolution.definitions import parsed
from tests.reference.evolution.evolutions import EVOLUTIONS

pytestmark = pytest.mark.java

BASE = field(name="Base")
FIRST, SECOND = tagged(name="First"), tagged(name="Second", tag=1)
NULLABLE = field(type="string", nullableVersions="0+")

LETS_PASS: dict[str, tuple[Properties, Properties]] = {
    "flexible versions that grow over released ones": (message(BASE), message(BASE, flexibleVersions="0+")),
    "tags that change places": (message(FIRST, SECOND), message(FIRST | {"tag": 1}, SECOND | {"tag": 0})),
    "a tagged field that loses its tag": (message(FIRST), message(field(name="First", versions="1+"))),
    "fields of one type that change places": (message(BASE, field()), message(field(), BASE)),
    "a field that may not be null any more": (message(NULLABLE), message(field(type="string"))),
}
"""Changes of released versions to which it does not object."""

REFUSES: dict[str, tuple[Properties, Properties]] = {
    "a new tagged field": (message(BASE), message(BASE, tagged(name="New", ignorable=True))),
    "bytes that become records": (message(field(type="bytes")), message(field(type="records"))),
    "a struct of another name": (
        message(field(type="One", fields=[BASE])),
        message(field(type="Other", fields=[BASE])),
    ),
    "a default that is written otherwise": (message(field()), message(field(default="0"))),
}
"""Changes that leave the bytes of released versions and their meaning alone, to which it objects."""


def satisfied(generator: KafkaGenerator, old: Properties, new: Properties) -> bool:
    [reply] = generator.ask_many([{"op": "evolve", "old": json.dumps(old), "new": json.dumps(new)}])
    return str(reply["outcome"]) == "accepted"


def compatible(old: Properties, new: Properties) -> bool:
    return all(each.effect is Effect.COMPATIBLE for each in changes(parsed(old), parsed(new)))


@pytest.mark.parametrize("name", LETS_PASS)
def test_verifier_accepts_some_changes_of_bytes(generator: KafkaGenerator, name: str) -> None:
    assert satisfied(generator, *LETS_PASS[name])
    assert not compatible(*LETS_PASS[name])


@pytest.mark.parametrize("name", REFUSES)
def test_verifier_refuses_some_changes_without_effect_on_bytes(generator: KafkaGenerator, name: str) -> None:
    assert not satisfied(generator, *REFUSES[name])
    assert compatible(*REFUSES[name])


def test_both_find_plainly_incompatible_changes(generator: KafkaGenerator) -> None:
    rules = ("api-key", "default", "field-removed", "highest-version", "kind", "type")
    for case in EVOLUTIONS:
        if case.rule in rules and case.dialect == RELEASED and case.old and case.new:
            assert not satisfied(generator, case.old, case.new), case
            assert not compatible(case.old, case.new), case
