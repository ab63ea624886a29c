"""A folder in an object store is held by one process at a time."""

import os
from typing import Any

import pytest

from conformance.campaign import claim
from conformance.campaign.claim import CLAIM, held
from conformance.campaign.spark.storage import Storage
from conformance.system.folders import InUse
from tests.helpers.object_store import store, uri

__all__ = ["store"]
OTHER = b'{"holder": "process 7 on another machine", "token": "1", "beats": 0}'


@pytest.fixture
def folder(store: int, monkeypatch: pytest.MonkeyPatch) -> Storage:
    for name, seconds in {"BEAT": 0.05, "PATIENCE": 1.0, "SETTLED": 0.0}.items():
        monkeypatch.setattr(claim, name, seconds)
    return Storage(uri(store, "state"))


def test_a_held_folder_is_refused_with_its_holder(folder: Storage) -> None:
    with held(folder, "night"), pytest.raises(InUse, match=f"another night, process {os.getpid()} on "):
        held(folder, "night").__enter__()


def test_a_folder_is_free_afterwards(folder: Storage) -> None:
    with held(folder, "night"):
        pass
    assert folder.read(CLAIM) is None


def test_claim_without_a_writer_is_void(folder: Storage) -> None:
    """Its process was killed, so nobody rewrites the claim."""
    folder.write(CLAIM, OTHER)
    with held(folder, "night"):
        assert folder.read(CLAIM) != OTHER


def test_one_of_two_claims_at_once_is_refused(folder: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    def overwritten(place: Storage, _claim: dict[str, Any]) -> None:
        place.write(CLAIM, OTHER)

    monkeypatch.setattr(claim, "_write", overwritten)
    with pytest.raises(InUse, match="process 7 on another machine"):
        held(folder, "night").__enter__()


@pytest.mark.parametrize("content", [b"", b"[]", b"half of"])
def test_invalid_claim_holds_nothing(folder: Storage, content: bytes) -> None:
    folder.write(CLAIM, content)
    with held(folder, "night"):
        assert folder.read(CLAIM) != content


@pytest.mark.parametrize(
    ("uri_of_folder", "expected"),
    [
        ("/srv/state", "/srv/state/one"),
        ("s3://bucket/state", "s3://bucket/state/one"),
        (
            "s3://bucket/state?endpoint_override=http%3A%2F%2F127.0.0.1",
            "s3://bucket/state/one?endpoint_override=http%3A%2F%2F127.0.0.1",
        ),
    ],
)
def test_a_folder_in_a_folder_keeps_the_end_of_its_uri(uri_of_folder: str, expected: str) -> None:
    assert Storage(uri_of_folder).within("one").uri == expected
