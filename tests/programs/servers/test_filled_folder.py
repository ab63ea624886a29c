"""Every record of every log of a broker is explained, as Kafka's own tool prints it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from conformance.commands.main import main
from conformance.report.explain.data_folder import DataFile
from conformance.report.explain.log_contents import TOPICS, topic_of
from tests.helpers.releases import NEWEST, OLDEST
from tests.programs.servers import dumped
from tests.programs.servers.filled_folder import dump, fill

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

pytestmark = pytest.mark.nightly

SHARED = {NEWEST: set(TOPICS), OLDEST: set(TOPICS) - {"__share_group_state"}}
"""Kafka's own topics of each release."""


@pytest.fixture(scope="module", params=sorted(SHARED))
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return the release and the data of a broker after use of all of its logs."""
    folder = tmp_path_factory.mktemp("filled") / "data"
    fill(request.param, folder)
    return request.param, folder


def explained(path: Path, *words: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(main, ["explain", str(path), "--secrets", "--json", *words])
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.output.splitlines()]


def logs(folder: Path) -> list[Path]:
    return sorted(
        path for pattern in ("*/*.log", "*/*.checkpoint") for path in folder.glob(pattern) if path.stat().st_size
    )


def test_every_topic_of_its_own_has_records(filled: tuple[str, Path]) -> None:
    release, folder = filled
    assert SHARED[release] <= {topic_of(path.parent.name) for path in logs(folder)}


def test_heads_of_batches_are_those_of_the_tool(filled: tuple[str, Path]) -> None:
    release, folder = filled
    for path in logs(folder):
        theirs = dumped.batches(dump(release, path, topic_of(path.parent.name) or ""))
        ours = [each for each in explained(path) if each["number"]]
        assert [head(each) for each in ours] == [tool_head(each) for each in theirs], path


def head(entry: dict[str, Any]) -> tuple[object, ...]:
    numbers = (entry[name] for name in ("first", "last", "count", "position", "size", "magic", "timestamp"))
    flags = ("transactional" in entry["flags"], "control" in entry["flags"])
    return (*numbers, *entry["producer"], entry["leader_epoch"], entry["codec"], *flags, not entry["rules"])


def tool_head(batch: dict[str, str]) -> tuple[object, ...]:
    names = (
        "first",
        "last",
        "count",
        "position",
        "size",
        "magic",
        "timestamp",
        "producer",
        "epoch",
        "sequence",
        "leader",
    )
    flags = (batch[name] == "true" for name in ("transactional", "control", "valid"))
    return (*(int(batch[name]) for name in names), batch["codec"], *flags)


def test_every_record_of_its_own_topics_agrees_with_the_dump(filled: tuple[str, Path]) -> None:
    release, folder = filled
    for path in logs(folder):
        topic = topic_of(path.parent.name) or ""
        if topic not in TOPICS:
            continue
        ours = [each for each in explained(path, "--contents") if "offset" in each]
        theirs = dumped.records(dump(release, path, topic))
        assert [(each["offset"], each["timestamp"]) for each in ours] == [each[:2] for each in theirs]
        for record, printed in zip(ours, theirs, strict=True):
            compare(record, printed.rest)


def compare(record: dict[str, Any], rest: str) -> None:
    """Check that a record is explained, with the fields of the tool's JSON."""
    assert is_explained(record["value"]) or record["value"] == "null", record
    assert is_explained(record["key"]) or record["key"] in {"", "null"}, record
    printed = dumped.parts(rest)
    for ours, theirs in ((record["key"], printed.get("key")), (record["value"], printed.get("payload"))):
        data = dumped.data_of(theirs or "")
        fields = dict(dumped.leaves(json.loads(ours.partition("{")[1] + ours.partition("{")[2]))) if data else {}
        for path, value in dumped.leaves(data or {}):
            assert path not in fields or dumped.is_same(value, fields[path]), (path, value, ours)
        named = {path for path, _ in dumped.leaves(data or {})}
        assert not named or named & set(fields), (ours, theirs)


def is_explained(text: str) -> bool:
    return text.startswith("control record {") or (" v" in text.partition("{")[0] and text.endswith("}"))


def test_records_of_users_are_those_of_the_tool(filled: tuple[str, Path]) -> None:
    release, folder = filled
    for path in logs(folder):
        topic = topic_of(path.parent.name) or ""
        if topic in TOPICS or topic == "tiered":
            continue
        ours = [each for each in explained(path, "--contents") if "offset" in each]
        theirs = dumped.records(dump(release, path, topic))
        assert [(each["offset"], each["timestamp"]) for each in ours] == [each[:2] for each in theirs]
        for record, line in zip(ours, theirs, strict=True):
            printed = dumped.parts(line.rest)
            for text, name in ((record["key"], "key"), (record["value"], "payload")):
                is_other = text in {"null", ""} or text.startswith("control record")
                assert is_other or text in {f'"{printed[name]}"', printed[name].encode().hex()}


def test_indexes_fit_their_logs(filled: tuple[str, Path]) -> None:
    _, folder = filled
    done = CliRunner().invoke(main, ["explain", str(folder)])
    assert done.exit_code == 0
    assert "wrong:" not in done.output
    assert DataFile.TRANSACTION_INDEX in done.output
    assert " bad" not in done.output
