"""Ways of tag sections, by name."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from reference import FieldSchema
from tests.mutants.ways.basics import constant, more_than, refuse_if
from tests.second_codec.bodies import KnownBody, SectionWay, is_default
from tests.second_codec.forms import Tags
from tests.second_codec.ways import ContentWay

MOST_BYTES = 1 << 16


def _falls(entries: Tags) -> bool:
    return any(one[0] > other[0] for one, other in pairwise(entries))


CHANGES: dict[str, Callable[[Any], Any]] = {
    "dropped": lambda entries: entries[:0],
    "refused": refuse_if(bool),
    "first-alone": lambda entries: entries[:1],
    "last-dropped": lambda entries: entries[:-1],
    "empty-dropped": lambda entries: [entry for entry in entries if entry[1]],
    "empty-refused": refuse_if(lambda entries: any(not body for _, body in entries)),
    "turned": lambda entries: entries[::-1],
    "by-size": lambda entries: sorted(entries, key=lambda entry: len(entry[1])),
    "as-text-of-tags": lambda entries: sorted(entries, key=lambda entry: str(entry[0])),
    **{f"refused-above-{most}": refuse_if(more_than(most)) for most in (1, 2, 9)},
}
"""Faulty changes of the unknown entries."""
OPEN: dict[str, Callable[[Any], Any]] = {
    "order-refused": refuse_if(_falls),
    "sorted": lambda entries: sorted(entries, key=lambda entry: entry[0]),
    "last-of-a-tag-kept": lambda entries: list(dict(entries).items()),
    "repeated-refused": refuse_if(lambda entries: len(dict(entries)) < len(entries)),
}
"""Readings of tags that fall or come twice."""
MORE: dict[str, Callable[[Any], Any]] = {
    "refused-above-64": refuse_if(more_than(64)),
    "large-refused": refuse_if(lambda entries: any(len(body) > MOST_BYTES for _, body in entries)),
    "twice": lambda entries: [*entries, *entries],
}
"""Changes in mutants alone."""
ENTRIES = {name: ContentWay(value=change) for name, change in {**CHANGES, **OPEN, **MORE}.items()}
"""Ways of all unknown entries together."""


def _is_null_default(field: FieldSchema, value: Any) -> bool:
    return value is None and field.default is None


def _ascend(tags: Iterable[int]) -> bool:
    return list(dict.fromkeys(tags)) == sorted(set(tags))


SECTIONS: dict[str, SectionWay] = {
    "entries-turned": SectionWay(entries=lambda entries: entries[::-1]),
    "unknown-entries-last": SectionWay(
        entries=lambda entries: sorted(entries, key=lambda entry: not isinstance(entry[1], KnownBody))
    ),
    "defaults-written": SectionWay(omits=constant(value=False)),
    "known-omitted": SectionWay(omits=constant(value=True)),
    "read-if-any-is-known": SectionWay(reads=bool),
    "zero-refused": SectionWay(refuses=lambda field, value: field.tag == 0 and not is_default(field, value)),
    "default-refused": SectionWay(refuses=is_default),
    "null-default-refused": SectionWay(refuses=_is_null_default),
    "unsorted-refused": SectionWay(tags=refuse_if(lambda tags: not _ascend(tags))),
    "twice-refused": SectionWay(tags=refuse_if(lambda tags: len(set(tags)) < len(tags))),
    "other-sizes-refused": SectionWay(is_exact=True),
}
