"""Writing a site: whole or not at all, and over nothing but a site."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.reports.pages.site import NoSite, write_site
from tests.helpers.runs import invoke
from tests.reports.lines import text_of
from tests.reports.pages.examples import finding

PAGES = [("index.html", "one"), ("cases/a/b.html", "two"), ("site.json", "{}")]


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_all_files_are_written(tmp_path: Path) -> None:
    assert write_site(tmp_path / "site", PAGES) == 3
    assert names(tmp_path) == ["site/cases/a/b.html", "site/index.html", "site/site.json"]


def test_a_site_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    """Nothing of the older one stays, and nothing stands beside it."""
    write_site(tmp_path / "site", [*PAGES, ("gone.html", "")])
    write_site(tmp_path / "site", PAGES)
    assert names(tmp_path) == ["site/cases/a/b.html", "site/index.html", "site/site.json"]


def test_an_empty_folder_becomes_a_site(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    write_site(tmp_path / "site", PAGES)
    assert (tmp_path / "site" / "index.html").is_file()


def test_a_folder_that_is_no_site_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("ten years", encoding="utf-8")
    with pytest.raises(NoSite, match="is not empty, and no site"):
        write_site(tmp_path, PAGES)
    assert names(tmp_path) == ["thesis.txt"]


def test_a_file_is_no_place_for_a_site(tmp_path: Path) -> None:
    (tmp_path / "site").write_text("", encoding="utf-8")
    with pytest.raises(NoSite, match="is a file"):
        write_site(tmp_path / "site", PAGES)


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoSite, match="is no folder: make it first"):
        write_site(tmp_path / "a" / "site", PAGES)


def test_what_ends_in_the_middle_leaves_the_older_site_as_it_was(tmp_path: Path) -> None:
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
    assert (tmp_path / "site" / "runs" / "honest-1-4.4.0.html").is_file()
