"""A site is written whole or not at all, and replaces nothing but a site."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.report.report_set import ReportSet
from conformance.report.site.site import NoSite, marker_text, write_site
from tests.helpers.releases import NEWEST
from tests.helpers.runs import invoke
from tests.report.lines import text_of
from tests.report.site.examples import finding


def pages(**texts: str) -> list[tuple[str, str]]:
    """Return the files of a site, its marker last, with dots and slashes for the underscores of names."""
    contents = {"index.html": "one", "cases/a/b.html": "two"} | {f"{name}.html": text for name, text in texts.items()}
    hashes = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in contents.items()}
    return [*contents.items(), ("site.json", marker_text(ReportSet(()), hashes))]


PAGES = pages()


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_all_files_are_written(tmp_path: Path) -> None:
    assert write_site(tmp_path / "site", PAGES) == 3
    assert names(tmp_path) == ["site/cases/a/b.html", "site/index.html", "site/site.json"]


def test_a_site_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    """Nothing of the older one stays, and nothing stands beside it."""
    write_site(tmp_path / "site", pages(gone=""))
    write_site(tmp_path / "site", PAGES)
    assert names(tmp_path) == ["site/cases/a/b.html", "site/index.html", "site/site.json"]


def test_an_empty_folder_becomes_a_site(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    write_site(tmp_path / "site", PAGES)
    assert (tmp_path / "site" / "index.html").is_file()


def test_folder_of_other_files_is_left_alone(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "thesis.txt").write_text("ten years", encoding="utf-8")
    with pytest.raises(NoSite) as caught:
        write_site(tmp_path, PAGES)
    assert str(caught.value).replace(str(tmp_path), "…") == snapshot
    assert names(tmp_path) == ["thesis.txt"]


@pytest.mark.parametrize("marker", ['{"title": "my jekyll site"}', "[]", "", '{"site": 2, "runs": []}', "[" * 100_000])
def test_project_with_a_file_named_like_the_marker_is_left_alone(tmp_path: Path, marker: str) -> None:
    """The content of the marker counts, and not its name."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.c").write_text("x", encoding="utf-8")
    (tmp_path / "site.json").write_text(marker, encoding="utf-8")
    with pytest.raises(NoSite, match=f"^{re.escape(str(tmp_path))} is not empty"):
        write_site(tmp_path, PAGES)
    assert names(tmp_path) == ["site.json", "src/main.c"]


@pytest.mark.parametrize("name", ["CNAME", "notes/today.txt", "index.html", "cases/a/c.html"])
def test_added_or_changed_file_of_a_site_is_named_and_not_deleted(tmp_path: Path, name: str) -> None:
    site = tmp_path / "site"
    write_site(site, PAGES)
    (site / name).parent.mkdir(exist_ok=True)
    (site / name).write_text("mine", encoding="utf-8")
    with pytest.raises(NoSite, match=rf"would be deleted .*: .*{name}"):
        write_site(site, PAGES)
    assert (site / name).read_text(encoding="utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_folder_or_link_added_to_a_site_is_not_deleted(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_site(site, PAGES)
    (site / "mine").mkdir()
    (site / "index.html").unlink()
    (tmp_path / "index.html").write_text("one", encoding="utf-8")
    (site / "index.html").symlink_to(tmp_path / "index.html")
    with pytest.raises(NoSite, match=r"index\.html, mine\."):
        write_site(site, PAGES)


def test_file_added_during_the_writing_of_a_site_is_not_deleted(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_site(site, PAGES)

    def slow() -> Iterator[tuple[str, str]]:
        yield from PAGES
        (site / "late.txt").write_text("mine", encoding="utf-8")

    with pytest.raises(NoSite, match=r"late\.txt"):
        write_site(site, slow())
    assert (site / "late.txt").read_text(encoding="utf-8") == "mine"


def test_a_file_is_no_place_for_a_site(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("", encoding="utf-8")
    with pytest.raises(NoSite, match="is a file"):
        write_site(tmp_path / "site", PAGES)


def test_missing_folder_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(NoSite) as caught:
        write_site(tmp_path / "a" / "site", PAGES)
    assert str(caught.value).replace(str(tmp_path), "…") == snapshot


def test_interrupted_writing_leaves_the_older_site_unchanged(tmp_path: Path) -> None:
    write_site(tmp_path / "site", PAGES)

    def broken() -> Iterator[tuple[str, str]]:
        yield "index.html", "new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_site(tmp_path / "site", broken())
    assert names(tmp_path) == ["site/cases/a/b.html", "site/index.html", "site/site.json"]
    assert (tmp_path / "site" / "index.html").read_text(encoding="utf-8") == "one"


def written(path: Path, *lines: str) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_the_command_writes_a_site_of_reports(tmp_path: Path) -> None:
    report = written(tmp_path / "run.jsonl", *text_of(finding()))
    done = invoke("report", report, "--output", str(tmp_path / "site"))
    assert done.exit_code == 0, done.output
    assert "index.html: " in done.output
    assert done.output.endswith(" files of 1 reports\n")
    assert (tmp_path / "site" / "runs" / f"honest-1-{NEWEST}-run.html").is_file()
    assert set(json.loads((tmp_path / "site" / "site.json").read_text(encoding="utf-8"))["files"]) == {
        path.relative_to(tmp_path / "site").as_posix()
        for path in (tmp_path / "site").rglob("*")
        if path.is_file() and path.name != "site.json"
    }


def test_the_command_replaces_its_own_site(tmp_path: Path) -> None:
    report = written(tmp_path / "run.jsonl", *text_of(finding()))
    words = ("report", report, "--output", str(tmp_path / "site"))
    assert (invoke(*words).exit_code, invoke(*words).exit_code) == (0, 0)
