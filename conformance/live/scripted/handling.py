"""What the handlers of requests share: a handler makes of the state and a request the fields of a response.

Fields that a version does not have are left out afterwards, and those that a handler does not name have their defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from conformance.live.scripted.cluster import Cluster
from reference import TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference import FieldSchema, MessageSchema

Value = dict[str, Any]
Handler = Callable[[Cluster, Value], Mapping[str, Any]]

BROKER_ID = 1
UNKNOWN_TOPIC, UNKNOWN_TOPIC_ID = 3, 100


def fitted(schema: MessageSchema, value: Mapping[str, Any]) -> Value:
    """Return a value without the fields that the message does not have in this version, at any depth."""
    return _struct(schema.fields, value)


def _struct(fields: Iterable[FieldSchema], value: Mapping[str, Any]) -> Value:
    kept = {field.name: _field(field, value[field.name]) for field in fields if field.name in value}
    return {**kept, TAGS: value[TAGS]} if TAGS in value else kept


def _field(field: FieldSchema, value: Any) -> Any:
    if isinstance(value, list) and field.element is not None:
        return [_field(field.element, item) for item in value]
    return _struct(field.fields, value) if isinstance(value, Mapping) else value


def unknown_topic(asked: Mapping[str, Any]) -> int:
    """Return the error code for a topic that was asked for by name or by id."""
    return UNKNOWN_TOPIC if asked.get("Name") or asked.get("Topic") else UNKNOWN_TOPIC_ID


def each_partition(
    topics: Iterable[Value], numbers: str, answer: Callable[[Value, Any], Mapping[str, Any]]
) -> list[Value]:
    """Return the topics of a request, each with what `answer` gives for the elements of one of its arrays.

    The elements are those of `Partitions` and the like, or plain indices; the array in the response has its own name.
    """
    return [
        {**{key: topic[key] for key in ("Name", "Topic", "TopicId", "TopicName") if key in topic},
         "Partitions": [answer(topic, element) for element in topic[numbers]]}
        for topic in topics
    ]  # fmt: skip
