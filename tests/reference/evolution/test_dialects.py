import pytest

from reference import load_release
from reference.definitions.canonical import canonical_json
from reference.evolution import changes
from reference.protocols import loader_of
from tests.helpers.definitions import field, message, tagged, without
from tests.helpers.releases import BASE
from tests.reference.evolution.definitions import in_dialect, parsed, short


@pytest.mark.parametrize("name", ["MetadataResponse", "ApiVersionsResponse", "FetchRequest"])
def test_released_definition_may_become_one_of_kip_625(name: str) -> None:
    released = load_release(BASE).definition(name)
    proposed = loader_of("kip-625").parse(canonical_json(released), f"{name}.json")
    assert changes(released, proposed) == changes(proposed, released) == ()


def test_encoding_of_the_released_form_is_no_change() -> None:
    proposed = in_dialect("kip-625", message(field(encoding="fixed32")))
    assert short(changes(parsed(message(field())), proposed)) == []


def test_encoding_in_a_new_version_alone_is_a_new_version() -> None:
    new = message(field(encoding={"0-2": "fixed32", "3+": "packed32"}), validVersions="0-3")
    found = short(changes(parsed(message(field())), in_dialect("kip-625", new)))
    assert found == [("compatible", "version-added", "3", "")]


def test_drafts_differ_from_one_another_in_versions_with_sections() -> None:
    sample = message(field())
    first = without("flexibleVersions", sample) | {"versionsWithOptional": "1+"}
    old, new = in_dialect("kip-482-first-draft", first), in_dialect("kip-482-second-draft", sample)
    assert short(changes(old, new)) == [("incompatible", "kind", "1-2", "")]


def test_protocol_shows_in_a_struct_with_a_section_alone() -> None:
    old = parsed(message(field(), tagged(name="Tag")))
    new = in_dialect("kip-482-second-draft", message(field(), optionalFields=[field(name="Tag", versions="1+", tag=1)]))
    assert short(changes(old, new)) == [("incompatible", "kind", "1-2", "")]
