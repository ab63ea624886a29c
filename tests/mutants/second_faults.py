"""The command `python -m tests.mutants.second_faults`, faults in codecs that also refuse some valid values.

A case of an invalid input proves nothing if its valid base is refused already, and a codec that refuses unknown error
codes refuses many. Each reader with one fault is tried alone and with each refusal. A case that fails alone must fail
in the same way with the refusal. The table has the share of such cases, and of the fields with at least one. Lost cases
are read with other numbers, as shifted or cut bytes are.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import click

from conformance.adapter import Decoded
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.commands.common import workers_option
from conformance.judge.checks.check_list import BODIES, run_message
from conformance.judge.engine import counted
from conformance.judge.tally import Tally
from reference import TAGS, CodecError, MessageSchema, encode, load_release, newest_release
from tests.helpers.sessions import session_of
from tests.helpers.sweeps import covering, every_form
from tests.mutants.kit.pool import tried
from tests.second_codec import bodies
from tests.second_codec.left_out import CHECKS_LEFT_OUT
from tests.second_codec.ways import Misstep, NotTaken

LEAST = 0.95
"""The least share of the fields in which a fault must show with each refusal."""
LESS = {("truncation", "negative numbers"): 0.85}
"""Lower limits where a cut before a tagged field with the default -1 has that number in any case."""
NUMBERS = re.compile(r"\d+")


class Case(NamedTuple):
    """The subject of a case without its offsets, as an accepted base may be longer or shorter."""

    message: str
    name: str
    field: str
    direction: str
    outcome: str


class Refused(CodecError):
    """Raised for a valid value refused by a codec."""


FAULTS: dict[str, Misstep] = {
    name: CHECKS_LEFT_OUT[rule][0]
    for name, rule in (
        ("nulls", "null.not-allowed"),
        ("varints", "varint.too-long"),
        ("lengths", "length.negative"),
        ("tags", "tag.size-within-input"),
        ("truncation", "input.truncated"),
    )
}
"""The checks left out by readers."""


def _items(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every item of a value with the name of its field, without unknown tags."""
    yield name, value
    if isinstance(value, dict):
        for key, item in value.items():
            if key != TAGS:
                yield from _items(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from _items(item, name)


def _is_number(item: Any) -> bool:
    return isinstance(item, int) and not isinstance(item, bool)


REFUSALS: dict[str, Callable[[str, Any], bool]] = {
    "": lambda _name, _item: False,
    "negative numbers": lambda _, item: _is_number(item) and item < 0,
    "error codes": lambda name, item: name == "ErrorCode" and item not in {0, *range(1, 34)},
    "non-ASCII": lambda _, item: isinstance(item, str) and not item.isascii(),
    "arrays of two": lambda _, item: isinstance(item, list) and len(item) > 1,
    "numbers over 255": lambda _, item: _is_number(item) and item > 255,
}
"""The items of a valid value refused by a codec (the first refuses nothing)."""


class Pair(NamedTuple):
    """A fault, and a refusal besides."""

    fault: str
    refusal: str

    def adapter(self, schema: MessageSchema) -> LoadedAdapter:
        supported = {schema.message: frozenset({schema.version})}
        return LoadedAdapter(
            spec="",
            name="two faults",
            version="0",
            supported={"encode": supported, "decode": supported},
            encode=self.write,
            decode=self.read,
            rejections=(CodecError, NotTaken),
            capabilities=frozenset({"unknown-tags"}),
        )

    def write(self, schema: MessageSchema, value: Any) -> bytes:
        """Write an accepted value canonically."""
        self._check(value)
        return encode(schema, value)

    def read(self, schema: MessageSchema, data: bytes) -> Decoded:
        """Read with the fault."""
        value, source = bodies.read(schema.struct, data, FAULTS[self.fault])
        self._check(value)
        return Decoded(value, source.at)

    def _check(self, value: Any) -> None:
        refuses = REFUSALS[self.refusal]
        if any(refuses(name, item) for name, item in _items(value)):
            raise Refused(f"no {self.refusal}")


def shown(pair: Pair, schema: MessageSchema) -> Counter[Case]:
    """Return the failed cases of a message, once for each name, without the random contents of mutated bytes."""
    session = session_of(PythonCodec(pair.adapter(schema)))
    violations = counted(run_message(session, schema, frozenset({BODIES})), Tally())
    found = {
        (each.case.name, each.field, each.direction, each.outcome)
        for each in violations
        if not each.case.name.startswith("mutated-")
    }
    return Counter(Case(str(schema), NUMBERS.sub("#", name), *rest) for name, *rest in found)


class Shares(NamedTuple):
    """The numbers of cases or fields with a fault shown alone, and shown with a refusal, too."""

    alone: int = 0
    behind: int = 0

    @property
    def share(self) -> float:
        """The share shown with the refusal, too."""
        return self.behind / max(self.alone, 1)

    def __str__(self) -> str:
        return f"{self.behind:6,} of {self.alone:6,}  {self.share:.3f}"


class Row(NamedTuple):
    """The cases with a fault shown alone, and those shown with a refusal, too."""

    alone: Counter[Case]
    behind: Counter[Case]

    @property
    def cases(self) -> Shares:
        """The shares of cases."""
        return Shares(self.alone.total(), self.behind.total())

    @property
    def fields(self) -> Shares:
        """The shares of fields with a case."""
        return Shares(*(len({(case.message, case.field) for case in cases}) for cases in self))

    @property
    def lost(self) -> list[str]:
        """The cases hidden by the refusal."""
        return [f"{' '.join(case)}, {count} times" for case, count in sorted((self.alone - self.behind).items())]


def rows_of(schema: MessageSchema) -> dict[Pair, Row]:
    """Return the cases of each fault hidden by each refusal in a message."""
    rows: dict[Pair, Row] = {}
    for fault in FAULTS:
        alone = shown(Pair(fault, ""), schema)
        pairs = (Pair(fault, refusal) for refusal in REFUSALS if refusal)
        rows |= {pair: Row(alone, alone & shown(pair, schema)) for pair in pairs}
    return rows


def row_of(pair: Pair, schema: MessageSchema) -> Row:
    """Return the cases of one fault hidden by one refusal in a message."""
    alone = shown(pair._replace(refusal=""), schema)
    return Row(alone, alone & shown(pair, schema))


@click.command()
@workers_option
@click.option("--lost", "is_listed", is_flag=True, help="Print each case that shows no longer.")
def main(workers: int, *, is_listed: bool) -> None:
    """Print for each fault and refusal the share of the fault's cases and fields still shown."""
    total: dict[Pair, Row] = {}
    schemas = covering(load_release(newest_release()).schemas(), every_form)
    for rows in tried(rows_of, schemas, workers):
        for pair, row in rows.items():
            alone, behind = total.get(pair, Row(Counter(), Counter()))
            total[pair] = Row(alone + row.alone, behind + row.behind)
    for pair, row in total.items():
        click.echo(f"{pair.fault:12} {pair.refusal:18} {row.cases}   {row.fields} of fields")
        for line in row.lost if is_listed else ():
            click.echo(f"    lost: {line}")
    sys.exit(any(row.fields.share < LESS.get(pair, LEAST) for pair, row in total.items()))


if __name__ == "__main__":
    main()
