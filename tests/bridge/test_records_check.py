from typing import Any

import pytest

from conformance.bridge.records_check import FIELD, records_diagnostic
from reference import encode_records

WIRE = encode_records(FIELD).hex()
OTHER_EPOCH = f"{WIRE[:24]}00000000{WIRE[32:]}"
REQUEST = {"op": "encode-records"}


def problem(wire: str, **words: Any) -> str | None:
    diagnostic = records_diagnostic({"records": words}, REQUEST, {"outcome": "bytes", "wire": wire})
    return None if diagnostic is None else diagnostic.problem


def test_a_writer_with_a_leader_epoch_of_its_own_is_not_at_fault() -> None:
    assert problem(OTHER_EPOCH, **{"leader-epoch": "own"}) is None


def test_a_writer_that_is_told_the_leader_epoch_writes_it() -> None:
    assert problem(OTHER_EPOCH) == f"encode-records of the smallest batch: the bytes are {WIRE}, not {OTHER_EPOCH}"


@pytest.mark.parametrize("wire", [WIRE[:-2], OTHER_EPOCH[:-2], WIRE.replace("02", "03", 1), ""])
def test_other_bytes_are_a_fault_whatever_the_leader_epoch(wire: str) -> None:
    assert problem(wire, **{"leader-epoch": "own"}) is not None
