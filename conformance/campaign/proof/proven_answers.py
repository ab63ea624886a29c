"""What a client reads of an answer to ApiVersions, compared with Apache Kafka's client.

The answers are those of brokers that have the version and of others: sound, damaged, cut, with bytes behind them, and
bytes without a meaning.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.proof.proof import Question, read, rejected
from conformance.codec.targets import EVERYTHING, Body
from conformance.generate.drawn_values import sample
from reference import api_schema, encode, judge
from reference.answers import version_of_body
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.campaign.proof.proof import Reply
    from reference import MessageSchema, Release

ANSWERS = 2_000
"""The number of answers that are compared."""

MESSAGE = "ApiVersionsResponse"
CORRELATION_ID = bytes(4)
ERRORS = (0, 35)
LONGEST = 24
"""The bytes of an answer without a meaning, and those behind a sound one, at most."""

COMMON = b"\0\0\0\1\2\x12\x23\x7f\x80\xff"
"""Bytes that answers have more often than others."""


class DrawnAnswer(NamedTuple):
    """A body that a client is given for a request of a version."""

    asked: int
    body: bytes

    @property
    def payload(self) -> bytes:
        """The response without its size."""
        return CORRELATION_ID + self.body


def answer_questions(release: Release, schemas: Sequence[MessageSchema]) -> Iterator[Question]:
    """Yield a question for each of many drawn answers, if the response to ApiVersions is among the schemas."""
    if any(schema.message == MESSAGE for schema in schemas):
        yield from (_question(release, answer) for answer in drawn_answers(release, ANSWERS))


def _question(release: Release, answer: DrawnAnswer) -> Question:
    asked, body = answer
    name = f"answer to ApiVersions-v{asked} {body.hex()}"
    request = {"op": "parse-response", "apiKey": API_VERSIONS, "version": asked, "wire": answer.payload.hex()}
    version = version_of_body(release, API_VERSIONS, asked, body)
    target = Body(api_schema(release, "response", API_VERSIONS, version))
    value = judge(target.schema, body).value
    if value is None:
        return Question("answers not readable", name, request, rejected("neither version can be read"))

    def difference(reply: Reply) -> object:
        return target.difference(EVERYTHING, target.expected(EVERYTHING, value), target.parse(dict(reply)))

    kind = "answers read" if version == asked else "answers read as version 0"
    return Question(kind, name, request, read(difference))


def drawn_answers(release: Release, number: int) -> Iterator[DrawnAnswer]:
    """Yield so many answers, the same for each call."""
    random_source = random.Random(MESSAGE)  # noqa: S311  # no secret
    versions = list(release.definition(MESSAGE).valid_versions)
    for index in range(number):
        body = _WAYS[index % len(_WAYS)](random_source, _sound(release, random_source, f"answer/{index}"))
        yield DrawnAnswer(random_source.choice(versions), body)


def _sound(release: Release, source: random.Random, seed: str) -> bytes:
    """Return a sound body of some version, often a short one."""
    schema = release.schema(MESSAGE, source.choice(list(release.definition(MESSAGE).valid_versions)))
    value = sample(schema, seed)
    if source.random() < 0.5:  # noqa: PLR2004  # every second
        value |= {"ErrorCode": source.choice(ERRORS), "ApiKeys": value["ApiKeys"][: source.randrange(3)]}
    return encode(schema, value)


def _as_it_is(_: random.Random, body: bytes) -> bytes:
    return body


def _damaged(source: random.Random, body: bytes) -> bytes:
    at = source.randrange(len(body))
    return body[:at] + bytes([source.choice(COMMON)]) + body[at + 1 :]


def _cut(source: random.Random, body: bytes) -> bytes:
    return body[: source.randrange(len(body))]


def _lengthened(source: random.Random, body: bytes) -> bytes:
    return body + source.randbytes(source.randint(1, LONGEST))


def _any(source: random.Random, _: bytes) -> bytes:
    return source.randbytes(source.randrange(LONGEST))


def _likely(source: random.Random, _: bytes) -> bytes:
    return bytes(source.choices(COMMON, k=source.randrange(LONGEST)))


_WAYS: tuple[Callable[[random.Random, bytes], bytes], ...] = (_as_it_is, _damaged, _cut, _lengthened, _any, _likely)
