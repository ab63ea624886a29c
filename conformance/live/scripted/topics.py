"""Requests about topics.

A topic exists as soon as a request names it. It has one partition unless it was created with more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from conformance.live.scripted.cluster import BROKER_ID, unknown_topic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.live.scripted.cluster import Cluster, Handler, Topic, Value

ALREADY_EXISTS = 36
INVALID_TOPIC = 17
INVALID_REQUEST = 42
POLICY_VIOLATION = 44
MOST_PARTITIONS = 10_000
"""The most partitions of a request that Apache Kafka's controller takes."""
FIRST_WITH_IDS = 12
"""The first version of Metadata in which a topic may be named by its id (KIP-516)."""
NO_ID = UUID(int=0)
NO_OPERATIONS = -(2**31)
DEFAULT_SOURCE, STRING = 5, 2
RETENTION = {"Name": "retention.ms", "Value": "604800000", "ConfigSource": DEFAULT_SOURCE, "ConfigType": STRING}


def described(topic: Topic) -> Value:
    """Return a topic as an element of Metadata and DescribeTopicPartitions."""
    replicas = {"LeaderId": BROKER_ID, "LeaderEpoch": 0, "ReplicaNodes": [BROKER_ID], "IsrNodes": [BROKER_ID]}
    replicas |= {"EligibleLeaderReplicas": [], "LastKnownElr": []}
    partitions = [{"PartitionIndex": index, **replicas} for index in range(len(topic.partitions))]
    return {
        "Name": topic.name,
        "TopicId": topic.id,
        "Partitions": partitions,
        "TopicAuthorizedOperations": NO_OPERATIONS,
    }


def is_refused(value: Value, version: int) -> bool:
    """Return whether Apache Kafka refuses a request for metadata, though its version has a field for the content.

    Versions 10 and 11 have ids of topics and null for a name, and a broker takes neither of them.
    """
    asked = value.get("Topics") or ()
    return version < FIRST_WITH_IDS and any(
        each["Name"] is None or each.get("TopicId", NO_ID) != NO_ID for each in asked
    )


def refusal(value: Value) -> Value:
    """Return the answer to a refused request for metadata, without brokers."""
    topics = [
        {"ErrorCode": INVALID_REQUEST, "Name": each["Name"] or "", "TopicId": each.get("TopicId", NO_ID)}
        for each in value["Topics"]
    ]
    return {"Topics": topics, "ClusterId": None, "ControllerId": -1}


def topics_of_metadata(cluster: Cluster, value: Value, version: int) -> list[Value]:
    """Return the topics in an answer to Metadata. Null asks for all, and so does an empty array in version 0."""
    requested = value.get("Topics")
    if requested is None or (not requested and version == 0):
        return [described(topic) for topic in cluster.topics.values()]
    found = [(each, cluster.named(each.get("Name"), each.get("TopicId"))) for each in requested]
    return [described(topic) if topic else _unknown(each) for each, topic in found]


def _unknown(asked: Value) -> Value:
    name = asked.get("Name")
    error = INVALID_TOPIC if name == "" else unknown_topic(asked)  # null is no name
    return {"ErrorCode": error, "Name": name, "TopicId": asked.get("TopicId", NO_ID)}


def describe_partitions(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer DescribeTopicPartitions."""
    topics = [described(topic) for each in value["Topics"] if (topic := cluster.named(each["Name"]))]
    return {"Topics": topics}


def create(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer CreateTopics."""
    answers = []
    for asked in value["Topics"]:
        exists = asked["Name"] in cluster.topics
        number = len(asked["Assignments"]) or max(1, asked["NumPartitions"])
        if number > MOST_PARTITIONS:
            answers.append({"Name": asked["Name"], "ErrorCode": POLICY_VIOLATION})
            continue
        answer = {"Name": asked["Name"], "ErrorCode": ALREADY_EXISTS if exists else 0, "NumPartitions": number}
        if not exists and not value.get("validateOnly"):
            answer["TopicId"] = cluster.create(asked["Name"], number).id
        answers.append({**answer, "ReplicationFactor": 1, "Configs": [RETENTION]})
    return {"Topics": answers}


def delete(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer DeleteTopics, by names, and since version 6 also by ids."""
    requested = value.get("Topics") or [{"Name": name} for name in value.get("TopicNames") or ()]
    answers = []
    for each in requested:
        topic = cluster.known(each.get("Name"), each.get("TopicId"))
        if topic is None:
            answers.append({**each, "ErrorCode": unknown_topic(each)})
        else:
            del cluster.topics[topic.name]
            answers.append({"Name": topic.name, "TopicId": topic.id})
    return {"Responses": answers}


def create_partitions(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer CreatePartitions."""
    results = []
    for asked in value["Topics"]:
        is_too_many = asked["Count"] > MOST_PARTITIONS
        topic = None if is_too_many else cluster.named(asked["Name"])
        if topic is not None:
            topic.extend(asked["Count"])
        results.append({"Name": asked["Name"], "ErrorCode": POLICY_VIOLATION if is_too_many else 0})
    return {"Results": results}


def describe_configs(_: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer DescribeConfigs, with one setting for each resource."""
    results = []
    for each in value["Resources"]:
        keys = each["ConfigurationKeys"]
        configs = [RETENTION] if keys is None or RETENTION["Name"] in keys else []
        results.append({"ResourceType": each["ResourceType"], "ResourceName": each["ResourceName"], "Configs": configs})
    return {"Results": results}


def alter_configs(_: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer AlterConfigs and IncrementalAlterConfigs, without a change."""
    keys = "ResourceType", "ResourceName"
    return {"Responses": [{key: each[key] for key in keys} for each in value["Resources"]]}


HANDLERS: dict[str, Handler] = {
    "CreateTopics": create,
    "DeleteTopics": delete,
    "CreatePartitions": create_partitions,
    "DescribeTopicPartitions": describe_partitions,
    "DescribeConfigs": describe_configs,
    "AlterConfigs": alter_configs,
    "IncrementalAlterConfigs": alter_configs,
}
