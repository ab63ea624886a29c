"""Tells in one paragraph what a run will send to a server, before anything is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.live.server.cleanup import PREFIX
from conformance.live.server.connection import CLIENT_ID
from conformance.live.server.hostile_requests import EVERY, broken_frames
from conformance.live.server.sound_requests import OF_ANY_FORM, OF_MINIMAL_FORM
from conformance.live.server.tiers import RequestForm, Tier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.live.server.black_box import BlackBox, ServerPair


def preface(black_box: BlackBox, pairs: Sequence[ServerPair]) -> str:
    """Return the tier, APIs, counts and bounds of a run on these versions of APIs."""
    permission, definitions = black_box.permission, black_box.server.definitions
    left_out = permission.left_out(definitions.name(api_key) for api_key in black_box.server.announced.ranges)
    apis = sorted({pair.api for pair in pairs})
    sizes = f"; announces sizes up to {permission.largest >> 20} MiB" if permission.largest else ""
    return (
        f"tier {permission.tier}: {permission.tier.about}{sizes}; {_counts(black_box, pairs)}; {_traces(black_box)}; "
        f"client id {CLIENT_ID}, {_pace(black_box)}\n"
        f"{len(apis)} APIs in {len(pairs)} versions: {', '.join(apis)}\n"
        f"{len(left_out)} of its APIs are left out: the summary names them"
    )


def _counts(black_box: BlackBox, pairs: Sequence[ServerPair]) -> str:
    of_any = sum(black_box.permission.form(pair.api) is RequestForm.ANY for pair in pairs)
    sound = of_any * OF_ANY_FORM + (len(pairs) - of_any) * OF_MINIMAL_FORM
    if black_box.permission.tier is not Tier.THROW_AWAY:
        return f"at most {sound:,} sound requests"
    broken = sum(1 for _ in broken_frames(black_box))
    return f"at most {sound:,} sound requests, {of_any * EVERY:,} hostile bodies and {broken:,} broken frames"


def _traces(black_box: BlackBox) -> str:
    if black_box.permission.tier is not Tier.THROW_AWAY:
        return "creates nothing by name"
    if black_box.started is not None:
        return "what it creates goes with the server"
    return f"the names of what it creates begin with {PREFIX}, and it is removed at the end"


def _pace(black_box: BlackBox) -> str:
    budget = black_box.server.budget
    rate = f", at most {budget.rate:g} frames a second" if budget.rate else ""
    end = f", for {budget.seconds / 60:g} minutes at most" if budget.seconds else ""
    return f"one request at a time from each worker{rate}{end}"
