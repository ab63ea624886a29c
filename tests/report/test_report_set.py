import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.report.report_set import SameRun, report_set_of, slug_of
from tests.helpers.releases import NEWEST, OLDEST
from tests.report.lines import report_of


def test_reports_are_in_order_of_kind_name_and_newest_release() -> None:
    """The order of the arguments makes no difference."""
    runs = [
        report_of(kind="server", source="kfake.jsonl"),
        report_of(implementation="kio", release=OLDEST, source="kio.jsonl"),
        report_of(implementation="Aiokafka", source=f"aiokafka-{NEWEST}.jsonl"),
        report_of(implementation="kio", release=NEWEST, source="kio.jsonl"),
    ]
    shelf = report_set_of(runs)
    assert [each.slug for each in shelf.placed] == [
        f"aiokafka-1-{NEWEST}",
        f"kio-1-{NEWEST}",
        f"kio-1-{OLDEST}",
        f"kfake-{NEWEST}",
    ]
    assert shelf.releases == (NEWEST, OLDEST)


def test_release_has_its_missing_runs() -> None:
    shelf = report_set_of([report_of(implementation="kio", release=OLDEST), report_of()])
    assert shelf.elsewhere(OLDEST) == ("honest 1",)


def test_two_reports_of_one_run_are_distinguished_by_their_files() -> None:
    shelf = report_set_of([report_of(source="quick.jsonl"), report_of(source="full.jsonl")])
    assert [each.title for each in shelf.placed] == ["honest 1 (full)", "honest 1 (quick)"]


def test_two_reports_of_the_same_run_are_refused(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(SameRun) as caught:
        report_set_of([report_of(), report_of()])
    assert str(caught.value).replace(NEWEST, "RELEASE") == snapshot


def test_address_of_a_run_does_not_depend_on_other_reports() -> None:
    one, other = report_of(source="quick.jsonl"), report_of(source="honest.jsonl")
    alone = [report_set_of([run]).placed[0].slug for run in (one, other)]
    assert alone == [f"honest-1-{NEWEST}-quick", f"honest-1-{NEWEST}"]
    assert {each.slug for each in report_set_of([one, other]).placed} == set(alone)


@pytest.mark.parametrize("name", ["", "..", "../../etc", "a/b", "a\\b", "<script>", "ü", "x" * 300, "CON: \x00"])
def test_a_name_for_addresses_has_safe_characters(name: str) -> None:
    slug = slug_of(name)
    assert set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-")
    assert slug.strip(".-") == slug != ""
    assert len(slug) < 80


def test_different_names_have_different_addresses() -> None:
    names = ["a b", "a/b", "a-b!", "A b!", "é", "è", "x" * 100, "x" * 101]
    assert len({slug_of(name) for name in names}) == len(names)
