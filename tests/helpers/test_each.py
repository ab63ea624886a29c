import pytest

from tests.helpers.each import for_each


@for_each([1, 2, 3])
def test_each_item_is_checked(item: int) -> None:
    assert item in {1, 2, 3}


def test_all_failing_items_are_listed() -> None:
    @for_each([1, 2, 3], name=lambda item: f"item {item}")
    def test(item: int) -> None:
        assert item == 2, "not two"

    with pytest.raises(pytest.fail.Exception, match=r"(?s)^item 1: .*\nitem 3: ") as caught:
        test()
    assert "item 2" not in str(caught.value)


def test_no_items_are_refused() -> None:
    with pytest.raises(AssertionError, match="nothing"):
        for_each([])


def test_an_error_names_its_item() -> None:
    @for_each(["some item"])
    def test(_item: str) -> None:
        raise KeyError

    with pytest.raises(KeyError) as caught:
        test()
    assert caught.value.__notes__ == ["of some item"]
