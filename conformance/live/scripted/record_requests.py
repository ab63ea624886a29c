"""Requests about records. Produced batches are kept in memory, and returned by fetches."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from conformance.live.scripted.cluster import each_partition, unknown_topic
from conformance.live.scripted.log import LEADER_EPOCH, BadBatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.live.scripted.cluster import Cluster, Handler, Value
    from conformance.live.scripted.log import Partition

OUT_OF_RANGE, CORRUPT = 1, 2
LONGEST_WAIT = 1.0
"""The maximum of seconds for a fetch without records."""

LATEST, EARLIEST, HIGHEST_TIMESTAMP, EARLIEST_LOCAL, LATEST_TIERED, EARLIEST_PENDING = -1, -2, -3, -4, -5, -6


def produce(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer Produce."""
    responses = []
    for topic in value["TopicData"]:
        name, identity = topic.get("Name"), topic.get("TopicId")
        parts = []
        for part in topic["PartitionData"]:
            partition = cluster.partition(name, identity, part["Index"])
            parts.append({"Index": part["Index"], **_appended(partition, topic, part["Records"] or b"")})
        responses.append({"Name": name, "TopicId": identity, "PartitionResponses": parts})
    cluster.changed.notify_all()
    return {"Responses": responses}


def _appended(partition: Partition | None, topic: Value, records: bytes) -> Value:
    if partition is None:
        return {"ErrorCode": unknown_topic(topic), "BaseOffset": -1}
    try:
        offset = partition.append(records)
    except BadBatch as error:
        return {"ErrorCode": CORRUPT, "BaseOffset": -1, "ErrorMessage": str(error)[:200]}
    return {"BaseOffset": offset, "LogAppendTimeMs": -1, "LogStartOffset": partition.first}


def fetch(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer Fetch, without sessions, after a wait for records up to the requested time."""
    end = time.monotonic() + min(value["MaxWaitMs"] / 1_000, LONGEST_WAIT)
    while True:
        responses = [_fetched(cluster, topic, value["IsolationLevel"] == 1) for topic in value["Topics"]]
        left = end - time.monotonic()
        parts = [part for topic in responses for part in topic["Partitions"]]
        if left <= 0 or any(part["Records"] or part["ErrorCode"] for part in parts):
            return {"Responses": responses}
        cluster.changed.wait(left)


def _fetched(cluster: Cluster, topic: Value, committed: bool) -> Value:  # noqa: FBT001  # of one place
    name, identity = topic.get("Topic"), topic.get("TopicId")
    parts = []
    for asked in topic["Partitions"]:
        partition = cluster.partition(name, identity, asked["Partition"])
        parts.append({"PartitionIndex": asked["Partition"], **_read(partition, topic, asked, committed=committed)})
    return {"Topic": name, "TopicId": identity, "Partitions": parts}


def _read(partition: Partition | None, topic: Value, asked: Value, *, committed: bool) -> Value:
    if partition is None:
        return {"ErrorCode": unknown_topic(topic), "HighWatermark": -1, "LastStableOffset": -1, "Records": b""}
    offset = asked["FetchOffset"]
    ends = {"HighWatermark": partition.end, "LastStableOffset": partition.stable, "LogStartOffset": partition.first}
    if not partition.first <= offset <= partition.end:
        return {"ErrorCode": OUT_OF_RANGE, **ends, "Records": b""}
    records = partition.read(offset, asked["PartitionMaxBytes"], committed=committed)
    aborted = [{"ProducerId": one, "FirstOffset": first} for one, first in partition.aborted_from(offset)]
    return {"ErrorCode": 0, **ends, "AbortedTransactions": aborted if committed else None, "Records": records}


def list_offsets(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer ListOffsets."""

    def answer(topic: Value, asked: Value) -> Value:
        partition = cluster.partition(topic["Name"], None, asked["PartitionIndex"])
        if partition is None:
            return {"PartitionIndex": asked["PartitionIndex"], "ErrorCode": unknown_topic(topic)}
        offset, timestamp = _offset(partition, asked["Timestamp"], committed=value.get("IsolationLevel") == 1)
        found = {"Offset": offset, "Timestamp": timestamp, "LeaderEpoch": LEADER_EPOCH if offset >= 0 else -1}
        return {"PartitionIndex": asked["PartitionIndex"], **found}

    return {"Topics": each_partition(value["Topics"], "Partitions", answer)}


def _offset(partition: Partition, timestamp: int, *, committed: bool) -> tuple[int, int]:
    if timestamp == LATEST:
        return partition.stable if committed else partition.end, -1
    if timestamp in {EARLIEST, EARLIEST_LOCAL, EARLIEST_PENDING}:
        return partition.first, -1
    if timestamp == LATEST_TIERED:
        return -1, -1
    if timestamp == HIGHEST_TIMESTAMP:
        newest = max(partition.batches, key=lambda batch: batch.timestamp, default=None)
        return (newest.last, newest.timestamp) if newest else (-1, -1)
    return partition.at_time(timestamp)


def epochs(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer OffsetForLeaderEpoch, with one epoch."""

    def answer(topic: Value, asked: Value) -> Value:
        partition = cluster.partition(topic["Topic"], None, asked["Partition"])
        end = partition.end if partition else -1
        return {"Partition": asked["Partition"], "LeaderEpoch": LEADER_EPOCH, "EndOffset": end}

    return {"Topics": each_partition(value["Topics"], "Partitions", answer)}


def delete(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer DeleteRecords. The offset -1 stands for all records."""

    def answer(topic: Value, asked: Value) -> Value:
        partition = cluster.partition(topic["Name"], None, asked["PartitionIndex"])
        if partition is None:
            return {"PartitionIndex": asked["PartitionIndex"], "ErrorCode": unknown_topic(topic), "LowWatermark": -1}
        partition.first = partition.end if asked["Offset"] < 0 else min(asked["Offset"], partition.end)
        partition.batches = [batch for batch in partition.batches if batch.last >= partition.first]
        return {"PartitionIndex": asked["PartitionIndex"], "LowWatermark": partition.first}

    return {"Topics": each_partition(value["Topics"], "Partitions", answer)}


HANDLERS: dict[str, Handler] = {
    "Produce": produce,
    "Fetch": fetch,
    "ListOffsets": list_offsets,
    "OffsetForLeaderEpoch": epochs,
    "DeleteRecords": delete,
}
