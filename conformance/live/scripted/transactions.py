"""Requests about producers and their transactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from conformance.live.scripted.cluster import Cluster, Handler, Value

NO_SUCH_ID = 105


def start(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer InitProducerId."""
    producer, epoch = cluster.new_producer(value["TransactionalId"])
    return {"ProducerId": producer, "ProducerEpoch": epoch}


def add_partitions(_: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer AddPartitionsToTxn, since version 4 for several transactions."""
    # Nothing is kept: a transaction begins with its records here.
    if "Transactions" not in value:
        return {"ResultsByTopicV3AndBelow": _results(value["V3AndBelowTopics"])}
    return {
        "ResultsByTransaction": [
            {"TransactionalId": one["TransactionalId"], "TopicResults": _results(one["Topics"])}
            for one in value["Transactions"]
        ]
    }


def _results(topics: Iterable[Value]) -> list[Value]:
    return [
        {"Name": topic["Name"], "ResultsByPartition": [{"PartitionIndex": index} for index in topic["Partitions"]]}
        for topic in topics
    ]


def end(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer EndTxn, and write the markers."""
    producer, epoch = value["ProducerId"], value["ProducerEpoch"]
    cluster.finish(producer, epoch, commits=value["Committed"])
    return {"ProducerId": producer, "ProducerEpoch": epoch}


def describe(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer DescribeTransactions."""
    return {"TransactionStates": [_described(cluster, name) for name in value["TransactionalIds"]]}


def _described(cluster: Cluster, name: str) -> Value:
    if name not in cluster.producers:
        return {"TransactionalId": name, "ErrorCode": NO_SUCH_ID}
    producer, epoch = cluster.producers[name]
    numbers = {"ProducerId": producer, "ProducerEpoch": epoch, "TransactionTimeoutMs": 60_000}
    return {"TransactionalId": name, "TransactionState": "CompleteCommit", "TransactionStartTimeMs": -1, **numbers}


def list_all(cluster: Cluster, _: Value) -> Mapping[str, Any]:
    """Answer ListTransactions."""
    return {
        "TransactionStates": [
            {"TransactionalId": name, "ProducerId": producer, "TransactionState": "CompleteCommit"}
            for name, (producer, _) in cluster.producers.items()
        ]
    }


def nothing(_: Cluster, __: Value) -> Mapping[str, Any]:
    """Answer without an error and without contents."""
    return {}


HANDLERS: dict[str, Handler] = {
    "InitProducerId": start,
    "AddPartitionsToTxn": add_partitions,
    "AddOffsetsToTxn": nothing,
    "EndTxn": end,
    "DescribeTransactions": describe,
    "ListTransactions": list_all,
}
