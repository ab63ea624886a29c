"""Definitions compared with Apache Kafka's own generator and its generated classes.

The rules of definitions: both sides get valid definitions, definitions that break one rule, valid ones with random
changes, and some with a fault that Apache Kafka notices late. Both must agree on each definition, or differ in a known
way. The known ways are in `DEPARTURES`, each with its rule and its reason.

The bytes: generated classes write and read values of definitions outside of releases, and the reference is compared
with them byte for byte. These definitions are drawn (`conformance.generate.definitions.drawn_definitions`), because the
messages of releases use few features of definitions, and fewer of them together. Or they come from a folder, such as a
fork's.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
from conformance.adapters.harnesses.kafka_generator import Complaint, KafkaGenerator
from conformance.campaign.proof.left_out import left_out
from conformance.campaign.proof.proven_contents import compare_bodies
from conformance.generate.choices import SeededChoices
from conformance.generate.definitions.changed import sample_changed
from conformance.generate.definitions.damaged import DAMAGES, NOTICED_IN_USE, NOTICED_LATE, damaged, sample_damaged
from conformance.generate.definitions.drawn_definitions import sample_definition
from conformance.generate.definitions.versions import Features
from reference.definitions.canonical import canonical_json
from reference.definitions.parse import broken_rules, parse_definition
from reference.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.campaign.proof.proof import ProofResult
    from reference import MessageSchema, Release

PREFIX = "Given"
"""Put before the name of a message, since a released class may have that name."""

WITH_VERSIONS = Features(given_up=False, header_versions=False)
OF_RELEASES = Features(header_versions=False)
"""Without headerVersions. Generators of releases up to 4.4.0 refuse them, and no byte of a body depends on them."""

OF_HEADERS = "header-versions-"

BATCH = 200


def generated_definitions(count: int) -> dict[str, str]:
    """Return `count` valid definitions, by the names of their messages, the same at every call."""
    definitions = {}
    for number in range(count):
        definition = sample_definition(f"bytes/{number}", WITH_VERSIONS)
        name = definition["name"].replace("Sample", f"Sample{number}X")
        definitions[name] = json.dumps({**definition, "name": name, "listeners": []})
    return definitions


def schemas_of(definitions: dict[str, str]) -> Iterator[MessageSchema]:
    """Yield every version of every message."""
    for name, text in definitions.items():
        definition = parse_definition(text, name)
        yield from (resolve(definition, version) for version in definition.valid_versions)


class Given(NamedTuple):
    """The definitions of a folder, with names unused by classes of Apache Kafka's jars."""

    texts: dict[str, str]
    """The definitions with classes."""
    schemas: list[MessageSchema]
    refused: dict[str, Complaint]
    """The reasons for the others to have no classes, by message."""


def given_definitions(release: Release, selected: Sequence[MessageSchema]) -> Given:
    """Return the definitions of the selected messages that Apache Kafka's generator and the Java compiler accept.

    Listeners and headerVersions are left out: generators differ in their support, and no byte of a body depends on
    them.
    """
    names = list(dict.fromkeys(schema.message for schema in selected))
    definitions = (
        replace(release.definition(name), name=f"{PREFIX}{name}", listeners=(), header_versions=None) for name in names
    )
    texts = {definition.name: canonical_json(definition) for definition in definitions}
    with KafkaGenerator() as generator:
        refusals = dict(zip(texts, generator.refusals(list(texts.values()), compiled=True), strict=True))
    accepted = {name: text for name, text in texts.items() if refusals[name] is None}
    chosen = {(f"{PREFIX}{schema.message}", schema.version) for schema in selected}
    schemas = [schema for schema in schemas_of(accepted) if (schema.message, schema.version) in chosen]
    refused = {name.removeprefix(PREFIX): refusal for name, refusal in refusals.items() if refusal is not None}
    return Given(accepted, schemas, refused)


def compare_generated(
    definitions: dict[str, str],
    values: int,
    comparison: ProofResult,
    *,
    schemas: Iterable[MessageSchema] | None = None,
    edges: bool = False,
) -> Iterator[MessageSchema]:
    """Compare the reference with classes of Apache Kafka's generator, and yield each message version when it is done.

    The definitions are texts by unique name. `schemas` are all of their message versions by default, and those with an
    entry of `left_out` are not compared. Each has generated values, and with `edges` every deterministic case.
    """
    with tempfile.TemporaryDirectory() as folder:
        jar = Path(folder) / "generated.jar"
        with KafkaGenerator() as generator:
            generator.jar(definitions, jar)
        compared = [schema for schema in schemas or schemas_of(definitions) if left_out(schema) is None]
        with ApacheKafkaJvm(generator.release, jars=[jar]) as kafka:
            yield from compare_bodies(kafka, compared, values, comparison, edges=edges)


class ProvenDefinition(NamedTuple):
    """A definition for both sides."""

    kind: str
    text: str


class Exemption(NamedTuple):
    """A known difference between the two sides, with its reason."""

    rule: str
    """The number of its rule."""
    stage: str
    """The stage of Apache Kafka's refusal of a definition accepted by the reference; `accepted` for the opposite."""
    text: str
    """A regular expression for Apache Kafka's text, or for the reference's answer and the definition."""
    why: str


DEPARTURES = (
    Exemption("6.12", "read", '"zkBroker"', "the listener zkBroker went in 4.0.0, and is in earlier definitions"),
    Exemption("4.1.4", "compiled", "number too large", "the default is sound, but too large a number in Java"),
    Exemption("4.1.6", "compiled", "literal|text block", "the default is sound, but pasted into Java as it stands"),
    Exemption("6.18", "compiled", "declared in a file", "the name of the message begins with a small letter"),
    Exemption("6.21", "compiled", "already defined", "the names are alike in Java, and nowhere else"),
    Exemption("6.25", "compiled", "<identifier> expected", "the name is a word of Java's own"),
    Exemption("6.59", "compiled", r"byte\[\]|ByteBuffer", "the generated Java is wrong, the bytes are well defined"),
    Exemption("4.1.7", "accepted", "definition.default .*4455-6677-8899", "a uuid with dashes: the class fails in use"),
    Exemption("6.52", "accepted", "common-struct-recursive", "it contains itself, in versions that do not use it"),
    Exemption("6.52", "accepted", "inline-struct-in-common", "an inline struct of the message is lent to a common one"),
    Exemption("6.21", "generated", '"messageInfo" is null', "a struct has the name of the message"),
)
"""Every known difference. A definition refused by the Java compiler only is of use in other languages."""


@dataclass
class Agreement:
    """The answers of both sides to every definition, and the differences."""

    asked: Counter[str] = field(default_factory=Counter)
    agreed: Counter[tuple[str, str]] = field(default_factory=Counter)
    """The number of agreements by kind: both accept, or both refuse, with the stage of Apache Kafka's refusal."""
    departures: Counter[Exemption] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    """Unknown differences."""

    def note(self, subject: ProvenDefinition, refusal: Complaint | None) -> None:
        """Compare the answer of the reference with that of Apache Kafka."""
        problems = broken_rules(subject.text, "definition")
        self.asked[subject.kind] += 1
        if bool(problems) == (refusal is not None):
            self.agreed[subject.kind, "both accept" if refusal is None else f"both refuse ({refusal.stage})"] += 1
            return
        rules = ", ".join(dict.fromkeys(broken.problem.rule for broken in problems)) or "accepts it"
        if departure := _departure(subject, refusal, rules):
            self.departures[departure] += 1
        else:
            theirs = f"{refusal.stage}: {refusal.text}" if refusal else "accepts it"
            self.differences.append(f"the reference: {rules}; Apache Kafka: {theirs}; {subject.text}")


def _departure(subject: ProvenDefinition, refusal: Complaint | None, rules: str) -> Exemption | None:
    stage, text = (refusal.stage, refusal.text) if refusal else ("accepted", f"{rules} {subject.text}")
    known = (departure for departure in DEPARTURES if departure.stage == stage and re.search(departure.text, text))
    return next(known, None)


def compare_definitions(generator: KafkaGenerator, count: int, agreement: Agreement) -> Iterator[int]:
    """Ask both sides about definitions of each kind, and yield the size of each batch when it is done.

    `count` of each are valid, broken in one way, and changed at random. Some more have a fault noticed late.
    """
    subjects = _subjects(count)
    while batch := list(islice(subjects, BATCH)):
        refusals = generator.refusals([subject.text for subject in batch], compiled=True)
        for subject, refusal in zip(batch, refusals, strict=True):
            agreement.note(subject, refusal)
        yield len(batch)


def _subjects(count: int) -> Iterator[ProvenDefinition]:
    for number in range(count):
        yield ProvenDefinition("sound", json.dumps(sample_definition(f"prove/{number}", OF_RELEASES)))
    damages = [damage for damage in DAMAGES if not damage.rule.startswith(OF_HEADERS)]
    for number in range(count):
        yield ProvenDefinition("broken in one way", sample_damaged(number, damages).text)
    for number in range(count):
        yield ProvenDefinition("changed at random", json.dumps(sample_changed(f"prove/{number}", OF_RELEASES)))
    for number, damage in enumerate((*NOTICED_LATE, NOTICED_IN_USE)):
        yield ProvenDefinition("noticed late", damaged(SeededChoices(f"noticed-late/{number}"), damage).text)
