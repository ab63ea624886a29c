"""The checks of a built site find what they are for."""

from pathlib import Path

from docs._ext.built import BuiltSite, missing_addresses


def site(folder: Path, pages: dict[str, str]) -> BuiltSite:
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return BuiltSite(folder)


def test_link_to_a_missing_page_is_dead(tmp_path: Path) -> None:
    built = site(tmp_path, {"inner/a.html": '<a href="b.html">b</a>'})
    assert list(built.dead_links()) == ["inner/a.html: b.html"]


def test_link_to_a_missing_anchor_is_dead(tmp_path: Path) -> None:
    built = site(tmp_path, {"a.html": '<a href="b.html#here">b</a> <a href="#there">a</a>', "b.html": "<p id='other'>"})
    assert list(built.dead_links()) == ["a.html: #there", "a.html: b.html#here"]


def test_links_to_existing_targets_are_not_dead(tmp_path: Path) -> None:
    links = '<a href="../b.html#1.1">b</a> <a href="https://example.org/x">x</a> <a href="../style.css">s</a>'
    built = site(tmp_path, {"how-to/a.html": links, "b.html": "<section id='1.1'>", "style.css": ""})
    assert list(built.dead_links()) == []


def test_a_site_without_pages_lacks_every_address(tmp_path: Path) -> None:
    some = {"rule null.not-written", "statement 1.1.1", "command specs diff"}
    assert some <= set(missing_addresses(site(tmp_path, {})))
