"""Readings of bytes that nobody has named, as requests, responses, stored messages, record batches or bodies.

A reading takes all bytes. Of several the shortest description is the likeliest (`plausibility`), as a reading at the
wrong place needs large numbers and odd characters. Nothing is read whole by chance if its description is much shorter
than the bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from conformance.report.explain.explained_targets import explain_target
from conformance.report.explain.plausibility import SURE, bits_of, chance_bits, number_bits, tag_bits, text_bits
from conformance.report.words import counted
from conformance.targets import Body, RecordsField, StoredForm, WholeFrame
from reference import CodecError, UnknownMessage, decode_frame, decode_prefixed, decode_record, judge_records
from reference.definitions.model import ranges_of
from reference.explained.frames import KEY_AND_VERSION, SIZE, request_of
from reference.explained.records import TITLE
from reference.protocols import wire_type_of
from reference.records.records_field import entry_ends
from reference.wire.stream import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from conformance.definitions.defining_releases import Definitions
    from conformance.targets import Target
    from reference import Frame, FrameDirection, MessageSchema, Release
    from reference.explained.explanation import Explanation

CHOICE = 9.5
"""The bits of which API and version it is."""

OLD = 2.0
"""The bits of a version that the first release has no more."""

MARGIN = 12.0
"""The bits by which a description is shorter than the bytes, and than the next one, to be more than chance."""


@dataclass(frozen=True)
class BytesReading:
    """One reading of bytes, which takes all of them.

    The newest of `versions` with this layout is the first. `options` are the words of `explain` for it, and `bits` is
    the length of its description. A framed one has a size or a CRC. `explain` makes an explanation for each frame.
    """

    message: str
    versions: tuple[int, ...]
    form: str
    options: str
    bits: float
    is_framed: bool
    explain: Callable[[], list[Explanation]]

    def __str__(self) -> str:
        versions = f" v{', '.join(map(str, ranges_of(sorted(self.versions))))}" if self.versions else ""
        return f"{self.message}{versions}{', ' * bool(self.form)}{self.form}"


def readings(definitions: Definitions, data: bytes) -> list[BytesReading]:
    """Return the readings of bytes, the likeliest first; none that chance may give.

    A size, or a CRC, says that bytes are a frame or batches: what has neither is tried if there is none. Bytes of the
    right size that begin as a request are a damaged one, if they can be read as nothing else with a size.
    """
    likely = _likely(data, (each for kind in _FRAMED for each in kind(definitions, data)))
    if likely or _release_of(definitions, data) is not None:
        return likely
    return _likely(data, (each for kind in _UNFRAMED for each in kind(definitions, data)))


def _likely(data: bytes, found: Iterable[BytesReading]) -> list[BytesReading]:
    most = chance_bits(data) - MARGIN
    return sorted((each for each in found if each.bits < most), key=lambda each: each.bits)


def is_sure(found: Sequence[BytesReading], data: bytes) -> bool:
    """Return whether the first reading is much likelier than all other ones, and than chance if it has no frame."""
    if not found:
        return False
    first, next_ = found[0], found[1].bits if len(found) > 1 else chance_bits(data)
    if first.form == A_BODY:
        return False  # nothing in a body says of which message it is
    if first.is_framed:
        return len(found) == 1 or next_ - first.bits >= MARGIN
    return next_ - first.bits >= 2 * MARGIN and chance_bits(data) - first.bits >= UNFRAMED * MARGIN


A_BODY = "a body"

UNFRAMED = 6.0
"""The margins by which a reading without a size or a CRC is shorter than the bytes, to have a verdict."""


def _requests(definitions: Definitions, data: bytes, *, sized: bool = True) -> Iterator[BytesReading]:
    frame = data if sized else _with_size(data)
    release = _release_of(definitions, frame)
    read = None if release is None else _frame(release, "request", frame)
    schema = None if read is None else definitions.body("request", read.api_key, read.api_version)
    if release is not None and read is not None and schema is not None:
        form, options = ("a request", "--frame") if sized else ("a request without its size", WITHOUT_SIZE)
        head = number_bits(read.correlation_id) + text_bits(read.client_id or "") + tag_bits(read.header_tags)
        bits = CHOICE + head + bits_of(schema.fields, read.value)
        explain = partial(_alone, WholeFrame(schema, release), data, sized=sized)
        versions = (schema.version,)
        yield BytesReading(schema.message, versions, form, options, bits, is_framed=sized, explain=explain)


def _with_size(data: bytes) -> bytes:
    return len(data).to_bytes(SIZE, "big") + data


WITHOUT_SIZE = "--without-size --frame"


def _alone(target: Target, data: bytes, *, sized: bool = True) -> list[Explanation]:
    return [explain_target(target, data, sized=sized)]


def _release_of(definitions: Definitions, frame: bytes) -> Release | None:
    is_sized = len(frame) >= SIZE + KEY_AND_VERSION and int.from_bytes(frame[:SIZE], "big") == len(frame) - SIZE
    return definitions.release_of(*request_of(frame)) if is_sized else None


def _frame(release: Release, direction: FrameDirection, frame: bytes, *api: int) -> Frame | None:
    of = dict(zip(("api_key", "api_version"), api, strict=False))
    try:
        read = decode_frame(release, direction, frame, **of)
    except CodecError:
        return None
    return read if read.consumed == len(frame) else None


def responses(definitions: Definitions, data: bytes, *, sized: bool = True) -> Iterator[BytesReading]:
    """Yield the responses in bytes; they do not say of which API and version."""
    frame = data if sized else _with_size(data)
    if len(frame) < 2 * SIZE or int.from_bytes(frame[:SIZE], "big") != len(frame) - SIZE:
        return
    for release, schema, versions in _layouts(definitions.among, ("response",)):
        api = schema.api_key or 0, schema.version
        read = _frame(release, "response", frame, *api)
        if read is not None:
            head = number_bits(read.correlation_id) + tag_bits(read.header_tags)
            bits = CHOICE + head + bits_of(schema.fields, read.value)
            bits += 0.0 if release is definitions.among[0] else OLD
            form = "a response" if sized else "a response without its size"
            options = f"--api {schema.message.removesuffix('Response')} --version {api[1]} "
            options += "--frame" if sized else WITHOUT_SIZE
            explain = partial(_alone, WholeFrame(schema, release), data, sized=sized)
            yield BytesReading(schema.message, versions, form, options, bits, is_framed=sized, explain=explain)


@lru_cache(maxsize=4)
def _layouts(
    among: tuple[Release, ...], kinds: tuple[str, ...]
) -> list[tuple[Release, MessageSchema, tuple[int, ...]]]:
    """Return the layouts of all messages of some kinds, by API key, each with its first release and its versions."""
    schemas: dict[tuple[str, int], tuple[Release, MessageSchema]] = {}
    for release in among:
        for definition in map(release.definition, release.messages):
            for version in reversed(list(definition.valid_versions)) if definition.kind in kinds else ():
                if (definition.name, version) not in schemas:
                    schemas[definition.name, version] = release, release.schema(definition.name, version)
    by_layout: dict[tuple[str, object], list[tuple[Release, MessageSchema]]] = {}
    for release, schema in schemas.values():
        by_layout.setdefault((schema.message, schema.struct), []).append((release, schema))
    found = [(*those[0], tuple(schema.version for _, schema in those)) for those in by_layout.values()]
    return sorted(found, key=lambda each: (each[1].api_key is None, each[1].api_key or 0, -each[1].version))


def _streams(definitions: Definitions, data: bytes) -> Iterator[BytesReading]:
    """Yield several frames, of one direction or of both; responses answer requests among them."""
    frames = list(frames_of(data))
    if len(frames) < 2 or sum(map(len, frames)) != len(data):  # noqa: PLR2004  # one is a frame
        return
    found: list[BytesReading] = []
    asked: dict[bytes, tuple[int, int]] = {}
    for frame in frames:
        reading = next(_requests(definitions, frame), None)
        answered = asked.pop(frame[SIZE : 2 * SIZE], None) if reading is None else None
        if reading is not None:
            asked[frame[2 * SIZE : 3 * SIZE]] = request_of(frame)
        else:
            reading = _answer(definitions, frame, answered)
        if reading is None:
            return
        found.append(reading)
    requests = sum(each.form == "a request" for each in found)
    what = " and ".join(
        counted(n, name) for n, name in ((requests, "request"), (len(found) - requests, "response")) if n
    )
    yield BytesReading(
        what, (), "", "", sum(each.bits for each in found), is_framed=True, explain=partial(_explained, found)
    )


def _explained(found: Sequence[BytesReading]) -> list[Explanation]:
    return [explanation for each in found for explanation in each.explain()]


def _answer(definitions: Definitions, frame: bytes, api: tuple[int, int] | None) -> BytesReading | None:
    found = list(responses(definitions, frame))
    if api is not None:
        found = [
            each for each in found if api[1] in each.versions and each.message == f"{definitions.name(api[0])}Response"
        ]
    return min(found, key=lambda each: each.bits, default=None)


def frames_of(data: bytes) -> Iterator[bytes]:
    """Yield the frames that begin at the first byte, each with its size; nothing of one that is cut."""
    at = 0
    while len(data) - at >= SIZE:
        end = at + SIZE + int.from_bytes(data[at : at + SIZE], "big")
        if end > len(data) or end == at + SIZE:
            return
        yield data[at:end]
        at = end


def _batches(definitions: Definitions, data: bytes) -> Iterator[BytesReading]:  # noqa: ARG001  # as the other kinds
    end = next(iter(entry_ends(data)), None)
    if end is not None and end <= len(data) and judge_records(data).reason is None:
        explain = partial(_alone, RecordsField(), data)
        yield BytesReading(TITLE, (), "", "--records", SURE, is_framed=True, explain=explain)


PREFIXED = ("data", "coordinator-key", "coordinator-value")
KINDS_OF_BODIES = ("request", "response", "metadata", *PREFIXED)


def _stored(definitions: Definitions, data: bytes) -> Iterator[BytesReading]:
    release = definitions.among[0]
    names = [name for name in release.messages if release.definition(name).kind in PREFIXED]
    attempts = [partial(decode_record, release), *(partial(decode_prefixed, release, name) for name in names)]
    for attempt in attempts:
        try:
            stored = attempt(data)
        except (CodecError, UnknownMessage):
            continue
        if stored.consumed == len(data):
            schema = stored.schema
            explain = partial(_alone, StoredForm(schema, release), data)
            bits = CHOICE + bits_of(schema.fields, stored.value)
            options = f"{schema.message} {schema.version}"
            yield BytesReading(
                schema.message, (schema.version,), "as it is stored", options, bits, is_framed=False, explain=explain
            )


def bodies(
    definitions: Definitions, data: bytes, among: Callable[[str], bool] = lambda _: True
) -> Iterator[BytesReading]:
    """Yield the bodies of messages that take all bytes, out of those that `among` chooses."""
    for _, schema, versions in _layouts(definitions.among, KINDS_OF_BODIES):
        value = _whole(schema, data) if among(schema.message) else None
        if value is not None:
            explain = partial(_alone, Body(schema), data)
            bits, options = CHOICE + bits_of(schema.fields, value), f"{schema.message} {schema.version}"
            yield BytesReading(schema.message, versions, A_BODY, options, bits, is_framed=False, explain=explain)


def _whole(schema: MessageSchema, data: bytes) -> dict[str, Any] | None:
    reader = Reader(data)
    try:
        value: dict[str, Any] = wire_type_of(schema).read(reader)
    except CodecError:
        return None
    return value if reader.tell() == len(data) else None


_FRAMED = (_batches, _requests, responses, _streams)
_UNFRAMED = (partial(_requests, sized=False), partial(responses, sized=False), _stored, bodies)
"""The kinds of readings, with a size or a CRC and without."""
