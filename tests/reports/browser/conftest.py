"""One browser, and one site with a page of every kind, for all tests of this folder."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from conformance.reports.pages.site import site_pages, write_site
from conformance.reports.reading import read_report
from tests.helpers import requirements
from tests.helpers.runs import suite
from tests.reports.formats.samples import hostile

SELECTED = ("--messages=HeartbeatResponse,MetadataResponse-v12,ApiVersionsResponse-v3", "--isolation=never")
LIAR = "tests.fakes.faulty_codecs:LittleEndian"
CODEC = "conformance.adapters.kio"
PIECE = 'class="piece'
SCREENSHOTS = Path(__file__).parents[3] / "build" / "screenshots"


@dataclass(frozen=True)
class Site:
    """A site, and one page of each kind by its name."""

    folder: Path
    kinds: dict[str, str]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = requirements.chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Two implementations on two releases, with what changed since a run before, and one that says hostile things."""
    requirements.chromium()
    folder = tmp_path_factory.mktemp("site")
    wanted = [(LIAR, "4.4.0"), (LIAR, "3.9.1"), (CODEC, "4.4.0")]
    with ThreadPoolExecutor(2) as pool:
        paths = list(pool.map(lambda each: _report(folder, *each), wanted))
    runs = [*(read_report(path) for path in paths), hostile()]
    baseline = read_report(paths[0])
    write_site(folder / "site", site_pages(runs, [baseline]))
    return Site(folder / "site", _kinds(folder / "site"))


@pytest.fixture(scope="session")
def screenshots() -> Path:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


def _report(folder: Path, impl: str, release: str) -> Path:
    path = folder / f"{impl.rpartition('.')[2].replace(':', '-')}-{release}.jsonl"
    suite(f"--impl={impl}", f"--release={release}", f"--report={path}", "-m", "not hypothesis", *SELECTED)
    return path


def _kinds(site: Path) -> dict[str, str]:
    """One page of each kind: those of a codec with many messages, and those of the one who is hostile."""

    def page(pattern: str) -> str:
        largest = max(sorted(site.glob(pattern)), key=lambda path: path.read_text(encoding="utf-8").count(PIECE))
        return str(largest.relative_to(site))

    return {
        "matrix": "index.html",
        "matrix-of-a-release": "matrix-3.9.1.html",
        "rules": "rules/index.html",
        "rule": "rules/int.width-and-order.html",
        "run": page("runs/kio-*-4.4.0.html"),
        "coverage": page("runs/kio-*-4.4.0-coverage.html"),
        "case": page("cases/kio-*-4.4.0/*.html"),
        "hostile-run": page("runs/*script*.html"),
        "hostile-case": page("cases/*script*/*.html"),
    }
