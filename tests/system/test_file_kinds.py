"""Outputs replace only empty files and files of their kind."""

from pathlib import Path

import pytest

from conformance.system.file_kinds import ARCHIVE, BADGE, CAPTURE, HASH, HTML, ISSUE, JUNIT, MARKDOWN, REPORT, SARIF
from conformance.system.outputs import try_file, write_or_keep
from conformance.system.whole_files import FileKind, NotWritten, PendingFile, write_text

KINDS = {
    "report": REPORT,
    "capture": CAPTURE,
    "markdown": MARKDOWN,
    "html": HTML,
    "junit": JUNIT,
    "sarif": SARIF,
    "badge": BADGE,
    "issue": ISSUE,
    "archive": ARCHIVE,
    "hash": HASH,
}
FOREIGN = {
    "text": b"precious\n",
    "binary": bytes(range(256)),
    "json": b'{"event": "run"}',
    "log": b'{"event": "run", "level": "info"}\n{"event": "end"}\n',
    "markdown": b"# Conformance to the Kafka wire protocol\n\nMy own notes.\n",
    "xml": b'<?xml version="1.0"?>\n<testsuites name="pytest tests"/>\n',
    "html": b"<!DOCTYPE html><html><head><title>Kafka wire protocol conformance</title></head></html>",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
    "sarif": b'{"$schema": "https://example.org/sarif-schema-2.1.0.json", "version": "2.1.0", "runs": []}',
    "gzip": bytes.fromhex("1f8b08000000000000034b4c4a06002e9d1a6003000000"),
    "line feed": b"\n",
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_another_file_is_refused_before_and_after_a_run(tmp_path: Path, kind: FileKind, content: bytes) -> None:
    file = tmp_path / "victim"
    file.write_bytes(content)
    problem = f"the file there is not {kind.noun}; name another file, or remove that one"
    with pytest.raises(NotWritten, match=problem):
        try_file(file, kind)
    with pytest.raises(NotWritten, match=problem):
        write_or_keep(file, "new", kind)
    assert file.read_bytes() == content
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


def test_a_file_of_the_kind_and_an_empty_one_are_replaced(tmp_path: Path) -> None:
    capture = tmp_path / "capture.jsonl"
    for content in ("", '{"capture": 1, "suite": "0", "redacted": "no"}\n'):
        capture.write_text(content)
        write_text(capture, "new", CAPTURE)
        assert capture.read_text() == "new"


def test_a_link_is_judged_by_its_target(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "link").symlink_to("victim")
    with pytest.raises(NotWritten):
        write_text(tmp_path / "link", "new", CAPTURE)
    assert (tmp_path / "victim").read_text() == "precious"


def test_file_made_during_the_run_stays(tmp_path: Path) -> None:
    pending = PendingFile(tmp_path / "victim", CAPTURE)
    pending.path.write_text("precious")
    with pytest.raises(NotWritten):
        pending.finish()
    assert pending.path.read_text() == "precious"
