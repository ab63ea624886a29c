"""Requests about topics.

A topic exists as soon as a request names it. It has one partition unless it was created with more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.live.scripted.cluster import BROKER_ID, unknown_topic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.live.scripted.cluster import Cluster, Handler, Topic, Value

ALREADY_EXISTS = 36
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


def topics_of_metadata(cluster: Cluster, value: Value, version: int) -> list[Value]:
    """Return the topics in an answer to Metadata.

    Null asks for all topics, and so does an empty array in version 0.
    """
    requested = value.get("Topics")
    if requested is None or (not requested and version == 0):
        return [described(topic) for topic in cluster.topics.values()]
    found = [(each, cluster.named(each.get("Name"), each.get("TopicId"))) for each in requested]
    return [
        described(topic) if topic else {"ErrorCode": unknown_topic(each), "Name": None, "TopicId": each.get("TopicId")}
        for each, topic in found
    ]


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
        answer = {"Name": asked["Name"], "ErrorCode": ALREADY_EXISTS if exists else 0, "NumPartitions": number}
        if not exists and not value.get("validateOnly"):
            answer["TopicId"] = cluster.create(asked["Name"], number).id
        answers.append({**answer, "ReplicationFactor": 1, "Configs": [RETENTION]})
    return {"Topics": answers}


def delete(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer DeleteTopics.

    Topics have names, and since version 6 also ids.
    """
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
    for asked in value["Topics"]:
        topic = cluster.named(asked["Name"])
        if topic is not None:
            # The new partitions are those of a second topic, as only topics create partitions.
            more = cluster.create(f"{topic.name}.more", asked["Count"]).partitions
            topic.partitions += more[len(topic.partitions) :]
            del cluster.topics[f"{topic.name}.more"]
    return {"Results": [{"Name": asked["Name"]} for asked in value["Topics"]]}


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
