"""A corpus in an object store has the rows of a corpus in a folder."""

import multiprocessing
from collections.abc import Sequence
from pathlib import Path

import pytest

from conformance.campaign.spark.corpus import MANIFEST, build
from conformance.campaign.spark.corpus_plan import CorpusPlan
from conformance.campaign.spark.storage import PAUSES, Remote, Storage, StorageFailed, patiently
from conformance.campaign.spark.verification import problems_of
from tests.helpers.corpus import SMALL, in_order
from tests.helpers.lossy_proxy import LossyProxy
from tests.helpers.object_store import proxy, store, uri

__all__ = ["proxy", "store"]


def test_lost_requests_do_not_show(tmp_path: Path, proxy: LossyProxy) -> None:
    there = Storage(uri(proxy.port, "corpus"))
    assert build(SMALL, there, in_order) == build(SMALL, Storage(str(tmp_path)), in_order)
    assert list(problems_of(there)) == []
    assert proxy.lost > 1


def test_a_small_object_is_one_request(store: int) -> None:
    """An upload in parts would be three."""
    between = LossyProxy(store, lose=1000, delay=1000)
    there = Storage(uri(between.port, "small"))
    there.write("parts/one", b"1" * 100_000)
    assert between.requests == ["PUT /campaigns/small/parts/one"]
    assert there.read("parts/one") == b"1" * 100_000
    assert [each.partition(" ")[0] for each in between.requests[1:]] == ["HEAD", "GET"]
    between.close()


def test_object_of_many_parts_is_read_as_written(store: int) -> None:
    there, content = Storage(uri(store, "large")), bytes(range(256)) * 80_000
    there.write("parts/one", content)
    assert there.read("parts/one") == content


def test_a_process_opens_a_file_system_once(store: int) -> None:
    place = uri(store, "once")
    assert Remote.opened(place) is Remote.opened(place)


def test_forked_child_opens_a_file_system_of_its_own(store: int) -> None:
    """The file system of its parent would wait for ever for threads missing in the child."""
    there = Storage(uri(store, "forked"))
    there.write("one", b"1")
    child = multiprocessing.get_context("fork").Process(target=there.write, args=("two", b"2"))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert there.sizes() == {"one": 1, "two": 1}


def test_build_ended_between_two_files_goes_on(store: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows without a record are no part, and there is no manifest before the last part."""
    folder, tried = Storage(uri(store, "ended")), list[int]()
    write = Storage.write

    def ends(self: Storage, name: str, content: bytes) -> None:
        if name == "_records/part-000001.json":
            raise StorageFailed("the process ended")
        write(self, name, content)

    def noted(parameters: CorpusPlan, to: Storage, numbers: Sequence[int]) -> None:
        tried.extend(numbers)
        in_order(parameters, to, numbers)

    with monkeypatch.context() as patch:
        patch.setattr(Storage, "write", ends)
        with pytest.raises(StorageFailed, match="ended"):
            build(SMALL, folder, in_order)
    assert folder.read(MANIFEST) is None
    assert build(SMALL, folder, noted)["rows"] == SMALL.rows
    assert tried == [1, 2]


class Away:
    """A storage with so many failures at first."""

    def __init__(self, times: int) -> None:
        self.times = times

    def read(self) -> str:
        """Return a text, if it is there by now."""
        self.times -= 1
        if self.times >= 0:
            raise StorageFailed("away")
        return "content"


@pytest.mark.parametrize("times", [0, len(PAUSES)])
def test_returning_storage_is_waited_for(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    assert patiently(Away(times).read) == "content"


def test_storage_away_for_good_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    with pytest.raises(StorageFailed, match="away"):
        patiently(Away(len(PAUSES) + 1).read)
