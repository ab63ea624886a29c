"""The rows of a table, a TSV file beside the module for it."""

from csv import DictReader
from pathlib import Path


def rows_of(module: str, table: str) -> list[dict[str, str]]:
    """Return the rows of a table beside a module, by the path of the module."""
    with Path(module).with_name(table).open(encoding="utf-8", newline="") as file:
        return list(DictReader(file, delimiter="\t"))
