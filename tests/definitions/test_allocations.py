"""Allocations of Apache Kafka's own readers, by rule."""

from conformance.definitions.allocations import allocation_of
from conformance.definitions.catalogue import catalogue
from reference import newest_release
from reference.inputs.toml_text import packaged_toml

TABLE = packaged_toml("conformance.definitions", "allocations.toml")


def test_the_table_is_of_the_newest_release() -> None:
    assert TABLE["release"] == newest_release()


def test_each_row_is_of_a_rule() -> None:
    assert set(TABLE["rules"]) <= set(catalogue())


def test_declared_sizes_take_memory_of_apache_kafka_too() -> None:
    found = allocation_of("codec.declared-size")
    assert found is not None
    assert found.mib > 200
    assert found.exceeds_heap
    assert "heap" in str(found)


def test_rules_without_hostile_bytes_have_no_known_allocation() -> None:
    assert allocation_of("string.utf8") is None
