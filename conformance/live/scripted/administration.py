"""Requests of administrators. Descriptions are valid and small. Changes are confirmed, but not made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.live.scripted.cluster import each_partition
from conformance.live.scripted.transactions import nothing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.live.scripted.cluster import Cluster, Handler, Value

LOG_DIR = "/kafka"
GIBIBYTE = 2**30
NO_SUCH_USER = 91


def create_acls(_: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer CreateAcls."""
    return {"Results": [{} for _ in value["Creations"]]}


def delete_acls(_: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer DeleteAcls, without any ACLs."""
    return {"FilterResults": [{} for _ in value["Filters"]]}


def log_dirs(cluster: Cluster, _: Value) -> Mapping[str, Any]:
    """Answer DescribeLogDirs."""
    topics = [
        {
            "Name": topic.name,
            "Partitions": [
                {"PartitionIndex": index, "PartitionSize": sum(len(batch.wire) for batch in log.batches)}
                for index, log in enumerate(topic.partitions)
            ],
        }
        for topic in cluster.topics.values()
    ]
    return {"Results": [{"LogDir": LOG_DIR, "Topics": topics, "TotalBytes": GIBIBYTE, "UsableBytes": GIBIBYTE}]}


def producers(_: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer DescribeProducers, without active ones."""
    return {"Topics": each_partition(value["Topics"], "PartitionIndexes", lambda _, index: {"PartitionIndex": index})}


def credentials(_: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer DescribeUserScramCredentials, without any."""
    return {"Results": [{"User": user["Name"], "ErrorCode": NO_SUCH_USER} for user in value["Users"] or ()]}


def elect(_: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer ElectLeaders."""
    results = [
        {"Topic": each["Topic"], "PartitionResult": [{"PartitionId": index} for index in each["Partitions"]]}
        for each in value["TopicPartitions"] or ()
    ]
    return {"ReplicaElectionResults": results}


def no_quotas(_: Cluster, __: Value) -> Mapping[str, Any]:
    """Answer DescribeClientQuotas."""
    return {"Entries": []}


HANDLERS: dict[str, Handler] = {
    "CreateAcls": create_acls,
    "DeleteAcls": delete_acls,
    "DescribeAcls": nothing,
    "DescribeClientQuotas": no_quotas,
    "DescribeLogDirs": log_dirs,
    "DescribeProducers": producers,
    "DescribeUserScramCredentials": credentials,
    "ElectLeaders": elect,
    "ListConfigResources": nothing,
    "ListPartitionReassignments": nothing,
}
