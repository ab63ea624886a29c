"""Changes by mutations, the code left out, the unchanged reference, and the table after a run."""

from __future__ import annotations

from dataclasses import replace

from conformance.targets import ENCODE, Ask, Body
from reference import encode, load_release, minimal
from tests.helpers.releases import BASE
from tests.mutants.automatic.copies import implementations_of
from tests.mutants.automatic.mutations import ROOT, mutants_of
from tests.mutants.automatic.survivors import Survivor, survivors_of

FILE = "reference/protocols.py"
MUTANTS = list(mutants_of(FILE))
SCHEMA = load_release(BASE).schema("MetadataRequest", 12)


def test_a_mutant_is_the_text_of_its_file_with_one_change() -> None:
    """Its place does not depend on the lines before it."""
    [mutant] = [mutant for mutant in MUTANTS if mutant.after.endswith(".message(None)")]
    assert (mutant.file, mutant.place, mutant.operator) == (FILE, "wire_type_of", "arg_removal")
    line = "return protocol_of(schema.dialect).message(schema)"
    assert mutant.before == line
    assert mutant.text.replace(mutant.after, mutant.before) == (ROOT / FILE).read_text(encoding="utf-8")


def test_code_for_errors_and_spans_alone_is_left_out() -> None:
    """Calls to raise an error are not changed, and no call loses the argument for a place."""
    texts = [mutant.after for mutant in mutants_of("reference/wire/blobs.py")]
    assert not [text for text in texts if "malformed(" in text or "span(" in text]
    without_stream, without_place = "length = self.length.read(None, path)", "length = self.length.read(stream, None)"
    assert without_stream in texts
    assert without_place not in texts


def test_a_copy_is_changed_and_the_reference_is_not() -> None:
    """Both get the same schema, and each writes it in its own way."""
    file = "reference/wire/varints.py"
    text = (ROOT / file).read_text(encoding="utf-8").replace("_BYTES[value]", "_BYTES[0]")
    value, sound = minimal(SCHEMA), bytes.fromhex("01010000")
    unchanged, _ = implementations_of(None)
    changed, _ = implementations_of(replace(MUTANTS[0], file=file, text=text))
    assert unchanged.perform(Ask(ENCODE, Body(SCHEMA), value)).wire == sound
    assert changed.perform(Ask(ENCODE, Body(SCHEMA), value)).wire == bytes.fromhex("00010000")
    assert encode(SCHEMA, value) == sound


def test_run_lists_new_and_stale_survivors() -> None:
    """A survivor without an entry is new. An entry is stale if its mutant was killed or is gone from a run file."""
    new, known, killed, *_ = MUTANTS
    gone = replace(Survivor.of(known), before="a line that there was")
    elsewhere = replace(gone, file="reference/wire/tags.py")
    table = [Survivor.of(known), Survivor.of(killed), gone, elsewhere]
    killed_by = {new: None, known: None, killed: "tag.section, bytes"}
    result = survivors_of(table, killed_by, [FILE], is_whole=True)
    assert result.new == (Survivor.of(new),)
    assert result.known == (table[0],)
    assert result.stale == (table[1], gone)
    assert survivors_of(table, killed_by, [FILE], is_whole=False).stale == (table[1],)
