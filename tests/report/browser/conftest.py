"""One browser, and one site with a page of every kind, for all tests of this folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from conformance.commands.replay_cases import replay_of
from conformance.report.site.site import site_pages, write_site
from tests.helpers import requirements
from tests.helpers.releases import NEWEST, OLDEST
from tests.report.site.examples import HOSTILE, codec, hostile, server, trend

CODEC = f"honest-1-{NEWEST}"
PIECE = 'class="piece'
SCREENSHOTS = Path(__file__).parents[3] / "build" / "screenshots"


@dataclass(frozen=True)
class Site:
    """A site, and one page of each kind by its name."""

    folder: Path
    kinds: dict[str, str]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, ended with the tests of this folder.

    While Playwright is open, the thread has a running event loop.
    """
    path = requirements.chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site with a codec on two releases, its changes since an older run, a server, and a codec with hostile texts."""
    folder = tmp_path_factory.mktemp("site") / "site"
    runs = (codec(), codec(release=OLDEST), server(), hostile())
    write_site(folder, site_pages(runs, replay_of, [codec()], [trend(), trend(HOSTILE, 1)]))
    return Site(folder, _kinds(folder))


@pytest.fixture(scope="session")
def screenshots() -> Path:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


def _kinds(site: Path) -> dict[str, str]:
    """The largest page of each kind."""

    def page(pattern: str) -> str:
        largest = max(sorted(site.glob(pattern)), key=lambda path: path.read_text(encoding="utf-8").count(PIECE))
        return str(largest.relative_to(site))

    return {
        "front": "index.html",
        "front-of-a-release": f"kafka-{OLDEST}.html",
        "matrix": f"matrix-{NEWEST}.html",
        "campaigns": "campaigns.html",
        "rules": "rules/index.html",
        "rule": "rules/int.width-and-order.html",
        "book": "rules/book.html",
        "run": f"runs/{CODEC}.html",
        "coverage": f"runs/{CODEC}-coverage.html",
        "cases": "cases.html",
        "cause": page(f"causes/{CODEC}/*.html"),
        "server": f"runs/kfake-{NEWEST}.html",
        "frame": page("causes/kfake-*/*.html"),
        "not-found": "404.html",
        "hostile-front": page("kafka-script*.html"),
        "hostile-matrix": page("matrix-script*.html"),
        "hostile-run": page("runs/*script*.html"),
        "hostile-cause": page("causes/*script*/*.html"),
    }
