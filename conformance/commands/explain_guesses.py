"""The explanation of one thing that the command line does not say the kind of.

It is a file, standard input, or a text of bytes. Its reading has a verdict if no other one is nearly as likely.
"""

from __future__ import annotations

import re
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.live.capture.packet_segments import ETHERNET, BadPackets, Packet, Segments
from conformance.live.capture.pairing import HEAD, SIZE
from conformance.report.explain.plausibility import chance_bits
from conformance.report.explain.readings import BytesReading, is_sure, readings
from conformance.report.words import counted
from conformance.system.terminal import echo
from reference.explained.explanation import Explanation, not_judged
from reference.explained.frames import NoFrame, explain_frame, request_of
from reference.explained.records import explain_records
from reference.inputs.byte_texts import BASE64, BytesText, byte_texts
from reference.inputs.files import read_bytes
from reference.records.layouts import MAGIC_AT
from reference.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.definitions.defining_releases import Definitions

STANDARD_INPUT, FILE_MARK = "-", "@"
MOST_READINGS = 8
"""The number of readings that are listed."""

TEXT_SAMPLE = 65_536


class NotKafka(click.ClickException):
    """Nothing in an input can be explained as Kafka's bytes."""


@dataclass(frozen=True)
class GivenBytes:
    """The given bytes, with their readings, and a `word` for the same bytes on the command line.

    `name` is that of the file, or "" for a word of the command line. The reading of a file of bytes has the form "".
    """

    name: str
    word: str
    texts: tuple[BytesText, ...]


def bytes_given(word: str) -> GivenBytes:
    """Return the bytes of a word of the command line, of `@FILE`, or of standard input (`-`).

    Raises:
        ValueError: the word, or the text of the file, is no text of bytes. The message says what is wrong.
        BadInput: the file is no regular file, or too large.
        OSError: the file cannot be read.
    """
    if word == STANDARD_INPUT:
        return content_given(sys.stdin.buffer.read(), "standard input", STANDARD_INPUT)
    if word.startswith(FILE_MARK):
        path = Path(word.removeprefix(FILE_MARK))
        return content_given(read_bytes(path), str(path), word)
    return GivenBytes("", BYTES, _texts(word, repr(f"{word:.40}…" if len(word) > 40 else word)))  # noqa: PLR2004  # enough to know it


BYTES = "BYTES"
"""The place of bytes in a command that has no word for them."""


def content_given(content: bytes, name: str, word: str) -> GivenBytes:
    """Return the bytes of a file or of its text, or raise `ValueError` for a text without bytes."""
    text = text_of(content)
    return GivenBytes(name, word, (BytesText("", (content,)),) if text is None else _texts(text, name))


def text_of(content: bytes) -> str | None:
    """Return the text of bytes in UTF-8, or UTF-16 with a byte order mark, or None if they are none."""
    is_wide = content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if not text.strip() or _CONTROL.search(text, 0, TEXT_SAMPLE) else text


_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
"""The characters that no text has."""


def _texts(text: str, name: str) -> tuple[BytesText, ...]:
    other = next((what for form, what in _OTHERS if re.search(form, text[:TEXT_SAMPLE])), None)
    found = byte_texts(text) if other is None else []
    if whole := tuple(each for each in found if each.pieces):
        return (*whole, *(packets for each in whole if (packets := _payloads(each)) is not None))
    why = other or (found[0].note if found else NO_BYTES)
    raise ValueError(
        f"{name} is no bytes: {why}. A file is named as {FILE_MARK}FILE, standard input as {STANDARD_INPUT}"
    )


NO_BYTES = "a text without bytes in a known form: hex digits, a dump, a literal, a list, base64"
_OTHERS = (
    (r"<pdml", "tshark's XML, which is not read: write the packets by -T json, or by -w"),
    (
        r"(?m)^ *+\d++ [^\n→]*→[^\n]* TCP |^Frame \d++: ",
        "tshark's text without payloads: use -w, -T json or -x",
    ),
)
"""Texts that are known, and have no bytes."""


def _payloads(text: BytesText) -> BytesText | None:
    packets = [Packet(float(number), ETHERNET, piece) for number, piece in enumerate(text.pieces)]
    try:
        found = tuple(segment.data for segment in Segments().of(packets) if segment.data)
    except BadPackets:  # the library for packets is not installed
        return None
    return BytesText(f"the packets in {text.form}", found) if found else None


def named_bytes(word: str, fits: Callable[[bytes], bool]) -> bytes:
    """Return the bytes of a word whose kind is named, in the first fitting reading. Errors are as in `bytes_given`."""
    texts = bytes_given(word).texts
    return next((each.data for each in texts if len(texts) > 1 and fits(each.data)), texts[0].data)


@dataclass(frozen=True)
class Guess:
    """The read text of a given thing, and the readings of its bytes, the likeliest first."""

    taken: BytesText
    found: tuple[BytesReading, ...]


def guess_of(definitions: Definitions, given: GivenBytes) -> Guess:
    """Return the likeliest guess about a thing, over all readings of its text."""
    guesses = [Guess(text, tuple(readings(definitions, text.data))) for text in given.texts]
    return min(guesses, key=lambda each: each.found[0].bits - chance_bits(each.taken.data) if each.found else 0.0)


def explanations_of(
    definitions: Definitions, given: GivenBytes, say: Callable[[str], None] = echo
) -> Iterator[Explanation]:
    """Name a thing by `say`, and yield its explanations, with a verdict if it is sure, or raise `NotKafka`."""
    guess = guess_of(definitions, given)
    form = f", from {guess.taken.form}" if guess.taken.form else ""
    if guess.found and is_sure(guess.found, guess.taken.data):
        first = guess.found[0]
        how = f" (the same as: explain {first.options} {given.word})" if first.options else ""
        say(f"taken for: {first}{form}{how}\n")
        yield from first.explain()
    elif guess.found:
        say(f"{len(guess.taken.data):,} bytes{form}, which {counted(len(guess.found), 'reading')} take as a whole:")
        _list(guess.found, given.word, say)
        why = f"the first of {len(guess.found)} readings; say which one it is for a verdict"
        yield from (replace(each, verdict=not_judged(why)) for each in guess.found[0].explain())
    else:
        yield _nearest(definitions, guess.taken, form, given.name or "these bytes", say)


def note_readings(found: Sequence[BytesReading]) -> None:
    """Say on standard error what bytes may be that are not what they are said to be."""
    for each in found[:MOST_NOTES]:
        echo(f"note: all bytes are read as {each}: explain {each.options} {BYTES}", err=True)


MOST_NOTES = 3


def _list(found: Sequence[BytesReading], word: str, say: Callable[[str], None]) -> None:
    for each in found[:MOST_READINGS]:
        say(f"  {each}: explain {each.options} {word}" if each.options else f"  {each}")
    say(f"  and {len(found) - MOST_READINGS} more\n" if len(found) > MOST_READINGS else "")


def _nearest(
    definitions: Definitions, text: BytesText, form: str, name: str, say: Callable[[str], None]
) -> Explanation:
    for what, explain in _beginnings(definitions, text.data):
        explanation = explain()
        verdict = explanation.verdict
        say(f"no reading takes all {counted(len(text.data), 'byte')}{form}; the nearest one is {what}\n")
        stop = "" if verdict.offset is None else f"; it ends at byte {verdict.offset} ({verdict.reason})"
        return replace(explanation, verdict=not_judged(f"a guess{stop}"))
    raise NotKafka(
        f"{name}: not Kafka: {counted(len(text.data), 'byte')}{form} that are no request, response, record batch or "
        "stored message as a whole; name the message and its version for a body: explain MESSAGE VERSION BYTES; "
        "the API and its version for a response: explain --api API --version VERSION --frame BYTES"
    )


def _beginnings(definitions: Definitions, data: bytes) -> Iterator[tuple[str, Callable[[], Explanation]]]:
    for sized in (True, False):
        try:
            api = request_of(data, sized=sized)
        except NoFrame:
            continue
        release = definitions.release_of(*api)
        size_fits = not sized or HEAD <= int.from_bytes(data[:SIZE], "big", signed=True) <= 2 * len(data)
        if release is not None and size_fits and (sized or api != (0, 0)):
            option = "--frame" if sized else "--without-size --frame"
            what = f"a request, {definitions.name(api[0])} v{api[1]} (explain {option} for a verdict)"
            yield what, partial(explain_frame, release, data, sized=sized)
    if len(data) > MAGIC_AT and data[MAGIC_AT] == 2:  # noqa: PLR2004  # the only magic of batches
        yield "record batches (explain --records for a verdict)", partial(explain_records, data)


def is_of_bytes(given: GivenBytes) -> bool:
    """Return whether a word is a text of bytes, in another form than base64 alone, which many words are."""
    return any(not each.form.startswith(BASE64) for each in given.texts)


def no_such_thing(word: str, names: Sequence[str]) -> str:
    """Return the text of an error for a word that is no file, no bytes, and no message with its version."""
    message = next((name for name in names if name.lower() == word.lower()), None)
    if message is not None:
        return f"{message} is a message: explain {message} VERSION BYTES"
    if re.search(r"[/\\]|\.[a-z]{2,10}$", word):
        return f"there is no file {word[:200]!r}"
    hint = suggestion(word, names, "a message is named as MESSAGE VERSION BYTES")
    return f"{word[:60]!r} is neither a file nor bytes; {hint}"
