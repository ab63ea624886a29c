"""The explanation of one frame, a request or the response to one, for `kafka-conformance explain`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from conformance.commands.explain_guesses import note_readings
from conformance.report.explain.readings import readings, responses
from conformance.system.terminal import echo
from reference import Result, UnsupportedApi
from reference.explained.frames import SIZE, explain_frame, explain_response, request_of
from reference.suggestions import suggestion

if TYPE_CHECKING:
    from conformance.definitions.defining_releases import Definitions
    from reference import Release
    from reference.explained.explanation import Explanation


@dataclass(frozen=True)
class AnsweredRequest:
    """The request of a response, with its API by name or key. Each is None if the frame is a request itself."""

    request: bytes | None = None
    api: str | None = None
    version: int | None = None


def framed(definitions: Definitions, frame: bytes, answered: AnsweredRequest, *, sized: bool) -> Explanation:
    """Return the explanation of a request, or of the response to one.

    Raises:
        click.UsageError: the options name the request of a response in no way, or in two.
        UnsupportedApi: no release has the API, or the version.
        NoFrame: a request is too short for an API key and a version.
    """
    if answered == AnsweredRequest():
        return _request(definitions, frame, sized=sized)
    if answered.request is not None and answered == AnsweredRequest(answered.request):
        api = request_of(answered.request, sized=sized)
        release = definitions.release_of_answer(*api) or _release(definitions, api, answered.request, sized=sized)
    elif answered.request is None and answered.api is not None and answered.version is not None:
        api = api_key_of(definitions, answered.api), answered.version
        release = definitions.release_of_answer(*api) or _release(definitions, api, b"", sized=False)
    elif answered.request is None and answered.api is not None:
        return _response(definitions, frame, api_key_of(definitions, answered.api), sized=sized)
    else:
        raise click.UsageError("a response is explained with --response-to, or with --api and perhaps --version")
    return explain_response(release, *api, frame, sized=sized)


def _request(definitions: Definitions, frame: bytes, *, sized: bool) -> Explanation:
    try:
        api = request_of(frame, sized=sized)
        explanation = explain_frame(_release(definitions, api, frame, sized=sized), frame, sized=sized)
    except UnsupportedApi:
        note_readings(readings(definitions, frame))
        raise
    if explanation.verdict.result != Result.VALID:
        note_readings(readings(definitions, frame))
    return explanation


def _response(definitions: Definitions, frame: bytes, api_key: int, *, sized: bool) -> Explanation:
    """Explain a response in the likeliest of the versions that read all bytes."""
    name = f"{definitions.name(api_key)}Response"
    found = [each for each in responses(definitions, frame, sized=sized) if each.message == name]
    if not found:
        raise click.UsageError(f"no version of {name} reads all bytes: name the one to explain them by (--version)")
    first = min(found, key=lambda each: each.bits)
    for each in found:
        echo(f"note: {'taken for' if each is first else 'also read as'} {each}", err=True)
    [explanation] = first.explain()
    return explanation


def _release(definitions: Definitions, api: tuple[int, int], request: bytes, *, sized: bool) -> Release:
    try:
        return definitions.release_that_has(*api)
    except UnsupportedApi as error:
        size = int.from_bytes(request[:SIZE], "big", signed=True)
        if sized and size != len(request) - SIZE:
            hint = f"{error.hint}. Its first four bytes, {size}, are not its size: is it without one (--without-size)?"
            raise UnsupportedApi(definitions.among[0], *api, hint) from error
        raise


def api_key_of(definitions: Definitions, name: str) -> int:
    """Return the key of an API by its name, like `Metadata`, or the key itself, or raise `click.BadParameter`."""
    if name.isdecimal():
        return int(name)
    keys = definitions.keys()
    short = name.removesuffix("Request").removesuffix("Response")
    if short not in keys:
        hint = suggestion(short, keys, "name it as Metadata, or by its key, as 3")
        raise click.BadParameter(f"no release has an API {name!r}; {hint}", param_hint="--api")
    return keys[short]
