"""Build the documentation site by `python -m docs._ext build/docs`, or ask outside addresses with `--links`.

`python -m docs._ext pages` writes the generated pages of the checkout.
"""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path

from sphinx.cmd.build import build_main

from docs._ext.built import BuiltSite, problems
from docs._ext.pages import DOCS, committed_pages, write_pages

OPTIONS = ("--fresh-env", "--fail-on-warning", "--keep-going", "--nitpicky", "--quiet")
"""A page kept from an earlier build may have links to pages of that time."""


def main() -> int:
    """Build the site, check it, and return the exit status."""
    parser = ArgumentParser(prog="python -m docs._ext", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the site is written; `pages`: only those of the checkout")
    parser.add_argument("--links", action="store_true", help="ask each address outside of the site whether it is there")
    parser.add_argument("--matrix", type=Path, help="a site of reports, which is put below this one")
    arguments = parser.parse_args()
    if arguments.folder == Path("pages"):
        for page in committed_pages():
            (DOCS / page.path).parent.mkdir(exist_ok=True)
            (DOCS / page.path).write_text(page.text, encoding="utf-8")
        return 0
    sources = arguments.folder.with_name(f"{arguments.folder.name}-source")
    write_pages(sources, matrix=arguments.matrix is not None)
    places = ("--doctree-dir", str(sources.with_name(f"{sources.name}-read")), str(sources), str(arguments.folder))
    if arguments.links:
        return build_main(["--builder", "linkcheck", "--quiet", *places])
    status = build_main([*OPTIONS, "--builder", "html", *places])
    if arguments.matrix is not None:
        shutil.copytree(arguments.matrix, arguments.folder / "matrix", dirs_exist_ok=True)
    return status or check(arguments.folder)


def check(folder: Path) -> int:
    """Print the problems of a site or its number of pages, and return the exit status."""
    wrong = problems(folder)
    for each in wrong:
        print(each, file=sys.stderr)  # noqa: T201  # the output of a program of the checkout
    if not wrong:
        print(f"{folder}: {len(BuiltSite(folder).pages)} pages, no dead link")  # noqa: T201  # likewise
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
