import json
import re

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.report.facts import RunReport
from conformance.report.files.badges import GREEN, GREY, RED, YELLOW, BadgeClash, badge_of, badges
from tests.helpers.releases import NEWEST
from tests.report.files.samples import COUNTS, SHOULD, broken, clean, hostile, known, parsed
from tests.report.lines import report_of

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("report", "message", "color"),
    [
        (broken(), "2 causes (2 findings), 1 known", RED),
        (known(), "1 cause (1 finding), all known", RED),
        (report_of(COUNTS, SHOULD), "1 cause (1 finding), all known", YELLOW),
        (clean(), "no findings", GREEN),
        (report_of(), "not tested", GREY),
        (hostile(), "the run failed", GREY),
    ],
)
def test_badge_shows_the_most_severe_state(report: RunReport, message: str, color: str) -> None:
    badge = badge_of(report)
    assert (badge.message, badge.color) == (message, color)


def test_each_run_has_a_picture_and_an_endpoint() -> None:
    texts = badges([clean("kio"), known("kafka-python")])
    assert list(texts) == [
        f"kio-{NEWEST}.json",
        f"kio-{NEWEST}.svg",
        f"kafka-python-{NEWEST}.json",
        f"kafka-python-{NEWEST}.svg",
    ]
    assert json.loads(texts[f"kio-{NEWEST}.json"]) == {
        "schemaVersion": 1,
        "label": f"kio · Kafka {NEWEST}",
        "message": "no findings",
        "color": "1a7f37",
    }


def test_picture_has_the_text_of_the_endpoint() -> None:
    picture = parsed(badges([broken("kio")])[f"kio-{NEWEST}.svg"])
    assert [text.text for text in picture.iter(f"{SVG}text")] == list(badge_of(broken("kio"))[:2])
    assert picture.get("aria-label") == ": ".join(badge_of(broken("kio"))[:2])


def test_names_stay_text() -> None:
    """A picture has no element from an implementation, and files have plain names."""
    texts = badges([hostile()])
    assert all(re.fullmatch(r"[\w.-]+", name, re.ASCII) for name in texts)
    picture = parsed(next(text for name, text in texts.items() if name.endswith(".svg")))
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} == {
        "svg",
        "title",
        "rect",
        "path",
        "g",
        "text",
    }


def test_two_reports_of_one_implementation_and_release_are_refused(snapshot: SnapshotAssertion) -> None:
    one, other = report_of(source="a.jsonl"), report_of(source="b.jsonl", implementation_version="2")
    with pytest.raises(BadgeClash) as caught:
        badges([one, other])
    assert str(caught.value).replace(NEWEST, "RELEASE") == snapshot


@pytest.mark.parametrize("color", [RED, YELLOW, GREEN, GREY])
def test_white_text_can_be_read_on_every_colour(color: str) -> None:
    """WCAG 2 asks for a contrast of 4.5 at level AA."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    assert 1.05 / (luminance + 0.05) >= 4.5
