"""Sweeps leave out no form of field, and no schema for longer than the shares take to go round."""

import os
from collections.abc import Iterable, Iterator

import pytest

from reference import FieldSchema, MessageSchema, load_release, proposals, releases
from tests.helpers.releases import BASE, NEWEST
from tests.helpers.sweeps import (
    ALL,
    QUARTERS,
    SHARES,
    SWEEP,
    Forms,
    covering,
    described_share,
    every_form,
    fix_share,
    swept,
    swept_numbers,
    swept_one,
    wire_forms,
)

NAMES = (*releases(), *proposals())
Form = tuple[object, ...]


def forms(schemas: Iterable[MessageSchema]) -> set[Form]:
    """Type, element, compact, nullable, tagged and depth of each field, and the kind of the message, by dialect."""
    return {(schema.dialect, *form) for schema in schemas for form in _forms_of(schema)}


def _forms_of(schema: MessageSchema) -> Iterator[Form]:
    yield schema.kind, schema.flexible
    yield from _forms(schema.fields, 0)


def _forms(fields: Iterable[FieldSchema], depth: int) -> Iterator[Form]:
    for field in fields:
        yield field.type, field.element and field.element.type, field.compact, field.nullable, field.tag is None, depth
        yield field.item.encoding, field.map_key
        yield from _forms(field.item.fields, depth + 1)


def schemas_of(*names: str) -> list[MessageSchema]:
    return [schema for name in names for schema in load_release(name).schemas()]


@pytest.mark.parametrize("names", [*((name,) for name in NAMES), NAMES], ids="+".join)
def test_covering_schemas_have_every_form_of_the_releases_and_proposals(names: tuple[str, ...]) -> None:
    chosen = covering(schemas_of(*names), every_form)
    assert forms(chosen) == forms(schemas_of(*names))
    assert len(chosen) <= max(len(schemas_of(*names)) / 2, 8)


def test_a_tenth_of_the_schemas_does_not_have_every_form() -> None:
    """Otherwise the forms would be too coarse to choose by."""
    whole = schemas_of(NEWEST)
    assert forms(whole[::10]) < forms(whole)
    assert len(forms(whole)) > 100


@pytest.mark.parametrize("forms_of", [every_form, wire_forms])
def test_shares_together_have_all_schemas(monkeypatch: pytest.MonkeyPatch, forms_of: Forms) -> None:
    """The covering schemas are in each share, and each of the others is in one."""
    whole, shares = schemas_of(BASE), []
    for number in range(SHARES):
        monkeypatch.setenv(SWEEP, str(number))
        shares.append(swept(BASE, forms_of=forms_of))
    always = set(covering(whole, forms_of))
    assert set().union(*shares) == set(whole)
    assert sum(map(len, shares)) == SHARES * len(always) + len(whole) - len(always)
    assert all(always <= set(share) for share in shares)


def test_one_run_can_try_all_schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWEEP, ALL)
    assert len(swept(BASE)) == len(schemas_of(BASE))
    assert swept_numbers(10) == range(10)
    assert swept_one("abc") == "abc"
    assert described_share() == "all schemas"


def test_numbers_of_drawn_examples_are_quartered(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []
    for number in range(QUARTERS):
        monkeypatch.setenv(SWEEP, str(number))
        found += swept_numbers(30)
    assert sorted(found) == [*range(30)]


def test_each_choice_has_its_day(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    for number in range(SHARES):
        monkeypatch.setenv(SWEEP, str(number))
        found += swept_one("abcdef")
    assert len(found) == SHARES
    assert set(found) == set("abcdef")


def test_equal_schemas_of_several_releases_are_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWEEP, ALL)
    found = swept(*releases())
    assert len(found) == len(set(found)) < len(schemas_of(*releases()))


def test_named_share_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers inherit the share of their parent, and so do runs that repeat one."""
    monkeypatch.setenv(SWEEP, "7")
    fix_share()
    assert described_share().endswith(f"share 7 of {SHARES} (SWEEP=7)")


def test_the_share_of_the_day_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SWEEP)
    fix_share()
    assert described_share().endswith(f"({SWEEP}={os.environ[SWEEP]})")
    assert int(os.environ[SWEEP]) in range(SHARES)


@pytest.mark.parametrize("name", ["20", "-1", "some", ""])
def test_other_text_than_a_share_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(SWEEP, name)
    with pytest.raises(ValueError, match="0 to 19, or 'all'"):
        fix_share()
