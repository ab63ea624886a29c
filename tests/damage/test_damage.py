"""Each format that is read, with random damage: never a traceback, and *well* only of what is as it was.

`well` is what a check says that knows what should be there: by checksums, or since it can be built again. Of a report
or a known failure another text may be a sound one, too.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pyarrow import parquet

from conformance.campaign.spark.corpus import MANIFEST
from conformance.campaign.spark.corpus_plan import part_name
from conformance.campaign.spark.imported import SeenBody, import_bodies
from conformance.campaign.spark.storage import Storage
from conformance.campaign.spark.verification import problems_of
from conformance.definitions.checking import check
from conformance.definitions.sources import jar_source
from conformance.judge.findings.known_failures import load_known_failures
from conformance.live.capture.conversation import explanation_of, seen_in
from conformance.live.capture.defining_releases import Definitions
from conformance.live.capture.packet_files import open_traffic
from conformance.live.server.exchanges import read_found_exchange
from conformance.report.files.found_cases import read_found_case, recorded_release
from conformance.report.files.junit import junit
from conformance.report.files.markdown import markdown
from conformance.report.report_reading import read_report
from conformance.vectors.tree.documents import IDS
from conformance.vectors.tree.vector_files import read_id_history
from conformance.vectors.verification.tree_check import check_file
from reference import ConformanceError, load_release
from reference.release import read_manifest
from tests.damage.damages import damaged
from tests.definitions.conftest import archived
from tests.helpers.cases import FOUND_CASE
from tests.helpers.releases import NEWEST
from tests.live.capture.exchanges import conversation_of
from tests.live.capture.wire import ETHERNET, write_pcap, write_pcapng
from tests.report.lines import FINDING, KNOWN, VIOLATION, text_of

AT_EVERY_CHANGE = range(100)
EACH_NIGHT = range(100, 2_000)
ROOT = Path(__file__).parents[2]
RELEASE = load_release(NEWEST)
DEFINITIONS = Definitions([RELEASE])
VECTORS = "primitives/bool.json"

KNOWN_FAILURES = b"""# What is known.
[[failure]]
rule = "string.malformed-utf8"
messages = ["FetchRequest", "FetchResponse-v4..17"]
outcome = "rejected"
pattern = "UnicodeDecodeError: *"
at_most = 20
reason = '''raises another exception
than its own'''
"""

MANIFEST_OF_RELEASE = b"""{
  "format": 1, "release": "mine", "title": "Mine", "dialect": "kip-625", "sources": [{"source": "kafka-clients"}],
  "messages": {"One": {"source": "kafka-clients", "sha256": "00"}, "Other": {}}
}"""


class Format(NamedTuple):
    """One format: how a file of it is made in a folder, and what is done with one that may be damaged.

    `read` returns what it reads; of a check, that is what the file holds if the check says well, and else None.
    """

    make: Callable[[Path], Path]
    read: Callable[[Path], Any]
    is_checked: bool = False


def _put(name: str, content: bytes) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        (folder / name).write_bytes(content)
        return folder / name

    return make


def _report(path: Path) -> object:
    report = read_report(path)
    return markdown([report]), junit([report])


def _found(path: Path) -> object:
    return read_found_case(path, recorded_release(path))


def _traffic(path: Path) -> object:
    return [explanation_of(seen) for seen in seen_in(DEFINITIONS, open_traffic(path, DEFINITIONS, (9092,)).frames)]


def _packets(write: Callable[..., Path], name: str, *links: Any) -> Callable[[Path], Path]:
    return lambda folder: write(folder / name, conversation_of(1, 2).packets, *links)


def _jar(path: Path) -> object:
    return [(file.path, file.content) for file in jar_source(path).files]


def _corpus(folder: Path) -> Path:
    schema = RELEASE.schema("HeartbeatResponse", 0)
    import_bodies([SeenBody(NEWEST, schema, wire, "capture/1") for wire in (b"\0\0", b"\0\1", b"\0\2")], folder / "it")
    return folder / "it"


def _manifest(path: Path) -> object:
    if list(problems_of(Storage(str(path.parent)))):
        return None
    manifest = json.loads(path.read_text(encoding="utf-8-sig"))
    manifest.pop("suite", None)  # what no data can show
    return manifest


def _rows(path: Path) -> object:
    return None if list(problems_of(Storage(str(path.parents[1])))) else parquet.read_table(path).to_pylist()


def _vectors(folder: Path) -> Path:
    target = folder / VECTORS
    target.parent.mkdir(parents=True)
    return Path(shutil.copy(ROOT / "vectors" / VECTORS, target))


def _checked_vectors(path: Path) -> object:
    problems = check_file((path.parents[1], VECTORS, ()))
    return None if problems else path.read_text(encoding="utf-8")


def _definitions(path: Path) -> object:
    checked = check(path)
    return checked.definitions, [str(problem) for problem in checked.problems]


EXCHANGE = {
    **FOUND_CASE, "kind": "exchange", "frames": ["0000"], "connections": [1], "times": 1, "is_authenticated": True,
    "answer": "00", "is_whole": False,
}  # fmt: skip
SESSION = (ROOT / "tests/live/capture/sessions/kafka-python.jsonl").read_bytes().splitlines(keepends=True)[:5]

IDS_TEXT = b'{"format": 1, "project": "kafka-wire-conformance", "ids": {"a/b.json": "01234567 89abcdef"}}'
FORMATS = {
    "report": Format(_put("run.jsonl", "\n".join(text_of(FINDING, KNOWN, VIOLATION)).encode()), _report),
    "found case": Format(_put("one.json", json.dumps(FOUND_CASE).encode()), _found),
    "found exchange": Format(_put("one.json", json.dumps(EXCHANGE).encode()), read_found_exchange),
    "capture": Format(_put("session.jsonl", b"".join(SESSION)), _traffic),
    "pcap": Format(_packets(write_pcap, "talk.pcap"), _traffic),
    "pcapng": Format(_packets(write_pcapng, "talk.pcapng", [ETHERNET]), _traffic),
    "jar": Format(lambda folder: archived(folder / "kafka-one-1.0.0.jar", "Sample"), _jar, is_checked=True),
    "definition": Format(_put("Sample.json", (RELEASE.folder / "VoteRequest.json").read_bytes()), _definitions),
    "release.json": Format(_put("release.json", MANIFEST_OF_RELEASE), lambda path: read_manifest(path.parent)),
    "manifest": Format(lambda folder: _corpus(folder) / MANIFEST, _manifest, is_checked=True),
    "Parquet": Format(lambda folder: _corpus(folder) / part_name(0), _rows, is_checked=True),
    "vectors": Format(_vectors, _checked_vectors, is_checked=True),
    "ids of vectors": Format(
        _put(IDS, IDS_TEXT), lambda path: read_id_history(path.parent)
    ),
    "known failures": Format(_put("known.toml", KNOWN_FAILURES), load_known_failures),
}  # fmt: skip


def try_damage(name: str, numbers: range, folder: Path) -> None:
    """Read a file with each of these damages.

    An error of this project, or of the system, is what is wanted; any other ends the test.
    """
    form = FORMATS[name]
    path = form.make(folder)
    sound, content = form.read(path), path.read_bytes()
    assert sound
    for number in numbers:
        changed = damaged(content, f"{name}/{number}")
        path.write_bytes(changed)
        try:
            read = form.read(path)
        except (ConformanceError, OSError):
            continue
        except Exception as error:
            raise AssertionError(f"damage {number} of a {name} ends in {error!r}: {changed[:2000]!r}") from error
        if form.is_checked:
            assert read in (None, sound), f"damage {number} of a {name} is not seen: {changed!r}"


@pytest.mark.parametrize("name", FORMATS)
def test_a_damaged_file_ends_in_a_clear_error(name: str, tmp_path: Path) -> None:
    try_damage(name, AT_EVERY_CHANGE, tmp_path)


TEXTS = [name for name in FORMATS if name not in {"pcap", "pcapng", "jar", "Parquet", "vectors"}]


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_with_a_byte_order_mark_is_read_as_without(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    path = form.make(tmp_path)
    sound = form.read(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert form.read(path) == sound


@pytest.mark.parametrize("name", FORMATS)
def test_a_fifo_in_the_place_of_a_file_is_refused_and_not_waited_for(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    path = form.make(tmp_path)
    path.unlink()
    os.mkfifo(path)
    try:
        read = form.read(path)
    except (ConformanceError, OSError):
        return
    assert read is None


@pytest.mark.nightly
@pytest.mark.parametrize("name", FORMATS)
def test_a_file_of_many_damages_ends_in_a_clear_error(name: str, tmp_path: Path) -> None:
    try_damage(name, EACH_NIGHT, tmp_path)
