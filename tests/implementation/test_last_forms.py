"""The JSON forms of the contents that were last asked about."""

from __future__ import annotations

from conformance.implementation.targets.body import CONTENTS_KEPT, LastForms
from reference import load_release, minimal, to_json

HEARTBEAT = load_release("4.4.0").schema("HeartbeatRequest", 4)
SYNC_GROUP = load_release("4.4.0").schema("SyncGroupRequest", 5)


def test_the_form_of_a_content_is_made_once() -> None:
    forms, content = LastForms(), minimal(HEARTBEAT)
    assert forms.of(HEARTBEAT, content) is forms.of(HEARTBEAT, content)


def test_an_equal_content_has_a_form_of_its_own() -> None:
    """As 1 and true are equal to Python."""
    forms = LastForms()
    assert forms.of(HEARTBEAT, minimal(HEARTBEAT)) is not forms.of(HEARTBEAT, minimal(HEARTBEAT))


def test_a_content_has_a_form_for_each_message() -> None:
    forms, content = LastForms(), {**minimal(SYNC_GROUP), **minimal(HEARTBEAT)}
    assert forms.of(SYNC_GROUP, content) == to_json(SYNC_GROUP, content)
    assert forms.of(HEARTBEAT, content) == to_json(HEARTBEAT, content)


def test_old_contents_are_forgotten() -> None:
    forms, first = LastForms(), minimal(HEARTBEAT)
    form = forms.of(HEARTBEAT, first)
    others = [minimal(HEARTBEAT) for _ in range(CONTENTS_KEPT)]
    for content in others:
        forms.of(HEARTBEAT, content)
    assert forms.of(HEARTBEAT, first) is not form
