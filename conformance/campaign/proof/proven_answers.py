"""Answers to ApiVersions compared with Apache Kafka's client.

They are answers of brokers with and without the requested version. They are valid, damaged, cut, with bytes after them,
or random bytes.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.proof.proof import Question, rejected
from conformance.campaign.proof.proven_targets import read_as
from conformance.generate.drawn_values import sample
from conformance.targets import Body
from reference import api_schema, encode, judge
from reference.answers import version_of_body
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reference import MessageSchema, Release

ANSWERS = 2_000

MESSAGE = "ApiVersionsResponse"
CORRELATION_ID = bytes(4)
ERRORS = (0, 35)
LONGEST = 24
"""The most random bytes, in place of an answer or after a valid one."""

COMMON = b"\0\0\0\1\2\x12\x23\x7f\x80\xff"
"""Bytes more frequent in answers than others."""


class DrawnAnswer(NamedTuple):
    """A body that a client gets for a request of a version."""

    asked: int
    body: bytes

    @property
    def payload(self) -> bytes:
        """The response without its size."""
        return CORRELATION_ID + self.body


def answer_questions(release: Release, schemas: Sequence[MessageSchema]) -> Iterator[Question]:
    """Yield a question for each drawn answer, if `schemas` has ApiVersions' response."""
    if any(schema.message == MESSAGE for schema in schemas):
        yield from (_question(release, answer) for answer in drawn_answers(release, ANSWERS))


def _question(release: Release, answer: DrawnAnswer) -> Question:
    requested, body = answer
    name = f"answer to ApiVersions-v{requested} {body.hex()}"
    request = {"op": "parse-response", "apiKey": API_VERSIONS, "version": requested, "wire": answer.payload.hex()}
    version = version_of_body(release, API_VERSIONS, requested, body)
    target = Body(api_schema(release, "response", API_VERSIONS, version))
    value = judge(target.schema, body).value
    if value is None:
        return Question("answers not readable", name, request, rejected("neither version can be read"))
    kind = "answers read" if version == requested else "answers read as version 0"
    return Question(kind, name, request, read_as(target, value, {}))


def drawn_answers(release: Release, number: int) -> Iterator[DrawnAnswer]:
    """Yield a number of answers, the same ones at each call."""
    random_source = random.Random(MESSAGE)  # noqa: S311  # no secret
    versions = list(release.definition(MESSAGE).valid_versions)
    for index in range(number):
        body = _WAYS[index % len(_WAYS)](random_source, _sound(release, random_source, f"answer/{index}"))
        yield DrawnAnswer(random_source.choice(versions), body)


def _sound(release: Release, source: random.Random, seed: str) -> bytes:
    """Return a valid body of a random version, often a short one."""
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
