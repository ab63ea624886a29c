"""What stands in the files beside the vectors: whose they are, and how many."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from conformance.golden.text import FORMAT, VECTORS
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Sequence

HEADER = "header"


def path_of(release: str, message: str) -> str:
    """Where the vectors of a message are: `4.3.0/messages/FetchRequest.json`."""
    kind = load_release(release).definition(message).kind
    return f"{release}/{'headers' if kind == HEADER else 'messages'}/{message}.json"


def message_document(release: str, message: str, groups: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The document of a message.

    Args:
        release: whose definition it has.
        message: its name.
        groups: what the kernel gives for its versions, in ascending order.
    """
    definition = load_release(release).definition(message)
    head = {"format": FORMAT, "message": message, "kind": definition.kind}
    if definition.api_key is not None:
        head["apiKey"] = definition.api_key
    return {
        **head,
        "spec": {"release": release, "sha256": definition_hash(release, message)},
        "count": sum(len(group[VECTORS]) for group in groups),
        "groups": list(groups),
    }


def definition_hash(release: str, message: str) -> str:
    """The SHA-256 of a definition's file."""
    return hashlib.sha256((load_release(release).folder / f"{message}.json").read_bytes()).hexdigest()
