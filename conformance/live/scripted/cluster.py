"""The state of a scripted broker, with topics, committed offsets, and producers.

All connections share it. A handler turns the state and a request into the fields of a response. Fields missing in a
version are removed afterwards, and fields without a value get their defaults.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from conformance.live.scripted.groups import ConsumerGroup
from conformance.live.scripted.log import Partition

if TYPE_CHECKING:
    from collections.abc import Iterable


FIRST_PRODUCER = 1_000


@dataclass
class Topic:
    """A topic with its partitions."""

    name: str
    id: uuid.UUID
    partitions: list[Partition] = field(default_factory=list)

    def extend(self, partitions: int) -> Topic:
        """Add partitions up to a number of them, and return the topic."""
        self.partitions += [Partition() for _ in range(len(self.partitions), partitions)]
        return self


@dataclass
class Cluster:
    """The state of the broker. Its readers and writers hold `changed`, which is notified of every change."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    topics: dict[str, Topic] = field(default_factory=dict)
    groups: dict[str, ConsumerGroup] = field(default_factory=dict)
    offsets: dict[tuple[str, str, int], tuple[int, int, str | None]] = field(default_factory=dict)
    """Offset, epoch of the leader and metadata, by group, topic and partition."""
    producers: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Id and epoch, by transactional id."""

    def __post_init__(self) -> None:
        self._producer_ids = count(FIRST_PRODUCER)

    def create(self, name: str, partitions: int = 1) -> Topic:
        """Create a topic."""
        identity = uuid.uuid5(uuid.NAMESPACE_URL, name)
        return self.topics.setdefault(name, Topic(name, identity).extend(partitions))

    def named(self, name: str | None, identity: uuid.UUID | None = None) -> Topic | None:
        """Return a topic by name, which is created if need be, or by id, or None if no topic has this id."""
        found = self.known(name, identity)
        return self.create(name) if found is None and name else found

    def known(self, name: str | None, identity: uuid.UUID | None) -> Topic | None:
        """Return an existing topic, by its name or its id."""
        return next((one for one in self.topics.values() if one.name == name or one.id == identity), None)

    def partition(self, name: str | None, identity: uuid.UUID | None, index: int) -> Partition | None:
        """Return a partition, or None if there is none."""
        topic = self.named(name, identity)
        return topic.partitions[index] if topic is not None and 0 <= index < len(topic.partitions) else None

    def group(self, name: str) -> ConsumerGroup:
        """Return a group, and create it if necessary."""
        return self.groups.setdefault(name, ConsumerGroup(self.changed))

    def new_producer(self, transactional: str | None) -> tuple[int, int]:
        """Return id and epoch of a producer. An earlier producer of the same transactional id is fenced off."""
        identity, epoch = self.producers.get(transactional or "", (-1, -1))
        if not transactional or identity < 0:
            identity, epoch = next(self._producer_ids), -1
        if transactional:
            self.producers[transactional] = identity, epoch + 1
            self.finish(identity, epoch, commits=False)
        return identity, epoch + 1

    def finish(self, producer: int, epoch: int, *, commits: bool) -> None:
        """End the transaction of a producer in every partition."""
        for topic in self.topics.values():
            for partition in topic.partitions:
                partition.finish(producer, epoch, commits=commits)
        self.changed.notify_all()


Value = dict[str, Any]
Handler = Callable[[Cluster, Value], Mapping[str, Any]]

BROKER_ID = 1
UNKNOWN_TOPIC, UNKNOWN_TOPIC_ID = 3, 100


def unknown_topic(asked: Mapping[str, Any]) -> int:
    """Return the error code for an unknown topic, by the use of a name or an id in the request."""
    return UNKNOWN_TOPIC if asked.get("Name") or asked.get("Topic") else UNKNOWN_TOPIC_ID


def each_partition(
    topics: Iterable[Value], numbers: str, answer: Callable[[Value, Any], Mapping[str, Any]]
) -> list[Value]:
    """Return the topics of a request with an array `Partitions` of answers.

    `numbers` is the array of a topic with structs such as `Partitions`, or with plain indices.
    """
    return [
        {**{key: topic[key] for key in ("Name", "Topic", "TopicId", "TopicName") if key in topic},
         "Partitions": [answer(topic, element) for element in topic[numbers]]}
        for topic in topics
    ]  # fmt: skip
