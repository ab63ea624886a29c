import pytest

from conformance.adapters.harnesses.kafka_generator import Complaint, KafkaGenerator
from conformance.definitions.book import blocks
from tests.specs.definition_examples import asked
from tests.specs.evolution_examples import change_of_block

pytestmark = pytest.mark.java

WORDS = {"read": "read", "generated": "generate", "compiled": "compile"}
"""How the book calls the stages at which a definition is refused."""


def in_words(refusal: Complaint | None) -> str:
    return "accepts" if refusal is None else f"refuses: {WORDS[refusal.stage]}"


def test_generator_agrees_with_the_book(generator: KafkaGenerator) -> None:
    shown = asked()
    refusals = generator.refusals([example.text for example in shown.values()], compiled=True)
    answers = {place: in_words(refusal) for place, refusal in zip(shown, refusals, strict=True)}
    assert answers == {place: example.kafka for place, example in shown.items()}


def test_evolution_verifier_agrees_with_the_book(generator: KafkaGenerator) -> None:
    shown = {str(block): change_of_block(block) for block in blocks("diff")}
    changes = {place: example for place, example in shown.items() if example.verifier}
    requests = [{"op": "evolve", "old": example.old or "", "new": example.new or ""} for example in changes.values()]
    replies = zip(changes, generator.ask_many(requests), strict=True)
    answers = {place: "accepts" if reply["outcome"] == "accepted" else "refuses" for place, reply in replies}
    assert answers == {place: example.verifier for place, example in changes.items()}
