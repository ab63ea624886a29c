import pytest

from conformance.generate.records.building import PLACES
from reference.layouts import Layout
from reference.records.control import CONTROL_LAYOUTS
from reference.records.layouts import HEADER_SIZE, RECORD_LAYOUTS
from reference.wire.stream import LenientReader

LAYOUTS = (*RECORD_LAYOUTS, *CONTROL_LAYOUTS)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.title)
def test_spans_of_a_layout_have_the_names_and_rules_of_its_table(layout: Layout) -> None:
    reader = LenientReader(bytes(layout.sizeof()), trace=True)
    layout.read(reader)
    assert [(span.path, span.rule) for span in reader.spans or ()] == [
        (name, rule) for name, _, rule, _ in layout.rows()
    ]


def test_parts_of_a_batch_stand_at_their_places() -> None:
    reader = LenientReader(bytes(HEADER_SIZE), trace=True)
    RECORD_LAYOUTS[0].read(reader)
    assert {span.path: span.start for span in reader.spans or ()} == {name: at for name, (at, _) in PLACES.items()}
