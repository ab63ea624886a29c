"""The rules about definitions compared with Apache Kafka's own generator.

Both get sound definitions, definitions that break one rule, sound ones with random changes, and some whose fault Apache
Kafka notices late. They must agree on each definition, or differ in one of the known ways, `DEPARTURES`: each has its
rule and its reason.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.choices import SeededChoices
from conformance.generate.definitions.changed import sample_changed
from conformance.generate.definitions.damaged import NOTICED_IN_USE, NOTICED_LATE, damaged, sample_damaged
from conformance.generate.definitions.strategy import sample_definition
from reference.definitions.parse import broken_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.harnesses.kafka_generator import KafkaGenerator, Refusal

BATCH = 200


class Subject(NamedTuple):
    """A definition that both are asked about."""

    kind: str
    text: str


class Departure(NamedTuple):
    """A known difference between the two, with its reason."""

    rule: str
    """The number of the rule that it is about."""
    stage: str
    """At which Apache Kafka refuses what the reference takes; `accepted`: the other way round."""
    text: str
    """What Apache Kafka says; or what the reference does, and the definition: a regular expression."""
    why: str


DEPARTURES = (
    Departure("6.12", "read", '"zkBroker"', "the listener zkBroker went in 4.0.0, and is in earlier definitions"),
    Departure("4.1.4", "compiled", "number too large", "the default is sound, but too large a number in Java"),
    Departure("4.1.6", "compiled", "literal|text block", "the default is sound, but pasted into Java as it stands"),
    Departure("6.18", "compiled", "declared in a file", "the name of the message begins with a small letter"),
    Departure("6.21", "compiled", "already defined", "the names are alike in Java, and nowhere else"),
    Departure("6.25", "compiled", "<identifier> expected", "the name is a word of Java's own"),
    Departure("6.59", "compiled", r"byte\[\]|ByteBuffer", "the generated Java is wrong, the bytes are well defined"),
    Departure("4.1.7", "accepted", "definition.default .*4455-6677-8899", "a uuid with dashes: the class fails in use"),
    Departure("6.52", "accepted", "common-struct-recursive", "it contains itself, in versions that do not use it"),
    Departure("6.52", "accepted", "inline-struct-in-common", "an inline struct of the message is lent to a common one"),
    Departure("6.21", "generated", '"messageInfo" is null', "a struct has the name of the message"),
)
"""Every known difference. A definition that only the Java compiler refuses is of use in other languages."""


@dataclass
class Agreement:
    """The answers of both to every definition, and the differences."""

    asked: Counter[str] = field(default_factory=Counter)
    """How many definitions of each kind."""
    said: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often both accept, or both refuse (with the stage at which Apache Kafka does), by kind."""
    departures: Counter[Departure] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    """Differences that are not known."""

    def note(self, subject: Subject, refusal: Refusal | None) -> None:
        """Compare the answer of the reference with that of Apache Kafka."""
        problems = broken_rules(subject.text, "definition")
        self.asked[subject.kind] += 1
        if bool(problems) == (refusal is not None):
            self.said[subject.kind, "both accept" if refusal is None else f"both refuse ({refusal.stage})"] += 1
            return
        rules = ", ".join(dict.fromkeys(broken.problem.rule for broken in problems)) or "accepts it"
        if departure := _departure(subject, refusal, rules):
            self.departures[departure] += 1
        else:
            theirs = f"{refusal.stage}: {refusal.text}" if refusal else "accepts it"
            self.differences.append(f"the reference: {rules}; Apache Kafka: {theirs}; {subject.text}")


def _departure(subject: Subject, refusal: Refusal | None, rules: str) -> Departure | None:
    stage, text = (refusal.stage, refusal.text) if refusal else ("accepted", f"{rules} {subject.text}")
    known = (departure for departure in DEPARTURES if departure.stage == stage and re.search(departure.text, text))
    return next(known, None)


def compare_definitions(generator: KafkaGenerator, count: int, agreement: Agreement) -> Iterator[int]:
    """Ask both about `count` definitions of each kind: sound, broken in one way, changed at random; and noticed late.

    Yields the size of each batch when it is done.
    """
    subjects = _subjects(count)
    while batch := list(islice(subjects, BATCH)):
        refusals = generator.refusals([subject.text for subject in batch], compiled=True)
        for subject, refusal in zip(batch, refusals, strict=True):
            agreement.note(subject, refusal)
        yield len(batch)


def _subjects(count: int) -> Iterator[Subject]:
    for number in range(count):
        yield Subject("sound", json.dumps(sample_definition(f"prove/{number}")))
    for number in range(count):
        yield Subject("broken in one way", sample_damaged(number).text)
    for number in range(count):
        yield Subject("changed at random", json.dumps(sample_changed(f"prove/{number}")))
    for number, damage in enumerate((*NOTICED_LATE, NOTICED_IN_USE)):
        yield Subject("noticed late", damaged(SeededChoices(f"noticed-late/{number}"), damage).text)
