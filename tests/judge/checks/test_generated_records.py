"""The rule of a failing random record batch, after its reduction."""

from collections.abc import Callable
from random import Random
from typing import Any

from conformance.judge.case import Violation
from conformance.judge.checks.generated_records import generated_records
from tests.helpers.records import Value, changed, records_session

DRAWN = 60


def drawn(seed: int) -> Callable[[Any], bytes]:
    """Return a substitute for Hypothesis, with the same blocks of bytes for the same seed."""
    source = Random(seed)  # noqa: S311  # for tests
    return lambda _: source.randbytes(64)


def found_by(change: Callable[[Value], Any], **words: Any) -> list[Violation]:
    session = records_session(decode=changed(change), **words)
    events = (event for seed in range(DRAWN) for event in generated_records(session, "batches", drawn(seed)))
    return [event for event in events if isinstance(event, Violation)]


def with_headers(change: Callable[[list[Any]], list[Any]]) -> Callable[[Value], None]:
    def with_changed(value: Value) -> None:
        for batch in value["batches"]:
            for record in batch.get("records", ()):
                record["headers"] = change(record["headers"])

    return with_changed


def one_of_a_key(headers: list[Any]) -> list[Any]:
    return list(dict(headers).items())


def empty_for_null(headers: list[Any]) -> list[Any]:
    return [(key, value or b"") for key, value in headers]


def test_the_loss_of_a_header_is_blamed_on_its_repeated_key() -> None:
    """The smallest value has nothing but headers, and their difference names the rule."""
    assert {found.rule for found in found_by(with_headers(one_of_a_key))} == {"header.repeated"}


def test_misread_null_is_blamed_on_null() -> None:
    assert {found.rule for found in found_by(with_headers(empty_for_null))} == {"header.value-null"}


def test_the_order_of_a_map_is_no_violation() -> None:
    assert found_by(with_headers(lambda headers: headers[::-1]), headers="map") == []
