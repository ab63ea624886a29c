"""Requests about groups and their committed offsets."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from conformance.live.scripted.cluster import UNKNOWN_TOPIC_ID, each_partition
from conformance.live.scripted.groups import ConsumerGroup, Member

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.live.scripted.cluster import Cluster, Handler, Value

NOT_EMPTY, NO_SUCH_GROUP = 68, 69
SAYS_NO_SUCH_GROUP = 6
"""The first version of DescribeGroups with that error."""
CLIENT, HOST = "client", "/127.0.0.1"
CLASSIC = "classic"


def join(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer JoinGroup once all members have joined."""
    group = cluster.group(value["GroupId"])
    protocols = {each["Name"]: each["Metadata"] for each in value["Protocols"]}
    instance = value.get("GroupInstanceId")
    member = group.join(
        value["MemberId"] or group.of_instance(instance), Member(instance, CLIENT, protocols), value["ProtocolType"]
    )
    answer = {"MemberId": member, "GenerationId": group.generation, "Leader": group.leader}
    members = [
        {"MemberId": key, "GroupInstanceId": one.instance, "Metadata": one.protocols.get(group.protocol, b"")}
        for key, one in (group.members.items() if member == group.leader else ())
    ]
    return {**answer, "ProtocolType": group.kind, "ProtocolName": group.protocol, "Members": members}


def sync(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer SyncGroup once the leader has assigned."""
    group = cluster.group(value["GroupId"])
    error, assignment = group.sync(value["MemberId"], value["GenerationId"], value["Assignments"])
    kind, name = (None, None) if error else (group.kind, group.protocol)
    return {"ErrorCode": error, "Assignment": assignment, "ProtocolType": kind, "ProtocolName": name}


def heartbeat(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer Heartbeat."""
    return {"ErrorCode": cluster.group(value["GroupId"]).error(value["MemberId"], value["GenerationId"])}


def leave(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer LeaveGroup, since version 3 for several members."""
    group = cluster.group(value["GroupId"])
    if "Members" not in value:
        return {"ErrorCode": group.leave(value["MemberId"])}
    keys = "MemberId", "GroupInstanceId"
    members = [
        {
            **{key: each.get(key) for key in keys},
            "ErrorCode": group.leave(each["MemberId"] or group.of_instance(each.get("GroupInstanceId"))),
        }
        for each in value["Members"]
    ]
    return {"Members": members}


def describe(cluster: Cluster, value: Value, version: int) -> Mapping[str, Any]:
    """Answer DescribeGroups. Before version 6 an unknown group is dead, without an error (KIP-1043)."""
    error = NO_SUCH_GROUP if version >= SAYS_NO_SUCH_GROUP else 0
    return {"Groups": [_described(name, cluster.groups.get(name), error) for name in value["Groups"]]}


def _described(name: str, group: ConsumerGroup | None, error: int) -> Value:
    if group is None:
        return {"GroupId": name, "GroupState": "Dead", "ErrorCode": error}
    members = [
        {"MemberId": key, "GroupInstanceId": one.instance, "ClientId": one.client, "ClientHost": HOST,
         "MemberMetadata": one.protocols.get(group.protocol, b""), "MemberAssignment": one.assignment}
        for key, one in group.members.items()
    ]  # fmt: skip
    texts = {"GroupState": group.state, "ProtocolType": group.kind, "ProtocolData": group.protocol}
    return {"GroupId": name, **texts, "Members": members, "AuthorizedOperations": -(2**31)}


def list_groups(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer ListGroups."""
    states = value.get("StatesFilter")
    return {
        "Groups": [
            {"GroupId": name, "ProtocolType": group.kind, "GroupState": group.state, "GroupType": CLASSIC}
            for name, group in cluster.groups.items()
            if not states or group.state in states
        ]
    }


def delete(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer DeleteGroups. A group with members stays."""
    results = []
    for name in value["GroupsNames"]:
        group = cluster.groups.get(name)
        error = NO_SUCH_GROUP if group is None else NOT_EMPTY if group.members else 0
        if not error:
            del cluster.groups[name]
            cluster.offsets = {key: kept for key, kept in cluster.offsets.items() if key[0] != name}
        results.append({"GroupId": name, "ErrorCode": error})
    return {"Results": results}


def commit(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer OffsetCommit and TxnOffsetCommit."""
    cluster.group(value["GroupId"])

    def answer(topic: Value, asked: Value) -> Value:
        found = cluster.named(topic.get("Name"), topic.get("TopicId"))
        if found is None:
            return {"PartitionIndex": asked["PartitionIndex"], "ErrorCode": UNKNOWN_TOPIC_ID}
        kept = asked["CommittedOffset"], asked.get("CommittedLeaderEpoch", -1), asked["CommittedMetadata"]
        cluster.offsets[value["GroupId"], found.name, asked["PartitionIndex"]] = kept
        return {"PartitionIndex": asked["PartitionIndex"]}

    return {"Topics": each_partition(value["Topics"], "Partitions", answer)}


def committed(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer OffsetFetch, since version 8 for several groups."""
    if "Groups" not in value:
        return {"Topics": _offsets(cluster, value["GroupId"], value["Topics"])}
    groups = value["Groups"]
    return {
        "Groups": [
            {"GroupId": one["GroupId"], "Topics": _offsets(cluster, one["GroupId"], one["Topics"])} for one in groups
        ]
    }


def _offsets(cluster: Cluster, group: str, topics: list[Value] | None) -> list[Value]:
    def answer(topic: Value, index: int) -> Value:
        found = cluster.named(topic.get("Name"), topic.get("TopicId"))
        offset, epoch, text = cluster.offsets.get((group, found.name if found else "", index), (-1, -1, ""))
        return {"PartitionIndex": index, "CommittedOffset": offset, "CommittedLeaderEpoch": epoch, "Metadata": text}

    # Null asks for all topics.
    return each_partition(_committed_to(cluster, group) if topics is None else topics, "PartitionIndexes", answer)


def _committed_to(cluster: Cluster, group: str) -> list[Value]:
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for key, name, index in cluster.offsets:
        if key == group and name in cluster.topics:
            numbers[name].append(index)
    return [
        {"Name": name, "TopicId": cluster.topics[name].id, "PartitionIndexes": indexes}
        for name, indexes in numbers.items()
    ]


def forget(cluster: Cluster, value: Value) -> Mapping[str, Any]:
    """Answer OffsetDelete."""

    def answer(topic: Value, asked: Value) -> Value:
        cluster.offsets.pop((value["GroupId"], topic["Name"], asked["PartitionIndex"]), None)
        return {"PartitionIndex": asked["PartitionIndex"]}

    return {"Topics": each_partition(value["Topics"], "Partitions", answer)}


HANDLERS: dict[str, Handler] = {
    "JoinGroup": join,
    "SyncGroup": sync,
    "Heartbeat": heartbeat,
    "LeaveGroup": leave,
    "ListGroups": list_groups,
    "DeleteGroups": delete,
    "OffsetCommit": commit,
    "TxnOffsetCommit": commit,
    "OffsetFetch": committed,
    "OffsetDelete": forget,
}
