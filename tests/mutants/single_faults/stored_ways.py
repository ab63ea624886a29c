"""Which step of stored messages goes wrong, and how."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from reference import TAGS, load_release
from tests.mutants.single_faults import ways
from tests.mutants.single_faults.wrong import RELEASE, Way, Wrong
from tests.second_codec.steps import ContentWay, FixedWay

VALUES = "OffsetCommitValue,ConsumerProtocolAssignment"
KEYS = "OffsetCommitKey,ConsumerGroupMetadataKey,StreamsGroupTopologyKey"
PREFIXED = f"{VALUES},{KEYS},ConsumerGroupMetadataValue"
STORAGE = "RemotePartitionDeleteMetadataRecord"
RECORDS = f"NoOpRecord,FeatureLevelRecord,TopicRecord,RegisterBrokerRecord,PartitionRecord,{STORAGE}"
ALL = f"{PREFIXED},{RECORDS}"
NO_OP = 20


DEFINITIONS = load_release(RELEASE)


@cache
def types_of(source: str) -> Mapping[int | None, str]:
    """Return the messages of a log, by type."""
    definitions = (DEFINITIONS.definition(name) for name in DEFINITIONS.messages if DEFINITIONS.source(name) == source)
    return {each.api_key: each.name for each in definitions if each.kind == "metadata"}


class TypeAsked(NamedTuple):
    """The type of a record, and the messages of its log."""

    source: str
    record_type: int
    names: Mapping[int | None, str]

    @property
    def message(self) -> str | None:
        return self.names.get(self.record_type)


def wrongs() -> Iterator[Wrong]:
    """Yield every fault and every legal variant."""
    for side in ("decode", "encode"):
        fixed = ways.fixed_readings(2) if side == "decode" else ways.fixed_writings(2)
        varint = ways.varint_readings() if side == "decode" else ways.varint_writings()
        fixed, varint = ways.without(fixed, *LARGE), ways.without(varint, *LARGE_GROUPS[side])
        yield from _all(side, "prefix", fixed | LOW | SHIFTED, PREFIXED)
        for place in ("frame-version", "type", "version"):
            yield from _all(side, place, varint, RECORDS)
        yield from _all(side, "body-value", TAGGED, ALL)
    yield from _all("decode", "types", TYPES, RECORDS)
    yield from _all("decode", "version-of-body", VERSIONS, f"{VALUES},{RECORDS}")
    yield from _all("decode", "numbers", NUMBERS, RECORDS)
    yield from _all("decode", "behind", BEHIND, RECORDS)
    yield from _all("decode", "told", TOLD, ALL)
    yield from (Wrong("decode", "stored", name, None, pairs) for name, pairs in READERS.items())
    yield from _all("encode", "numbers", WRITTEN, ALL)
    yield from _all("encode", "body", BODIES, ALL)
    for place in ("frame-version", "type", "version"):
        yield Wrong("encode", "stored", f"{place}-left-out", None, RECORDS)
    yield from _legal()


def _all(side: str, place: str, found: Mapping[str, Way], pairs: str) -> Iterator[Wrong]:
    return (Wrong(side, place, name, way, pairs) for name, way in found.items())


LARGE = (
    "cut-at", "refused-above", "wrapped", "clamped", "unsigned", "sign", "highest", "lowest", "negative", "minus-one",
)  # fmt: skip
"""Ways that differ for large numbers alone, which types and versions are not."""
LARGE_GROUPS = {
    "decode": ("refused-above", "at-most", "missing", "ends-after-1-", "cut-at-31"),
    "encode": ("cut-at", "refused-above", "wrapped", "from-128", "highest-group", "zero-refused"),
}
LOW = {f"cut-at-{bits}-bits": FixedWay(number=ways.low(bits)) for bits in (1, 2, 3, 4)}
SHIFTED = {
    "plus-one": FixedWay(number=lambda number: number + 1),
    "minus-one": FixedWay(number=lambda number: number - 1),
    "one-byte": FixedWay(more=-1, piece=lambda piece: piece[-1:]),
    "four-bytes": FixedWay(more=2, piece=lambda piece: piece[-2:] if len(piece) > 2 else b"\0\0" + piece),
    "twice": FixedWay(more=2, piece=lambda piece: piece * 2 if len(piece) == 2 else piece[2:]),
    "left-out": FixedWay(more=-2, piece=lambda _piece: b""),
}


def without_tags(value: dict[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name != TAGS}


TAGGED = {
    "unknown-tags-refused": ContentWay(value=ways.refuse_if(lambda value: TAGS in value)),
    "unknown-tags-dropped": ContentWay(value=without_tags),
}


def taken_as(change: Callable[[TypeAsked], int]) -> ContentWay:
    return ContentWay(value=lambda asked: asked._replace(record_type=change(asked)))


def _one_as(wrong: int, other: int) -> ContentWay:
    return taken_as(lambda asked: other if asked.record_type == wrong else asked.record_type)


def _unknown_as(other: Callable[[TypeAsked], int]) -> ContentWay:
    return taken_as(lambda asked: asked.record_type if asked.message else other(asked))


def _cut(bits: int) -> ContentWay:
    return taken_as(lambda asked: asked.record_type % 2**bits)


def _in_any_log(asked: TypeAsked) -> TypeAsked:
    return asked._replace(names=dict(types_of("kafka-metadata")) | dict(asked.names))


TYPES: dict[str, Way] = {
    **{f"{number}-as-no-op": _one_as(number, NO_OP) for number in (6, 13, 16, 29, 30, 31, 32, 127, 128, 255, 256)},
    "unknown-as-no-op": _unknown_as(lambda _asked: NO_OP),
    "unknown-as-the-first": _unknown_as(lambda _asked: 0),
    "unknown-as-the-next-below": _unknown_as(
        lambda asked: max((key for key in asked.names if key is not None and key < asked.record_type), default=-1)
    ),
    **{f"cut-at-{bits}-bits": _cut(bits) for bits in (5, 6, 7, 8)},
    "those-of-another-log-too": ContentWay(value=_in_any_log),
    "zero-refused": taken_as(lambda asked: asked.record_type or -1),
    "feature-level-refused": _one_as(12, -1),
    "above-15-refused": taken_as(lambda asked: asked.record_type if asked.record_type <= 15 else -1),
}
VERSIONS: dict[str, Way] = {
    "plus-one": ContentWay(value=lambda version: version + 1),
    "minus-one": ContentWay(value=lambda version: version - 1),
    "lowest": ContentWay(value=lambda _version: 0),
    "highest": ContentWay(value=lambda _version: 2**15 - 1),
    "highest-refused": ContentWay(value=ways.refuse(4)),
    "3-refused": ContentWay(value=ways.refuse(3)),
}
NUMBERS: dict[str, Way] = {
    "type-and-version-swapped": ContentWay(value=lambda numbers: [numbers[0], numbers[2], numbers[1]]),
    "frame-version-0-taken": ContentWay(value=lambda numbers: [numbers[0] or 1, *numbers[1:]]),
    "frame-version-2-taken": ContentWay(value=lambda numbers: [1 if numbers[0] == 2 else numbers[0], *numbers[1:]]),
    "higher-frame-versions-taken": ContentWay(value=lambda numbers: [min(numbers[0], 1), *numbers[1:]]),
}
BEHIND: dict[str, Way] = {
    "ignored": ContentWay(value=lambda _behind: b""),
    "zeros-ignored": ContentWay(value=lambda behind: behind if any(behind) else b""),
    "one-byte-ignored": ContentWay(value=lambda behind: behind if len(behind) != 1 else b""),
    "from-two-bytes-ignored": ContentWay(value=lambda behind: behind[:1] if len(behind) == 1 else b""),
}
TOLD: dict[str, Way] = {
    "version-0": ContentWay(value=lambda told: (told[0], 0)),
    "no-version": ContentWay(value=lambda told: (told[0], None)),
    "message-in-small-letters": ContentWay(value=lambda told: (told[0].lower(), told[1])),
}
READERS: dict[str, str] = {
    "frame-version-not-checked": RECORDS,
    "frame-version-cut-at-16-bits": RECORDS,
    "type-cut-at-16-bits": RECORDS,
    "version-cut-at-16-bits": RECORDS,
    "body-missing-as-defaults": ALL,
    "rest-filled-with-zeros": ALL,
}


def _written(change: Callable[[Any, list[Any]], list[Any]]) -> ContentWay:
    return ContentWay(value=lambda given: (given[0], change(*given)))


WRITTEN: dict[str, Way] = {
    "first-0": _written(lambda _schema, numbers: [0, *numbers[1:]]),
    "first-plus-one": _written(lambda _schema, numbers: [numbers[0] + 1, *numbers[1:]]),
    "version-for-type": _written(lambda schema, numbers: numbers if len(numbers) > 1 else [schema.version]),
    "type-and-version-swapped": _written(lambda _schema, numbers: [numbers[0], *numbers[:0:-1]]),
    "version-0": _written(lambda _schema, numbers: [*numbers[:2], *[0] * len(numbers[2:])]),
    "version-plus-one": _written(lambda _schema, numbers: [*numbers[:2], *(number + 1 for number in numbers[2:])]),
    "type-plus-one": _written(
        lambda _schema, numbers: [*numbers[:1], *(each + 1 for each in numbers[1:2]), *numbers[2:]]
    ),
}
BODIES: dict[str, Way] = {
    "line-behind": ContentWay(raw=lambda body: body + b"\n"),
    "zero-behind": ContentWay(raw=lambda body: body + b"\0"),
    "last-byte-lost": ContentWay(raw=lambda body: body[:-1]),
    "left-out-if-zeros": ContentWay(raw=lambda body: body if any(body) else b""),
}


def _legal() -> Iterator[Wrong]:
    """Yield what readers may do, though others do not."""
    overlong, excess = ways.VARINT_LEGAL["overlong-refused"], ways.excess_refused(32)
    for place in ("frame-version", "type", "version"):
        yield Wrong("decode", place, "overlong-refused", overlong, RECORDS, legal=True)
        yield Wrong("decode", place, "excess-bits-refused", excess, RECORDS, legal=True)
        yield Wrong("decode", "stored", f"negative-{place}-refused", None, RECORDS, legal=True)
    yield Wrong("decode", "stored", "unknown-version-refused", None, RECORDS, legal=True)
    yield Wrong("decode", "stored", "unknown-prefix-taken", None, PREFIXED, legal=True)
    yield Wrong("decode", "stored", "bytes-behind-refused", None, PREFIXED, legal=True)
