import pytest

from reference.layouts import Layout
from reference.records.control import CONTROL_LAYOUTS
from reference.records.layouts import RECORD_LAYOUTS
from reference.wire.stream import LenientReader

LAYOUTS = (*RECORD_LAYOUTS, *CONTROL_LAYOUTS)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.title)
def test_spans_of_a_layout_have_the_names_and_rules_of_its_table(layout: Layout) -> None:
    reader = LenientReader(bytes(layout.width or 0), trace=True)
    layout.read(reader)
    assert [(span.path, span.rule) for span in reader.spans or ()] == [
        (name, rule) for name, _, rule, _ in layout.rows()
    ]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.title)
def test_parts_stand_at_their_places(layout: Layout) -> None:
    reader = LenientReader(bytes(layout.width or 0), trace=True)
    layout.read(reader)
    assert all(layout.at(span.path) == slice(span.start, span.end) for span in reader.spans or ())
