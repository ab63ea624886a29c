import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from conformance.campaign.kip625_advice import advise, tally
from conformance.campaign.kip625_metadata import BEST, released, value_of
from conformance.campaign.spark.corpus import build
from conformance.campaign.spark.corpus_plan import FOLDER, CorpusPlan, part_path, parts
from conformance.campaign.spark.kip625_counts import is_generated, tally_on_spark
from conformance.campaign.spark.spark_errors import NotThisCorpus
from conformance.campaign.spark.storage import Storage
from reference import completed, encode, load_release
from tests.helpers.corpus import in_order
from tests.helpers.releases import BASE
from tests.helpers.runs import command, invoke

pytestmark = [pytest.mark.spark, pytest.mark.nightly]

Rows = list[tuple[str, str, int, bytes]]
RELEASE = BASE
GENERATED = CorpusPlan(RELEASE, 20_000, "1")
"""Two parts; 27 rows of each pair."""


def heartbeats(*generations: int) -> Rows:
    """Requests with an int32 each, and two rows that are not valid."""
    schema = load_release(RELEASE).schema("HeartbeatRequest", 4)
    values = (completed(schema, {"GenerationId": each}) for each in generations)
    wires = [encode(schema, value) for value in values]
    return [(RELEASE, "HeartbeatRequest", 4, wire) for wire in (*wires, b"", b"\xff\xff")]


def metadata() -> Rows:
    """The body that KIP-625 measures, in its best case."""
    return [(RELEASE, "MetadataResponse", 9, encode(released(), value_of(BEST)))]


def write(path: Path, rows: Rows) -> None:
    columns = dict(zip(("release", "message", "version", "wire"), map(list, zip(*rows, strict=True)), strict=True))
    parquet.write_table(pa.table({**columns, "version": pa.array(columns["version"], pa.int16())}), path)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two files: numbers from 0 to 99 in one, larger and negative ones in the other; metadata in both."""
    write(tmp_path / "one.parquet", heartbeats(*range(100)) + metadata())
    write(tmp_path / "two.parquet", heartbeats(40_000, 3_000_000) + metadata())
    return tmp_path


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generated")
    build(GENERATED, Storage(str(folder)), in_order)
    return folder


def test_spark_counts_what_one_process_counts(spark: SparkSession, generated: Path) -> None:
    rows = [
        (row["release"], row["version"], row["wire"])
        for number in range(len(parts(GENERATED)))
        for row in parquet.read_table(part_path(generated, number)).to_pylist()
        if row["message"] == "MetadataResponse"
    ]
    here = Storage(str(generated))
    assert len(rows) > 300
    assert tally_on_spark(spark, here, "MetadataResponse") == tally("MetadataResponse", rows)
    of_version = [row for row in rows if row[1] == 9]
    assert tally_on_spark(spark, here, "MetadataResponse", 9) == tally("MetadataResponse", of_version)


@pytest.mark.parametrize("folder", ["", f"/{FOLDER}"], ids=["corpus", "parts"])
def test_a_corpus_may_be_at_a_uri(spark: SparkSession, generated: Path, folder: str) -> None:
    there = Storage(f"{generated.as_uri()}{folder}?region=nowhere")
    here = Storage(str(generated))
    assert tally_on_spark(spark, there, "MetadataResponse") == tally_on_spark(spark, here, "MetadataResponse")
    assert is_generated(spark, there) is (folder == "")


def test_spark_reads_the_parts_as_one_table(spark: SparkSession, generated: Path) -> None:
    assert spark.read.parquet(str(generated / FOLDER)).count() == GENERATED.rows


def test_a_corpus_that_is_not_at_its_uri_is_said(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(NotThisCorpus, match=r"nothing cannot be read: .*PATH_NOT_FOUND"):
        tally_on_spark(spark, Storage(f"{tmp_path.as_uri()}/nothing"), "HeartbeatRequest")


def test_a_path_with_nothing_there_is_refused(tmp_path: Path) -> None:
    done = invoke("kip625", "advise", "HeartbeatRequest", "--corpus", str(tmp_path / "nothing"))
    assert done.exit_code == 2
    assert "there is no " in done.output


def test_advice_on_numbers_that_are_known(spark: SparkSession, corpus: Path) -> None:
    """100 numbers of one byte and two larger ones take 107 bytes, where they took 408."""
    advice = advise("HeartbeatRequest", tally_on_spark(spark, Storage(str(corpus)), "HeartbeatRequest"))
    assert (advice.rows, advice.unreadable, advice.saving) == (102, 4, 301)
    [field] = (each for each in advice.fields if each.path == "GenerationId")
    assert field.smallest == "upacked32"
    assert (field.sizes["fixed32"], field.sizes["upacked32"], field.sizes["packed16"]) == (408, 107, None)
    assert field.beyond == {16: 2}


def test_the_command_prints_a_table(corpus: Path, has_spark: None) -> None:  # noqa: ARG001  # asked for its skip
    text = command(
        "-m", "conformance", "kip625", "advise", "MetadataResponse", "--corpus", str(corpus), "--master", "local[1]"
    ).ended(0)
    lines = [line.split() for line in text.splitlines()]
    assert ["Topics[].Partitions[].LeaderId", "packed32", "200", "800", "200", "600", "0"] in lines
    assert "MetadataResponse: 2 rows of 6,978 bytes" in text
    assert "saved by the smallest encodings: 2,034 bytes, 29.1 %" in text
    assert "no traffic" not in text


def test_the_command_says_that_a_generated_corpus_is_no_traffic(generated: Path, has_spark: None) -> None:  # noqa: ARG001  # asked for its skip
    words = ("--corpus", str(generated), "--master", "local[1]")
    assert "generated, and no traffic" in command(
        "-m", "conformance", "kip625", "advise", "HeartbeatRequest", *words
    ).ended(0)


def test_the_command_prints_json(corpus: Path, has_spark: None) -> None:  # noqa: ARG001  # asked for its skip
    words = ("--corpus", str(corpus), "--version", "4", "--master", "local[1]", "--json")
    done = command("-m", "conformance", "kip625", "advise", "HeartbeatRequest", *words)
    document = json.loads(done.text[done.text.index("{") :])
    assert (document["rows"], document["invalidRows"], document["saved"]) == (102, 4, 301)
    assert document["fields"][0]["bytes"] == {
        **dict.fromkeys(("fixed16", "packed16", "upacked16")),
        "fixed32": 408,
        "packed32": 143,
        "upacked32": 107,
    }


Broken = tuple[str, list[str], str]

ERRORS: dict[str, Broken] = {
    "a message that is not there": (
        "rows",
        ["HeartbeetRequest"],
        "no rows of HeartbeetRequest. Did you mean Heartbeat",
    ),
    "a version that is not there": ("rows", ["HeartbeatRequest", "--version", "3"], "version 3: it has 4."),
    "an empty folder": ("nothing", ["HeartbeatRequest"], "holds no Parquet files. Name the folder that `corpus build`"),
    "a file that is no Parquet": ("text", ["HeartbeatRequest"], "cannot be read"),
    "other columns": ("columns", ["HeartbeatRequest"], "lacks the columns release, version, wire"),
    "a release that is not here": ("release", ["HeartbeatRequest"], "cannot be decoded: no definitions of release"),
    "a version that no release has": (
        "version",
        ["HeartbeatRequest"],
        f"HeartbeatRequest of Kafka {BASE} has no version 99",
    ),
}


def prepare(folder: Path, what: str) -> None:
    path = folder / "some.parquet"
    if what == "rows":
        write(path, heartbeats(1))
    elif what == "text":
        path.write_text("not Parquet", encoding="utf-8")
    elif what == "columns":
        parquet.write_table(pa.table({"message": ["HeartbeatRequest"]}), path)
    elif what == "release":
        write(path, [("0.1", "HeartbeatRequest", 0, b"")])
    elif what == "version":
        write(path, [(RELEASE, "HeartbeatRequest", 99, b"")])


@pytest.mark.parametrize("error", ERRORS)
def test_what_cannot_be_measured_is_said(spark: SparkSession, tmp_path: Path, error: str) -> None:
    what, words, said = ERRORS[error]
    prepare(tmp_path, what)
    version = int(words[2]) if len(words) > 1 else None
    with pytest.raises(NotThisCorpus) as caught:
        tally_on_spark(spark, Storage(str(tmp_path)), words[0], version)
    assert str(tmp_path) in str(caught.value)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
