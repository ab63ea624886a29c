"""The checks of examples about definitions, as `tests.specs.examples` has them for bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reference import default, equal
from reference.definitions.errors import BrokenDefinition
from reference.schema import resolve
from tests.specs.subjects import Body, definition_of, form_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reference.definitions.model import Definition
    from tests.specs.book import Row

    Check = Callable[[Row, Mapping[str, Definition]], None]


def with_field(properties: str) -> str:
    """The text of a message with that field, given as JSON; versions 0 to 2, of which 1 and 2 are flexible."""
    return (
        '{ "type": "data", "name": "Sample", "validVersions": "0-2", "flexibleVersions": "1+", '
        f'"fields": [{properties}] }}'
    )


def check_default(row: Row, _definitions: Mapping[str, Definition]) -> None:
    """The field has this value by default in version 2."""
    schema = resolve(definition_of(with_field(row["field"])), 2)
    expected = Body(schema).value({schema.fields[0].name: form_of(row["default value"])})
    assert equal(schema, default(schema), expected)


def check_broken_field(row: Row, _definitions: Mapping[str, Definition]) -> None:
    """A message with this field is refused, because of that rule."""
    with pytest.raises(BrokenDefinition) as caught:
        definition_of(with_field(row["field"]))
    assert caught.value.problem.rule == row["breaks"]


DEFINITION_CHECKS: dict[tuple[str, ...], Check] = {
    ("field", "default value"): check_default,
    ("field", "breaks"): check_broken_field,
}
