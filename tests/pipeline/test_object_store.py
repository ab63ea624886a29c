"""A corpus in an object store: the rows are those of a corpus in a folder."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from conformance.pipeline.corpus import MANIFEST, build
from conformance.pipeline.plan import Parameters
from conformance.pipeline.storage import Storage, StorageFailed
from conformance.pipeline.verification import problems_of
from tests.helpers.corpus import SMALL, in_order
from tests.helpers.lossy_proxy import LossyProxy
from tests.helpers.object_store import proxy, store, uri

__all__ = ["proxy", "store"]


def test_lost_requests_do_not_show(tmp_path: Path, proxy: LossyProxy) -> None:
    there = Storage(uri(proxy.port, "corpus"))
    assert build(SMALL, there, in_order) == build(SMALL, Storage(str(tmp_path)), in_order)
    assert list(problems_of(there)) == []
    assert proxy.lost > 1


def test_a_build_that_ended_between_two_files_goes_on(store: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows without a record are no part, and there is no manifest before the last part."""
    folder, tried = Storage(uri(store, "ended")), list[int]()
    write = Storage.write

    def ends(self: Storage, name: str, content: bytes) -> None:
        if name == "_records/part-000001.json":
            raise StorageFailed("the process ended")
        write(self, name, content)

    def noted(parameters: Parameters, to: Storage, numbers: Sequence[int]) -> None:
        tried.extend(numbers)
        in_order(parameters, to, numbers)

    with monkeypatch.context() as patch:
        patch.setattr(Storage, "write", ends)
        with pytest.raises(StorageFailed, match="ended"):
            build(SMALL, folder, in_order)
    assert folder.read(MANIFEST) is None
    assert build(SMALL, folder, noted)["rows"] == SMALL.rows
    assert tried == [1, 2]
