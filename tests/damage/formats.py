"""The formats of files, each with a sample and with what is done with it."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

from conformance.campaign.compare import compared
from conformance.campaign.distil import finding_rows, findings_of
from conformance.campaign.folder import CAMPAIGN, FINDINGS, MANIFEST, batches_of, prepare, reopen
from conformance.campaign.history import keep_night, night_of
from conformance.campaign.night import STATE, NightRun
from conformance.campaign.night_parts import PARTS, stream_of
from conformance.campaign.part_rows import HELD, tried
from conformance.campaign.pipeline import corpus
from conformance.campaign.pipeline.batches import BATCHES
from conformance.campaign.pipeline.corpus import import_bodies, problems_of
from conformance.campaign.pipeline.engines import Work
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.rows import COLUMNS, OUTCOMES
from conformance.definitions import maven
from conformance.definitions.importer import import_release
from conformance.definitions.sources import ImportFailedError, jar_source, sources_at
from conformance.judge.findings.known_failures import load_known_failures
from conformance.judge.findings.ratchet_update import Document
from conformance.live.capture.conversation import BodySample
from conformance.live.server.exchanges import read_found_exchange
from conformance.report.files.found_cases import load_found_cases, read_form, read_found_case, recorded_release
from conformance.suite.matrix_runs import MARKER, ReportFolder
from conformance.vectors.enumeration.promoted import promoted_of
from conformance.vectors.tree.documents import IDS, INDEX
from conformance.vectors.tree.vector_files import read_id_history
from conformance.vectors.tree.vector_paths import committed_vectors
from conformance.vectors.verification.tree_check import check_file
from reference import load_release, release
from reference.inputs.files import read_text
from reference.release import imported_releases, read_manifest
from tests.campaign.conftest import HONEST, LIARS, campaign_of, run_all
from tests.damage.harness_replies import checked_transcripts, recorded_replies, recorded_transcripts, session_of
from tests.damage.running import run
from tests.definitions.conftest import archived
from tests.helpers.cases import FOUND_CASE
from tests.helpers.engines import HERE
from tests.helpers.releases import BASE, NEWEST
from tests.live.capture.exchanges import conversation_of
from tests.live.capture.wire import ETHERNET, write_pcap, write_pcapng
from tests.report.lines import FINDING, KNOWN, VIOLATION, text_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from conformance.campaign.night_parts import PartStream

ROOT = Path(__file__).parents[2]
RELEASE = load_release(NEWEST)
VECTORS = "primitives/bool.json"
REFERENCE = "--impl=conformance.adapters.reference"
WRONG = f"{LIARS}:WrongSize"


class Format(NamedTuple):
    """One format.

    Attributes:
        make: makes a sound file in a folder, and returns its path.
        read: returns what it reads; of a check, what the file has if the check finds no problem, else None.
        is_checked: whether it is a check, by checksums or by a new build, so that no damage may pass as another text.
        document: the format of values in the file, of `tests.damage.trees.DOCUMENTS`.
        share: the share of the requested number of damages, of a format that takes long to read.
    """

    make: Callable[[Path], Path]
    read: Callable[[Path], Any]
    document: str = "json"
    is_checked: bool = False
    share: float = 1.0


def by(*words: str) -> Callable[[Path], str]:
    """Return a reader by a command, with `FILE` and `FOLDER` in place of a file and its folder."""

    def read(path: Path) -> str:
        places = {"FILE": str(path), "FOLDER": str(path.parent), "OUT": str(path.parent.parent / "out")}
        return run(*(places.get(word, word) for word in words))

    return read


def _all(*readers: Callable[[Path], Any]) -> Callable[[Path], Any]:
    return lambda path: [read(path) for read in readers]


def _put(name: str, content: bytes) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = folder / "folder" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        return path

    return make


def _json(name: str, document: Any) -> Callable[[Path], Path]:
    return _put(name, json.dumps(document).encode())


REPORT = _put("run.jsonl", "\n".join(text_of(FINDING, KNOWN, VIOLATION)).encode())
FOUND = _json("one.json", FOUND_CASE)
EXCHANGE = {
    **FOUND_CASE, "kind": "exchange", "frames": ["0000"], "connections": [1], "times": 1, "is_authenticated": True,
    "answer": "00", "is_whole": False,
}  # fmt: skip
SESSION = (ROOT / "tests/live/capture/sessions/kafka-python.jsonl").read_bytes().splitlines(keepends=True)[:5]
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
IDS_TEXT = b'{"format": 1, "project": "kafka-wire-conformance", "ids": {"a/b.json": "01234567 89abcdef"}}'
TRAFFIC = _all(by("judge", "-v", "FILE"), by("explain", "--json", "--capture", "FILE"))


def _report_formats(path: Path) -> object:
    return [
        run("report", str(path), "--format", form, "--source", "file.py", *words)
        for form, *words in (["markdown"], ["junit"], ["sarif"], ["badge", "--output", str(path.parents[1] / "badges")])
    ]


def _baseline(path: Path) -> object:
    other = path.with_name("other.jsonl")
    other.write_text("\n".join(text_of(FINDING)), encoding="utf-8")
    return run("report", str(other), "--baseline", str(path), "--output", str(path.parents[1] / "site"))


def _found(path: Path) -> object:
    release_of_case = recorded_release(path)
    promoted_of(read_form(path))
    return read_found_case(path, release_of_case), list(load_found_cases(path.parent, RELEASE))


def _known_failures(path: Path) -> object:
    return load_known_failures(path), Document(read_text(path)).as_text()


def _packets(write: Callable[..., Path], name: str, *links: Any) -> Callable[[Path], Path]:
    return lambda folder: write(folder / name, conversation_of(1, 2).packets, *links)


def _jar(path: Path) -> object:
    return [(file.path, file.content) for file in jar_source(path).files]


def _definition(name: str) -> Callable[[Path], Path]:
    return _put(f"{name}.json", (RELEASE.folder / f"{name}.json").read_bytes())


SHOW = by("specs", "show", "VoteRequest", "1", "--release", "FOLDER")
CHECKS = by("specs", "validate", "--json", "FOLDER")
TRUNK = by("specs", "trunk", "FOLDER", "--issue", "OUT")


def _with_manifest(folder: Path) -> Path:
    path = _put("release.json", b'{"format": 1, "release": "mine", "messages": {"VoteRequest": {}}}')(folder)
    path.with_name("VoteRequest.json").write_bytes((RELEASE.folder / "VoteRequest.json").read_bytes())
    return path


def _of_cache(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        with _cache(folder):
            sources = sources_at(archived(folder / "kafka-clients-2.9.9.jar", "Sample"))
            import_release("2.9.9", sources, imported_releases())
            (imported_releases().parent / "releases.json").write_text('["2.8.2"]\n')
            return imported_releases() / name

    return make


def _cache(folder: Path) -> mock._patch_dict:
    return mock.patch.dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"), KAFKA_CONFORMANCE_DEFINITIONS="")


def without_network() -> AbstractContextManager[Any]:
    """Let Maven fetch nothing."""
    return mock.patch.object(maven, "fetch", side_effect=ImportFailedError("there is no network"))


def _by_cache(*words: str) -> Callable[[Path], Any]:
    def read(path: Path) -> object:
        folder = next(parent for parent in path.parents if parent.name == "cache").parent
        # Other tests in this process keep the releases that they have loaded.
        with _cache(folder), mock.patch.object(release, "_load", cache(release._load.__wrapped__)):
            text = run(*words)
        return None if "no network" in text or "damaged" in text else text

    return read


SHOW_CACHED = _by_cache("specs", "show", "Sample", "0", "--release", "2.9.9")


def _corpus(folder: Path) -> Path:
    schema = RELEASE.schema("HeartbeatResponse", 0)
    bodies = [BodySample(RELEASE, schema, wire, 1) for wire in (b"\0\0", b"\0\1", b"\0\2")]
    import_bodies(bodies, "capture", folder / "it")
    return folder / "it"


def _corpus_manifest(path: Path) -> object:
    if list(problems_of(HERE, Storage(str(path.parent)))):
        return None
    manifest = json.loads(path.read_text(encoding="utf-8-sig"))
    manifest.pop("suite", None)  # what no data can show
    return manifest


def _rows(path: Path) -> object:
    place = Storage(str(path.parents[1]))
    is_damaged = any(problems_of(HERE, place))
    return None if is_damaged else HERE.query("select * from {rows}", rows=corpus.rows_of(place))


def _vectors(folder: Path) -> Path:
    target = folder / VECTORS
    target.parent.mkdir(parents=True)
    return Path(shutil.copy(ROOT / "vectors" / VECTORS, target))


def _checked_vectors(path: Path) -> object:
    problems = check_file((path.parents[1], VECTORS, ()))
    return None if problems else path.read_text(encoding="utf-8")


def _tree(name: str, *, is_index: bool = False) -> Callable[[Path], Path]:
    """Make a tree of one file of vectors, and return that file or the index."""

    def make(folder: Path) -> Path:
        (folder / name).parent.mkdir(parents=True)
        shutil.copy(committed_vectors() / name, folder / name)
        index = json.loads((committed_vectors() / INDEX).read_text(encoding="utf-8"))
        index["files"] = {name: index["files"][name]}
        (folder / INDEX).write_text(json.dumps(index, indent=1), encoding="utf-8")
        return folder / (INDEX if is_index else name)

    return make


def _run_vectors(path: Path) -> object:
    folder = next(parent for parent in path.parents if (parent / INDEX).exists() or parent == path.parents[-1])
    return run("vectors", "run", REFERENCE, "--folder", str(folder))


def _campaign(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        with closing(HELD):
            run_all(campaign_of(WRONG), folder / "it")
        keep_night(Storage(str(folder / "history")), night_of(Storage(str(folder / "it"))))
        return next(folder.glob(name))

    return make


def _reported(path: Path) -> object:
    folder = next(parent for parent in path.parents if (parent / "history").exists())
    return run("campaign", "report", "-v", str(folder / "it"), "--history", str(folder / "history"))


def _reopened(path: Path) -> object:
    """Reopen a campaign as `campaign run` does, in a copy of its folder, since that changes it."""
    own = next(parent for parent in path.parents if parent.name == "it")
    with TemporaryDirectory() as name:
        folder = Storage(str(shutil.copytree(own, Path(name, "it"))))
        prepare(folder, campaign_of(WRONG).parameters)
        return reopen(folder, HERE)


def _batch(folder: Path) -> Path:
    campaign, place = campaign_of(WRONG), Storage(str(folder))
    with closing(HELD):
        batches_of(place, campaign, "run").write_missing(HERE, lambda _: None)
    return next(folder.glob(f"{BATCHES}/*/kind=finding/*/*.parquet"))


def _resumed(path: Path) -> object:
    """Read a batch as `campaign run` does to continue."""
    batches = batches_of(Storage(str(path.parents[4])), campaign_of(WRONG), "run")
    sums = batches._kept(HERE).get(0, [])
    problem = batches._problem(0, sums)
    return problem or list(findings_of(finding_rows(HERE, batches.dataset, sums), RELEASE))


@cache
def _stream() -> PartStream:
    return stream_of([WRONG], RELEASE, ("HeartbeatResponse-v0",))


def _results(folder: Path) -> Path:
    """Return the results of a night without a report."""
    place = Storage(str(folder))
    work = Work(partial(tried, _stream().parameters, "run"), COLUMNS, "night")
    with closing(HELD):
        NightRun(place, _stream()).search(lambda blocks: HERE.rows(blocks, work), float("inf"), 1)
    return next(folder.glob(f"campaigns/*/{PARTS}/*.json"))


def _continued(path: Path) -> object:
    """Continue a night without time, and report it, in a copy of its folder."""
    with TemporaryDirectory() as name:
        state = Storage(str(shutil.copytree(path.parents[3], Path(name, "it"))))
        night = NightRun(state, _stream())
        night.search(lambda _: iter(()), 0)
        return night.report((), lambda _done, _all: None)


def _night(path: Path) -> object:
    """Begin a night in a copy of the state, since that changes it."""
    with TemporaryDirectory() as folder:
        shutil.copy(path, folder)
        return NightRun(Storage(folder), stream_of([HONEST], RELEASE, ("HeartbeatResponse-v0",))).night


def _matrix(path: Path) -> bool:
    ReportFolder(path.parent)
    return True


NIGHT = _json("night.json", {"number": 1, "first": 0, "plan": "0", "is_reported": True})
assert STATE == "night.json"


FORMATS = {
    "report": Format(REPORT, _report_formats, "lines"),
    "report, site": Format(REPORT, by("report", "FILE", "--output", "OUT"), "lines", share=0.2),
    "report, baseline": Format(REPORT, _baseline, "lines", share=0.1),
    "found case": Format(FOUND, _found),
    "found case, replay": Format(FOUND, by("replay", "FOLDER", REFERENCE), share=0.15),
    "found exchange": Format(_json("one.json", EXCHANGE), read_found_exchange),
    "known failures": Format(_put("known.toml", KNOWN_FAILURES), _known_failures, "toml"),
    "capture": Format(_put("session.jsonl", b"".join(SESSION)), TRAFFIC, "lines"),
    "capture, redact": Format(
        _put("session.jsonl", b"".join(SESSION)), by("redact", "FILE", "--output", "OUT"), "lines"
    ),
    "pcap": Format(_packets(write_pcap, "talk.pcap"), TRAFFIC, ""),
    "pcapng": Format(_packets(write_pcapng, "talk.pcapng", [ETHERNET]), TRAFFIC, ""),
    "jar": Format(lambda folder: archived(folder / "kafka-one-1.0.0.jar", "Sample"), _jar, "", is_checked=True),
    "definition": Format(_definition("VoteRequest"), _all(CHECKS, SHOW, TRUNK), share=0.5),
    "definition, diff": Format(_definition("VoteRequest"), by("specs", "diff", NEWEST, "FOLDER"), share=0.5),
    "release.json": Format(_put("release.json", MANIFEST_OF_RELEASE), lambda path: read_manifest(path.parent)),
    "release.json, folder": Format(_with_manifest, _all(CHECKS, SHOW)),
    "cached definition": Format(
        _of_cache("2.9.9/Sample.json"), SHOW_CACHED, is_checked=True
    ),
    "cached release.json": Format(
        _of_cache("2.9.9/release.json"), SHOW_CACHED, is_checked=True
    ),
    "cached sums": Format(
        _of_cache("2.9.9/SHA256SUMS"), SHOW_CACHED, "", is_checked=True
    ),
    "list of releases": Format(_of_cache("../releases.json"), _by_cache("specs", "releases", "--offline")),
    "manifest": Format(lambda folder: _corpus(folder) / corpus.MANIFEST, _corpus_manifest, is_checked=True),
    "Parquet": Format(lambda folder: _corpus(folder) / corpus.ROWS / "part-000000.parquet", _rows, "", is_checked=True),
    "vectors": Format(_vectors, _checked_vectors, is_checked=True),
    "vectors of bodies, run": Format(_tree(f"{BASE}/messages/HeartbeatResponse.json"), _run_vectors, share=0.15),
    "vectors of frames, run": Format(_tree(f"{BASE}/frames/HeartbeatResponse.json"), _run_vectors, share=0.15),
    "vectors of wire types, run": Format(_tree(VECTORS), _run_vectors, share=0.15),
    "index of vectors": Format(_tree(VECTORS, is_index=True), _run_vectors, share=0.15),
    "ids of vectors": Format(_put(IDS, IDS_TEXT), lambda path: read_id_history(path.parent)),
    "campaign": Format(_campaign(f"it/{CAMPAIGN}"), _reopened, share=0.5),
    "batch of a campaign": Format(_batch, _resumed, "", share=0.5),
    "manifest of a campaign": Format(_campaign(f"it/{MANIFEST}"), _all(_reported, _reopened)),
    "findings of a campaign": Format(_campaign(f"it/{FINDINGS}"), _reported),
    "history of campaigns": Format(_campaign("history/*.json"), _reported),
    "outcomes of a campaign": Format(
        _campaign(f"it/{OUTCOMES}/*/*.parquet"),
        _all(lambda path: compared(HERE, Storage(str(path.parents[2]))), _reopened),
        "",
        share=0.5,
    ),
    "results of a night": Format(_results, _continued, share=0.5),
    "night": Format(NIGHT, _night),
    "marker of a matrix": Format(
        _json(MARKER, {"matrix": 1}), _matrix
    ),
    "replies to bridge check": Format(recorded_transcripts, checked_transcripts, "lines", share=0.5),
    "replies of a harness": Format(recorded_replies, session_of, "lines", share=0.3),
}  # fmt: skip
