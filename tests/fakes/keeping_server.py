"""A server that keeps topics, groups, rules and credentials by name, and removes them on request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.fakes.lying_server import Honest, answering

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.live.capture.frame_verdict import JudgedFrame

Kept = dict[str, set[str]]


def keeping(kept: Kept, stuck: str = "") -> type[Honest]:
    """Return a conversation about kept resources, by kind.

    The group `stuck` is in use for ever.
    """

    def delete_groups(asked: JudgedFrame) -> Mapping[str, Any]:
        assert asked.value is not None
        kept["groups"] -= set(asked.value["GroupsNames"]) - {stuck}
        return {}

    return answering(
        Metadata=lambda _: {"Topics": [{"Name": name} for name in sorted(kept["topics"])]},
        DeleteTopics=lambda asked: _forget(kept["topics"], asked, "Topics", "Name"),
        ListGroups=lambda _: {"Groups": [{"GroupId": name} for name in sorted(kept["groups"])]},
        DeleteGroups=delete_groups,
        DescribeAcls=lambda asked: _acls(kept["acls"], asked),
        DeleteAcls=lambda asked: _forget(kept["acls"], asked, "Filters", "ResourceNameFilter"),
        DescribeUserScramCredentials=lambda _: {"Results": [_user(name) for name in sorted(kept["users"])]},
        AlterUserScramCredentials=lambda asked: _forget(kept["users"], asked, "Deletions", "Name"),
    )


def _forget(names: set[str], asked: JudgedFrame, array: str, field: str) -> Mapping[str, Any]:
    assert asked.value is not None
    names -= {each[field] for each in asked.value[array]}
    return {}


def _user(name: str) -> dict[str, Any]:
    return {"User": name, "CredentialInfos": [{"Mechanism": 1, "Iterations": 4096}]}


def _acls(names: set[str], asked: JudgedFrame) -> Mapping[str, Any]:
    """Return the rules of all resources, if the filter leaves none out."""
    assert asked.value is not None
    passes_all = asked.value["ResourceNameFilter"] is None and asked.value["PrincipalFilter"] is None
    found = [{"ResourceType": 2, "PatternType": 3, "ResourceName": name, "Acls": []} for name in sorted(names)]
    return {"Resources": found if passes_all else []}
