"""Without the libraries of the extra: plain batches are read and written, compressed ones say what to install."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROGRAM = """
import sys

for name in ("cramjam", "crc32c", "lz4", "lz4.block", "xxhash", "zstandard"):
    sys.modules[name] = None

from reference import MissingLibrary, decode_records, encode_records, judge_records
from conformance.generate.records.building import SMALLEST, batch, wire

assert encode_records(decode_records(SMALLEST)) == SMALLEST
assert judge_records(SMALLEST).result == "valid"
assert judge_records(wire(batch(compression="gzip"))).result == "valid"
for codec in ("snappy", "lz4", "zstd"):
    try:
        wire(batch(compression=codec))
    except MissingLibrary as error:
        print(error)
"""


def test_plain_batches_and_gzip_need_no_library_and_the_others_say_which() -> None:
    ran = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True
    )
    install = "which is not installed: install kafka-wire-conformance[records]"
    assert ran.stdout.splitlines() == [
        f"snappy needs cramjam, {install}",
        f"lz4 needs xxhash, {install}",
        f"zstd needs zstandard, {install}",
    ]
