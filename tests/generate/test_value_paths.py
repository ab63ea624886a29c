from conformance.generate.value_paths import DROPPED, item_at, items_along, remade, with_change, with_field

VALUE = {"Number": 1, "Topics": [{"Name": "a", "Ids": [2, 3]}, {"Name": "b", "Ids": None}, None]}


def test_items_along_a_path_are_those_of_every_element() -> None:
    assert list(items_along(VALUE, ("Topics", "Name"))) == [("Topics[0].Name", "a"), ("Topics[1].Name", "b")]
    assert list(items_along(VALUE, ("Topics", "Ids"))) == [("Topics[0].Ids[0]", 2), ("Topics[0].Ids[1]", 3)]


def test_no_item_lies_at_an_unknown_path() -> None:
    assert list(items_along(VALUE, ("Unheard", "Name"))) == []
    assert item_at(VALUE, "Topics[0].Unheard") is DROPPED
    assert with_field(VALUE, "Topics.Unheard", 1) == VALUE


def test_a_path_without_indexes_changes_every_element() -> None:
    changed = with_change(VALUE, "Topics.Name", str.upper)
    assert [path for path, _ in items_along(changed, ("Topics", "Name"))] == ["Topics[0].Name", "Topics[1].Name"]
    assert [name for _, name in items_along(changed, ("Topics", "Name"))] == ["A", "B"]


def test_a_path_with_an_index_changes_one_element() -> None:
    assert item_at(with_field(VALUE, "Topics[1].Name", "c"), "Topics[1].Name") == "c"
    assert item_at(with_field(VALUE, "Topics[1].Name", "c"), "Topics[0].Name") == "a"
    assert item_at(with_field(VALUE, "Topics[0].Ids", DROPPED), "Topics[0].Ids") is DROPPED


def test_inner_parts_are_made_anew_first() -> None:
    value = {"a": [1, [2]], "b": {"c": 3}}
    assert remade(value, lambda part: sum(part) if isinstance(part, list) else part) == {"a": 3, "b": {"c": 3}}
