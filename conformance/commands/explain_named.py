"""The explanation of bytes whose message or API is named, as a body, a stored message, a request or a response."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from conformance.commands.explain_guesses import named_bytes, note_readings
from conformance.report.explain.explained_targets import explain_target
from conformance.report.explain.plausibility import chance_bits
from conformance.report.explain.readings import MARGIN, BytesReading, bodies, is_sure, readings, responses
from conformance.system.terminal import echo
from conformance.targets import Body, StoredForm
from reference import (
    CodecError,
    Release,
    Result,
    UnknownMessage,
    UnsupportedApi,
    decode_prefixed,
    decode_record_leniently,
    judge,
    minimal,
)
from reference.explained.frames import SIZE, explain_frame, explain_response, request_of
from reference.inputs.errors import BadInput
from reference.suggestions import suggestion

if TYPE_CHECKING:
    from conformance.definitions.defining_releases import Definitions
    from reference import MessageSchema
    from reference.explained.explanation import Explanation


def explain_named(definitions: Definitions, message: str, version: int, text: str) -> Explanation:
    """Return the explanation of the bytes of a message, after notes on what else they may be.

    The text of no bytes raises `click.BadParameter`, a message or version of no release `UnknownMessage`.
    """
    release, schema = _schema(definitions, message, version)
    try:
        data = named_bytes(text, partial(_is_valid, schema))
    except (ValueError, BadInput) as error:
        raise click.BadParameter(str(error), param_hint="BYTES") from error
    if _is_valid(schema, data):
        return explain_target(Body(schema), data)
    if (stored := _stored(release, schema, data)) is not None:
        echo(f"note: taken for {stored.message} v{stored.version} with its prefix, as it is stored", err=True)
        return explain_target(StoredForm(stored, release), data)
    note_readings(_better(definitions, schema, data))
    return explain_target(Body(schema), data)


def _is_valid(schema: MessageSchema, data: bytes) -> bool:
    return judge(schema, data).result == Result.VALID


def _schema(definitions: Definitions, message: str, version: int) -> tuple[Release, MessageSchema]:
    first = definitions.among[0]
    name = next((name for name in first.messages if name.lower() == message.lower()), message)
    for release in definitions.among:
        try:
            schema = release.schema(name, version)
        except UnknownMessage:
            continue
        if release is not first:
            echo(f"note: {first.title} has no {name} v{version}; {release.title} is the newest that has it", err=True)
        return release, schema
    # The error is about the first release.
    return first, first.schema(name, version)


def _stored(release: Release, schema: MessageSchema, data: bytes) -> MessageSchema | None:
    try:
        if schema.stored_form == "record":
            return decode_record_leniently(release, data, source=release.source(schema.message)).schema
        if schema.stored_form == "prefixed":
            return decode_prefixed(release, schema.message, data).schema
    except (CodecError, UnknownMessage):
        prefix = StoredForm(schema, release).write(minimal(schema))[:2]
        is_prefix = schema.stored_form == "prefixed" and data[:2] == prefix
        return schema if is_prefix else None
    return None


def _better(definitions: Definitions, schema: MessageSchema, data: bytes) -> list[BytesReading]:
    base = schema.message.removesuffix("Request").removesuffix("Response")
    names = {schema.message, f"{base}Request", f"{base}Response"}
    found = [*readings(definitions, data), *bodies(definitions, data, names.__contains__)]
    likely = {str(each): each for each in found if each.bits < chance_bits(data) - MARGIN / 2}
    ranked = sorted(likely.values(), key=lambda each: (each.message not in names, each.bits))
    return ranked[:1] if is_sure(ranked, data) else ranked


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
