"""The elements, links, ids and texts of pages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from posixpath import dirname, join, normpath

BLOCKS = frozenset(("dd", "div", "dt", "li", "p", "td", "th", "tr"))
VOID = frozenset(("meta", "link", "input", "br", "hr", "img"))


@dataclass
class Element:
    """One element with everything in it."""

    tag: str
    attributes: dict[str, str]
    content: list["Element | str"] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text, white space put together."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> list[str]:
        texts = [text for each in self.content for text in ([each] if isinstance(each, str) else each._texts())]
        return [" ", *texts, " "] if self.tag in BLOCKS else texts

    def all(self, tag: str = "", **attributes: str) -> list["Element"]:
        """Return the elements below with a tag and these attributes, among them `class_`, one of the classes."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [each for each in self._below if tag in {"", each.tag} and each.matches(wanted)]

    @cached_property
    def _below(self) -> list["Element"]:
        below = [each for each in self.content if isinstance(each, Element)]
        return [*below, *(one for each in below for one in each._below)]

    def matches(self, wanted: dict[str, str]) -> bool:
        """Return whether the element has these attributes."""
        return all(
            value in self.attributes.get(name, "").split() if name == "class" else self.attributes.get(name) == value
            for name, value in wanted.items()
        )

    def one(self, tag: str = "", **attributes: str) -> "Element":
        """Return the only such element."""
        [found] = self.all(tag, **attributes)
        return found


class _Builder(HTMLParser):
    """A parser of a page to a tree, with a check of the order of closing tags."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in {self.get_starttag_text()}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].content.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].tag == tag, f"</{tag}> closes <{self._open[-1].tag}> at {self.getpos()}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].content.append(data)


@dataclass(frozen=True)
class Site:
    """All files of a site by name."""

    files: dict[str, str]

    @cached_property
    def pages(self) -> "Pages":
        """Return the pages."""
        return Pages({name: text for name, text in self.files.items() if name.endswith(".html")})

    def below(self, folder: str) -> list[Element]:
        """Return the pages in a folder."""
        return [self.pages[name] for name in self.pages if name.startswith(folder)]

    def targets(self, name: str) -> list[str]:
        """Return the targets of a page on the site, as name or name#id."""
        page = self.pages[name]
        found = [each.attributes["href"] for tag in ("a", "link") for each in page.all(tag)]
        found += [
            each.attributes["src"] for tag in ("img", "script") for each in page.all(tag) if "src" in each.attributes
        ]
        local = [each for each in found if "://" not in each and not each.startswith("data:")]
        return [name + each if each.startswith("#") else normpath(join(dirname(name), each)) for each in local]


class Pages(Mapping[str, Element]):
    """The pages of a site by name.

    A page is parsed on first use, since most tests need one of two hundred.
    """

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts
        self._parsed: dict[str, Element] = {}

    def __getitem__(self, name: str) -> Element:
        if name not in self._parsed:
            self._parsed[name] = page_of(self._texts[name])
        return self._parsed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def page_of(text: str) -> Element:
    """Return the tree of a page."""
    builder = _Builder()
    builder.feed(text)
    builder.close()
    assert builder._open == [builder.root], "an element is not closed"
    return builder.root
