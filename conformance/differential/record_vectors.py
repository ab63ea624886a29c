"""Golden vectors of record batches compared with Apache Kafka: its consumer, its broker, and what it writes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from conformance.differential.comparison import Question
from conformance.differential.records import Case, written_records
from reference import ApacheKafka, encode_records, judge_records, records_from_json, records_to_json
from reference.records.records_field import PARTIAL
from reference.records.verdict import ACCEPTS, Observed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.differential.comparison import Comparison
    from conformance.golden.tree.paths import Group
    from reference import RecordsVerdict

    Json = dict[str, Any]


@dataclass(frozen=True)
class VectorCase(Case):
    """A vector, as the bytes that both readers are asked about."""

    vector: Json

    @cached_property
    def verdict(self) -> RecordsVerdict:
        """What the vector says; of a release that it does not name, what the reference says."""
        verdict = judge_records(self.wire, release=self.release)
        readers = self.vector["readers"].get(f"apache-kafka-{self.release}")
        if readers is None:
            return verdict
        form = self._form
        value = None if form is None else records_from_json(form)
        client, broker = (_observed(readers.get(name)) for name in ("client", "broker"))
        return replace(verdict, client=client, broker=broker, value=value)

    @property
    def _form(self) -> Any:
        """The JSON form of the value that the consumer reads; None if it refuses."""
        if "observed" in self.vector:
            return self.vector["observed"][f"apache-kafka-{self.release}"].get("value")
        return self.vector.get("value")


def record_vector_questions(group: Group, release: str, comparison: Comparison) -> Iterator[Question]:
    """Yield the questions about one group: how each field is read, and how the value of a valid one is written."""
    for vector in group.vectors:
        name, wire = f"{group.prefix}/{vector['id']}", bytes.fromhex(vector["wire"])
        case = VectorCase(name, wire, release, comparison, vector)
        readers = [question for question in case.questions("record vectors") if _is_stated(vector, question)]
        yield from readers
        if "value" in vector:
            yield _written(name, vector)


def _is_stated(vector: Json, question: Question) -> bool:
    return all(question.request["path"] in readers for readers in vector["readers"].values())


def _written(name: str, vector: Json) -> Question:
    value = {**records_from_json(vector["value"]), PARTIAL: b""}
    canonical: str = vector["canonical" if "canonical" in vector else "wire"]
    wire = encode_records(value) if "compressed" in vector else bytes.fromhex(canonical)
    request = {"op": "encode-records", "value": records_to_json(value)}
    return Question("record vectors written", name, request, written_records(value, wire))


def _observed(reader: Mapping[str, Any] | None) -> Observed | None:
    if reader is None:
        return None
    return ACCEPTS if reader["accepts"] else Observed(ApacheKafka.REJECTS, reader["exception"], reader["rule"])
