import json
from collections.abc import Iterable

import pytest

from conformance.adapters.harnesses.kafka_generator import KafkaGenerator
from conformance.commands.specs_witness import found_witnesses
from reference import load_release, to_json
from reference.definitions.model import Definition
from reference.definitions.parse import LOADER
from reference.evolution import Change, DefinitionSet, changes
from tests.campaign.proof.readings import changed
from tests.campaign.proof.single_changes import CHANGES, RELEASE, Single, expected, single_change

NIGHT = 2_000
FEW = 2 * len(CHANGES)
KNOWN = 0.005
"""The share of changes whose verdict may be another."""


def definition(single: Single) -> Definition | None:
    parsed, problems = LOADER.read(single.text, "new.json")
    return None if problems else parsed


def compared(single: Single, new: Definition) -> tuple[Change, ...]:
    return changes(LOADER.parse(json.dumps(single.old), "old.json"), new)


def misjudged(numbers: Iterable[int]) -> list[str]:
    """The changes that are called something else than what they are, or are not named."""
    wrong = []
    for number in numbers:
        single = single_change(number)
        new = definition(single)
        if new is not None:
            effect = next((each.effect.value for each in compared(single, new)), "")
            if effect not in expected(single):
                wrong.append(f"{number} {single.kind} of {single.old['name']}: {effect}, not {expected(single)}")
    return wrong


def without_difference(numbers: Iterable[int]) -> list[str]:
    """The changes with a witness on both sides of which the same values stand."""
    wrong = []
    for number in numbers:
        single = single_change(number)
        if new := definition(single):
            old = LOADER.parse(json.dumps(single.old), "old.json")
            sets = DefinitionSet({old.name: old}), DefinitionSet({new.name: new})
            for change, witness in found_witnesses(*sets, compared(single, new)).items():
                if witness is not None and witness.read is not None:
                    values = (
                        to_json(witness.writer.schema, witness.written),
                        to_json(witness.reader.schema, witness.read),
                    )
                    if values[0] == values[1]:
                        wrong.append(f"{number} {change}: {witness.wire.hex(' ')}")
    return wrong


def test_definition_reads_what_it_writes() -> None:
    release = load_release(RELEASE)
    for message in ("FetchRequest", "FetchResponse", "RequestHeader", "ConsumerGroupDescribeResponse"):
        own = release.definition(message)
        assert [version for version in own.valid_versions if changed(own, own, version, "", 5)] == []


def test_single_change_is_called_what_bytes_show() -> None:
    assert misjudged(range(FEW)) == []


def test_witness_shows_a_difference() -> None:
    assert without_difference(range(0, FEW, 3)) == []


@pytest.mark.nightly
def test_nearly_every_single_change_is_called_what_bytes_show() -> None:
    wrong = misjudged(range(NIGHT))
    assert len(wrong) <= KNOWN * NIGHT, "\n".join(wrong)


@pytest.mark.nightly
def test_every_witness_shows_a_difference() -> None:
    assert without_difference(range(NIGHT)) == []


@pytest.mark.nightly
@pytest.mark.java
def test_nearly_every_single_change_is_refused_where_the_generator_refuses_it() -> None:
    singles = [single_change(number) for number in range(NIGHT)]
    with KafkaGenerator() as generator:
        refusals = generator.refusals([single.text for single in singles])
    wrong = [
        f"{single.kind} of {single.old['name']}: {refusal}"
        for single, refusal in zip(singles, refusals, strict=True)
        if (definition(single) is None) != (refusal is not None)
    ]
    assert len(wrong) <= KNOWN * NIGHT, "\n".join(wrong)
