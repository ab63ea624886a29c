"""The page of campaigns has a chart of each implementation, and a table with the same facts."""

import dataclasses

from syrupy.assertion import SnapshotAssertion

from conformance.report.changes import Trend
from conformance.report.site.campaign_pages import MAXIMUM_POINTS, chart_of
from tests.helpers.releases import NEWEST
from tests.report.site.examples import codec, server, site_of, trend
from tests.report.site.reading_pages import Element

PAGE = "campaigns.html"


def page_of_trends() -> Element:
    return site_of(codec(), trends=(trend("other", 2), trend())).pages[PAGE]


def test_a_chart_has_a_point_for_each_campaign() -> None:
    """Zero stands at the bottom, the highest number at the top."""
    chart = chart_of([4, 0, 7])
    assert [point.value for point in chart.points] == [4, 0, 7]
    assert [point.y for point in chart.points][1:] == [chart.bottom, chart.top]
    assert [point.x for point in chart.points][::2] == [chart.left, chart.right]


def test_a_chart_of_nothing_found_has_a_scale() -> None:
    chart = chart_of([0, 0])
    assert (chart.highest, {point.y for point in chart.points}) == (1, {chart.bottom})


def test_one_campaign_stands_in_the_middle() -> None:
    [point] = chart_of([3]).points
    assert point.x == (chart_of([]).left + chart_of([]).right) / 2


def test_of_very_many_campaigns_the_last_ones_are_drawn() -> None:
    chart = chart_of(list(range(2 * MAXIMUM_POINTS)))
    assert [chart.points[0].value, chart.points[-1].value] == [MAXIMUM_POINTS, 2 * MAXIMUM_POINTS - 1]


def test_the_table_has_every_number_of_the_chart() -> None:
    [section, _] = page_of_trends().all("section")
    rows = [[each.text for each in (*row.all("th"), *row.all("td"))] for row in section.one("tbody").all("tr")]
    assert rows == [
        ["2026-01-03 03:00", "1", "7", "7", "0", "3,000", "12"],
        ["2026-01-02 03:00", "1", "0", "0", "4", "2,000", "12"],
        ["2026-01-01 03:00", "1", "4", "first", "first", "1,000", "unknown"],
    ]


def test_chart_marks_another_version_of_the_implementation() -> None:
    campaigns = [dataclasses.replace(each, version=v) for each, v in zip(trend().campaigns, "112", strict=True)]
    chart = site_of(codec(), trends=(Trend("honest", tuple(campaigns)),)).pages[PAGE].one("svg")
    assert len(chart.all("line", class_="version")) == 1
    assert "2" in [each.text for each in chart.all("text")]


def test_chart_has_a_description(snapshot: SnapshotAssertion) -> None:
    titles = [each.attributes["aria-label"] for each in page_of_trends().all("svg", role="img")]
    assert titles[0] == snapshot


def test_a_run_leads_to_the_campaigns_of_its_implementation() -> None:
    site = site_of(codec(), server(), trends=(trend(),))
    [name] = [name for name, text in site.files.items() if f"{PAGE}#i-" in text]
    assert name == f"runs/honest-1-{NEWEST}.html"
    assert any(target.startswith(f"{PAGE}#i-") for target in site.targets(name))


def test_site_without_campaigns_has_no_page_and_no_link_for_them() -> None:
    site = site_of(codec())
    assert PAGE not in site.files
    assert not [name for name, text in site.files.items() if PAGE in text]
