"""What each byte of a frame of a capture is: of a response, by the request that it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.explaining.explanation import NOT_READ, Explanation, Part, not_judged
from conformance.explaining.frames import explain_frame, explain_header, explain_response
from reference import load_release, newest_release

if TYPE_CHECKING:
    from conformance.live.traffic.conversation import Seen


def explanation_of(seen: Seen) -> Explanation:
    """Return what each byte of a frame is; of one that nobody can read, why."""
    judged, payload = seen.judged, seen.frame.payload
    if judged is not None and judged.release is None and judged.api_key >= 0:
        api = judged.api_key, judged.version
        return explain_header(load_release(newest_release()), judged.direction, api, payload, judged.unknown)
    if judged is None or judged.release is None or seen.unknown:
        part = Part(0, len(payload), "", "", NOT_READ)
        return Explanation(str(seen), payload, (part,) if payload else (), not_judged(seen.unknown or "no frame"))
    if judged.direction == "request":
        return explain_frame(judged.release, payload, sized=False)
    return explain_response(judged.release, judged.api_key, judged.version, payload, sized=False)
