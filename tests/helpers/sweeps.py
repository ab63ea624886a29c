"""The schemas tried by a sweep, a few with every form of field and a share of the others.

All schemas of a release show accidents of single messages, but no form of field that a few small ones lack. The share
is another one each day, and twenty days try everything. `SWEEP=all` does so in one run, `SWEEP=7` repeats a share.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar

from conformance.generate.edge_values import populated
from reference import FieldSchema, MessageSchema, encode, load_release

Choice = TypeVar("Choice")

Forms = Callable[[MessageSchema], Iterator[tuple[Any, ...]]]
"""A function that yields the forms of a schema to be met by a sweep."""

SWEEP = "SWEEP"
"""The environment variable with the number of the share, or `all`. The workers of a run inherit it."""
ALL = "all"
SHARES, QUARTERS = 20, 4


def fix_share() -> None:
    """Set the share of this run to the day's, unless the caller has named one.

    Raises:
        ValueError: the caller has named no valid share.
    """
    share = os.environ.setdefault(SWEEP, str(datetime.now(UTC).date().toordinal() % SHARES))
    if share not in {ALL, *map(str, range(SHARES))}:
        raise ValueError(f"{SWEEP} is {share!r}: give the number of a share, 0 to {SHARES - 1}, or {ALL!r}")


def described_share() -> str:
    """Return the text about sweeps at the head of a run."""
    share = os.environ[SWEEP]
    return "all schemas" if share == ALL else f"covering schemas and share {share} of {SHARES} ({SWEEP}={share})"


def every_form(schema: MessageSchema) -> Iterator[tuple[Any, ...]]:
    """Yield the facts that distinguish the message and the fields of a schema, in the schema's dialect."""
    yield schema.dialect, schema.kind, schema.flexible
    for form in (*wire_forms(schema), *_deep_forms(schema.body, depth=0)):
        yield schema.dialect, form


def swept(*names: str, forms_of: Forms = every_form) -> tuple[MessageSchema, ...]:
    """Return the schemas of releases and proposals tried by a sweep of this run, equal ones once."""
    share, (chosen, others) = os.environ[SWEEP], _parted(names, forms_of)
    return (*chosen, *(others if share == ALL else others[int(share) :: SHARES]))


@cache
def _parted(names: tuple[str, ...], forms_of: Forms) -> tuple[list[MessageSchema], list[MessageSchema]]:
    schemas = dict.fromkeys(schema for name in names for schema in load_release(name).schemas())
    chosen = dict.fromkeys(covering(schemas, forms_of))
    return [*chosen], [schema for schema in schemas if schema not in chosen]


def swept_numbers(count: int) -> range:
    """Return the numbers of drawn examples tried by a sweep of this run, one in four unless it tries all."""
    share = os.environ[SWEEP]
    return range(count) if share == ALL else range(int(share) % QUARTERS, count, QUARTERS)


def swept_one(choices: Sequence[Choice]) -> Sequence[Choice]:
    """Return the one choice tried by a sweep of this run, or all of them."""
    share = os.environ[SWEEP]
    return choices if share == ALL else [choices[int(share) % len(choices)]]


def covering(schemas: Iterable[MessageSchema], forms_of: Forms) -> list[MessageSchema]:
    """Return the fewest and smallest schemas with a field of every form, the smallest first."""
    costs = {schema: cost(schema) for schema in schemas}
    forms = {schema: frozenset(forms_of(schema)) for schema in costs}
    chosen, left = [], frozenset().union(*forms.values())
    while left:
        best = max(forms, key=lambda schema: len(forms[schema] & left) / costs[schema])
        chosen.append(best)
        left -= forms[best]
    return sorted(chosen, key=lambda schema: (costs[schema], str(schema)))


def cost(schema: MessageSchema) -> int:
    """Return the cost of trying a schema, in a measure without a unit."""
    return (20 + len(encode(schema, populated(schema)))) ** 2


def wire_forms(schema: MessageSchema) -> Iterator[tuple[Any, ...]]:
    """Yield the form of each field with an effect on bytes, and those of fields of other versions."""
    yield from _wire_forms(schema.body, inside_tag=False)


def _wire_forms(field: FieldSchema, *, inside_tag: bool) -> Iterator[tuple[Any, ...]]:
    item, tagged = field.item, field.tag is not None
    yield field.type, item.type, field.nullable, field.compact, tagged, inside_tag, item.flexible
    yield item.flexible, bool(item.tags_elsewhere)
    for each in item.fields:
        yield from _wire_forms(each, inside_tag=inside_tag or tagged)
    for each in item.absent_fields:
        yield each.type, each.item.type, each.ignorable, each.nullable


def _deep_forms(struct: FieldSchema, depth: int) -> Iterator[tuple[Any, ...]]:
    for field in struct.fields:
        tagged, item = field.tag is not None, field.item
        yield field.type, item.type, field.compact, field.nullable, tagged, depth
        yield field.type, item.encoding, field.map_key, field.default in (None, 0, "", [], False)
        yield from _deep_forms(item, depth + 1)
