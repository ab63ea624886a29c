"""Finds the sizes accepted by a server, of tags in a section, bytes of a tag, and bytes of a frame.

Requests of ApiVersions grow up to beyond the server's declared limits. A refusal beyond a limit is legal.
"""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from conformance.generate.sized_values import sized_values
from conformance.generate.sizes import FRAME_BYTES, TAG_BYTES
from conformance.judge.case import Judged
from conformance.judge.checks.size_cases import RULE, events_of_search
from conformance.judge.count_lines import Inconclusive
from conformance.judge.events import Expected, number
from conformance.live.server.connection import SIZE, EncodedRequest, Reply, request
from conformance.live.server.exchanges import ExchangeCase
from conformance.live.server.hostile_requests import is_error
from conformance.live.server.survival import check_survival, started_again
from conformance.targets import Blame
from conformance.targets.declared_limits import OF_SERVERS
from reference import api_schema
from reference.definitions.header_versions import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.judge.case import Event, Violation
    from conformance.live.server.black_box import BlackBox
    from reference import Release

CATEGORY = "requests at limits"
NAMED = {"ClientSoftwareName": "kafka-wire-conformance", "ClientSoftwareVersion": "1"}
FIRST_CORRELATION_ID = 6_000


def check_limits(black_box: BlackBox) -> Iterator[Event]:
    """Check each limit on a server with tagged fields in a version of ApiVersions."""
    definitions = black_box.server.definitions
    for version in sorted(black_box.server.announced.ranges.get(API_VERSIONS, ()), reverse=True):
        release = definitions.release_of(API_VERSIONS, version)
        if release is not None and api_schema(release, "request", API_VERSIONS, version).flexible:
            numbers = count(FIRST_CORRELATION_ID)
            for name in OF_SERVERS:
                yield from started_again(black_box, _check(_Asker(black_box, release, version, numbers), name))
            return


class _Asker:
    def __init__(self, black_box: BlackBox, release: Release, version: int, numbers: Iterator[int]) -> None:
        self.black_box, self.release, self.version = black_box, release, version
        self.schema = api_schema(release, "request", API_VERSIONS, version)
        self._numbers = numbers

    def case(self, name: str, size: int) -> ExchangeCase:
        asked = self._of_frame(size) if name == FRAME_BYTES else self._asked(sized_values(self.schema)[name](size))
        return ExchangeCase(self.schema, self.release, f"limit-{name}-{size}", (asked.wire,))

    def _of_frame(self, size: int) -> EncodedRequest:
        """Return a request with a frame of a number of bytes, without its size."""
        with_tag = sized_values(self.schema)[TAG_BYTES]
        around = len(self._asked(with_tag(size)).wire) - SIZE.size - size
        return self._asked(with_tag(size - around))

    def _asked(self, value: dict[str, Any]) -> EncodedRequest:
        return request(self.release, API_VERSIONS, self.version, next(self._numbers), {**value, **NAMED})

    def reply(self, case: ExchangeCase) -> Reply:
        [frame] = case.frames
        blame, expected = Blame(RULE), number(Expected.RESPONSE, self.version)
        return self.black_box.surely(
            partial(self.black_box.requester.alone, frame), lambda reply: case.silences(blame, reply, expected)
        )

    def is_taken(self, reply: Reply) -> bool:
        return reply.is_frame and not is_error(self.black_box.server.definitions, API_VERSIONS, self.version, reply)


def _check(asker: _Asker, name: str) -> Iterator[Event]:
    search, tried = asker.black_box.permission.limits.search(name), 0
    refusals: dict[int, Violation] = {}
    while (size := search.next_size) is not None:
        case = asker.case(name, size)
        reply = asker.reply(case)
        is_taken = asker.is_taken(reply)
        search.note(size, is_taken=is_taken)
        tried += 1
        if not is_taken:
            refusals[size] = case.unanswered(Blame(RULE), reply, number(Expected.RESPONSE, asker.version))
            yield from check_survival(asker.black_box, case)
        asker.black_box.requester.note_answer()
    if not search.has_begun:
        yield Inconclusive(CATEGORY, str(asker.schema), tried)
        return
    yield Judged(CATEGORY, tried)
    yield from events_of_search(search)
    if search.is_within:
        yield refusals[search.refused or 0]
