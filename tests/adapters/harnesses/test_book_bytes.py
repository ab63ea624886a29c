"""Apache Kafka writes and reads the examples of the protocol's book as the book states.

Bodies of real messages go to the classes of the newest release. Messages defined in the book, and single types, each as
the only field of a message, go to classes made for them by Apache Kafka's own generator.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import pytest

from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
from conformance.adapters.harnesses.kafka_generator import KafkaGenerator
from conformance.definitions.book import TableRow, blocks, bytes_of, chapters, form_of
from reference import TAGS, equal, from_json, to_json
from reference.primitives import TAG_SECTION
from reference.resolution import resolve
from tests.specs.around import Stored
from tests.specs.examples import REFUSES, REJECTS
from tests.specs.notation import subject_of
from tests.specs.subjects import Alone, Body, Field, definition_of
from tests.specs.test_examples import definitions

pytestmark = pytest.mark.java

FIELD = "Value"
OLDER = re.compile(r".* of [0-9.]+")
SECTION = '{"type": "data", "name": "SingleTagSection", "validVersions": "0", "flexibleVersions": "0+", "fields": []}'


class Place(NamedTuple):
    """Where a type of the book is in Apache Kafka."""

    message: str
    body: Body
    generated: bool
    key: str = ""
    """Under which the value of a single type is in the message's value."""
    suffix: bytes = b""
    """What stands behind a single type in the message: the tag section."""

    def form(self, cell: str) -> Any:
        form = {self.key: form_of(cell)} if self.key else form_of(cell)
        return to_json(self.body.schema, self.body.value(form))

    def encode(self, cell: str) -> dict[str, Any]:
        return {"op": "encode", **self._target, "value": self.form(cell)}

    def decode(self, cell: str, *, whole: bool = True) -> dict[str, Any]:
        """Return the request to read a cell's bytes, if `whole` with the message's tag section around a single type."""
        return {"op": "decode", **self._target, "wire": self.wire(cell) if whole else bytes_of(cell).hex()}

    def wire(self, cell: str) -> str:
        return (bytes_of(cell) + self.suffix).hex()

    def is_value(self, reply: Mapping[str, Any], cell: str) -> bool:
        if reply["outcome"] != "value":
            return False
        schema = self.body.schema
        return equal(schema, from_json(schema, reply["value"]), from_json(schema, self.form(cell)))

    @property
    def _target(self) -> dict[str, Any]:
        return {"message": self.message, "version": self.body.schema.version}


def place_of(row: TableRow) -> Place | None:
    """Return the message to ask about, or None for varints, rows without a body, and older releases."""
    inline = definitions(row.chapter)
    match subject_of(row["type"], inline):
        case Field():
            definition = definition_of(one_field(row["type"]))
            compact = row["type"].startswith("compact-")
            body = Body(resolve(definition, int(compact)))
            return Place(definition.name, body, generated=True, key=FIELD, suffix=b"\0" * compact)
        case Alone() if row["type"] == TAG_SECTION:
            definition = definition_of(SECTION)
            return Place(definition.name, Body(resolve(definition, 0)), generated=True, key=TAGS)
        case Stored():
            return None
        case Body(schema) if schema.message in inline:
            return Place(unique_name(row.chapter, schema.message), Body(schema), generated=True)
        case Body() as body if not OLDER.fullmatch(row["type"]):
            return Place(body.schema.message, body, generated=False)
        case _:
            return None


@lru_cache(maxsize=1)
def rows() -> tuple[tuple[TableRow, Place], ...]:
    """Return every testable example of bytes, with its place."""
    every = [row for chapter in chapters() for row in chapter.rows if row.columns[0] == "type"]
    return tuple((row, place) for row in every if (place := place_of(row)) is not None)


def unique_name(chapter: str, message: str) -> str:
    return f"Chapter{chapter.partition('-')[0]}{message}"


def one_field(name: str) -> str:
    """Return the definition of a message with one field of a type, flexible in version 1."""
    plain = name.removeprefix("compact-")
    element = plain.removeprefix("nullable-")
    field = {"name": FIELD, "type": element.replace("array-of-", "[]"), "versions": "0+"}
    if plain != element:
        field["nullableVersions"] = "0+"
    message = "Single" + "".join(part.capitalize() for part in plain.split("-"))
    head = {"type": "data", "name": message, "validVersions": "0-1", "flexibleVersions": "1+"}
    return json.dumps({**head, "fields": [field]})


def generated_definitions() -> dict[str, str]:
    texts = [SECTION, *(one_field(row["type"]) for row, place in rows() if place.key == FIELD)]
    needed = {place.message for _, place in rows() if place.generated}
    for block in blocks("json"):
        name = definition_of(block.text).name
        texts.append(block.text.replace(f'"{name}"', f'"{unique_name(block.chapter, name)}"', 1))
    return {name: text for text in texts if (name := definition_of(text).name) in needed}


Ask = Callable[[Place, Mapping[str, Any]], Mapping[str, Any]]


@pytest.fixture(scope="module")
def ask(kafka: ApacheKafkaJvm, generator: KafkaGenerator, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """A function to put a request to Apache Kafka, in the release or in the classes of its generator."""
    jar = tmp_path_factory.mktemp("book") / "book.jar"
    generator.jar(generated_definitions(), jar)
    with ApacheKafkaJvm(generator.release, jars=[jar]) as generated:

        def ask(place: Place, request: Mapping[str, Any]) -> Mapping[str, Any]:
            [reply] = (generated if place.generated else kafka).exchange([request])
            return reply

        yield ask


def rows_with(*columns: str) -> list[Any]:
    return [pytest.param(row, place, id=str(row)) for row, place in rows() if set(columns) <= set(row.columns)]


@pytest.mark.parametrize(("row", "place"), rows_with("value", "bytes"))
def test_value_and_bytes(ask: Ask, row: TableRow, place: Place) -> None:
    assert ask(place, place.encode(row["value"]))["wire"] == place.wire(row["bytes"])
    assert place.is_value(ask(place, place.decode(row["bytes"])), row["value"])


@pytest.mark.parametrize(("row", "place"), rows_with("value given"))
def test_value_written_in_part(ask: Ask, row: TableRow, place: Place) -> None:
    assert ask(place, place.encode(row["value given"]))["wire"] == place.wire(row["bytes"])
    assert place.is_value(ask(place, place.decode(row["bytes"])), row["value read"])


@pytest.mark.parametrize(("row", "place"), rows_with("valid bytes"))
def test_bytes_of_no_writer(ask: Ask, row: TableRow, place: Place) -> None:
    assert place.is_value(ask(place, place.decode(row["valid bytes"])), row["value"])
    assert ask(place, place.encode(row["value"]))["wire"] == place.wire(row["written as"])


@pytest.mark.parametrize(("row", "place"), rows_with("invalid bytes"))
def test_invalid_bytes(ask: Ask, row: TableRow, place: Place) -> None:
    assert ask(place, place.decode(row["invalid bytes"], whole=False))["outcome"] == "rejected"


@pytest.mark.parametrize(("row", "place"), rows_with("unspecified bytes"))
def test_unspecified_bytes(ask: Ask, row: TableRow, place: Place) -> None:
    """Apache Kafka reads the book's value and writes it so, or it rejects the bytes."""
    reply = ask(place, place.decode(row["unspecified bytes"]))
    if row["Apache Kafka reads"] == REJECTS:
        assert reply["outcome"] == "rejected"
        return
    assert place.is_value(reply, row["Apache Kafka reads"])
    again = ask(place, place.encode(row["Apache Kafka reads"])).get("wire", REFUSES)
    assert again == (REFUSES if row["and writes"] == REFUSES else place.wire(row["and writes"]))


@pytest.mark.parametrize(("row", "place"), rows_with("refused value"))
def test_refused_value(ask: Ask, row: TableRow, place: Place) -> None:
    assert ask(place, place.encode(row["refused value"]))["outcome"] in {"rejected", "unrepresentable"}


@pytest.mark.parametrize(("row", "place"), rows_with("unspecified value"))
def test_unspecified_value(ask: Ask, row: TableRow, place: Place) -> None:
    assert ask(place, place.encode(row["unspecified value"]))["wire"] == place.wire(row["Apache Kafka writes"])
