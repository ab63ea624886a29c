"""The outcomes of a part equal the suite's own, case by case."""

from collections import Counter
from collections.abc import Sequence

import pytest

from conformance.campaign.inputs import generated
from conformance.campaign.kernel import Input, run_part
from conformance.campaign.pipeline.corpus_rows import made_wire
from conformance.campaign.pipeline.errors import NotThisCorpus
from conformance.campaign.plan import KEPT, OTHER, TaskBlock
from conformance.campaign.preparation import Campaign, CampaignRequest, prepared
from conformance.campaign.rows import OutcomeRow
from conformance.codec.bridge.isolation import DecodeLimits
from conformance.codec.bridge.opening import open_session
from conformance.generate.moves import moved_wire
from conformance.judge.case import Violation
from conformance.judge.checks.body_bytes import hostile_case
from conformance.judge.checks.check_list import run_message, run_other
from conformance.judge.engine import violations
from conformance.targets import RECORD_BATCHES
from reference import load_release
from tests.campaign.conftest import CATEGORIES, LIARS, RELEASE, campaign_of

LIVING = tuple(name for name in CATEGORIES if name != "Aborts")
"""Those that can be run in the process of a test; one that ends its process is run in parts with their own."""


def rows_of(campaign: Campaign, blocks: Sequence[TaskBlock] = ()) -> list[OutcomeRow]:
    """Return the rows of a campaign of one part, or of some of its blocks."""
    [part], [subject] = campaign.parts, campaign.parameters.subjects
    with open_session(subject.spec, load_release(RELEASE), isolate_all=True) as session:
        inputs = [Input(block) for block in blocks or part.blocks]
        return run_part(subject.label, session, inputs, campaign.parameters.seed).rows


def broken(rows: Sequence[OutcomeRow]) -> Counter[tuple[str, ...]]:
    return Counter((row.message, row.direction, str(row.rule), row.outcome, str(row.place)) for row in rows if row.rule)


def columns_of(violation: Violation) -> tuple[str, ...]:
    return (violation.message, violation.direction, violation.rule, violation.outcome, violation.field)


@pytest.mark.parametrize(
    ("impl", "messages", "groups"),
    [
        *((f"{LIARS}:{name}", ("ApiVersionsRequest-v3", "HeartbeatResponse-v0"), ()) for name in LIVING),
        (f"{LIARS}:TurnsPrimitives", ("int16", "uuid"), ()),
        ("tests.fakes.records_only:WritesEpochZero", (RECORD_BATCHES,), ("snappy", "message-sets")),
    ],
    ids=[*LIVING, "wire types", "record batches"],
)
def test_fixed_cases_break_the_rules_of_the_suite_s_violations(
    impl: str, messages: tuple[str, ...], groups: tuple[str, ...]
) -> None:
    """Groups of record batches have cases in common, each with a row of its own."""
    release = load_release(RELEASE)
    campaign = prepared(CampaignRequest((impl,), release, 0, "1", None, True, messages, DecodeLimits()))  # noqa: FBT003  # fixed
    blocks = [block for block in campaign.parts[0].blocks if not groups or block.message in groups]
    rows = rows_of(campaign, blocks)
    expected: Counter[tuple[str, ...]] = Counter()
    with open_session(impl, release) as session:
        for each in blocks:
            schema = None if each.kind == OTHER else release.schema(each.message, each.version)
            events = run_message(session, schema) if schema else run_other(session, each.message)
            expected.update(columns_of(event) for event in events if isinstance(event, Violation))
    assert broken(rows) == expected
    assert bool(expected) == ("Honest" not in impl)
    assert len({(row.id, row.direction, row.rule, row.place) for row in rows}) == len(rows)


@pytest.mark.parametrize("name", LIVING)
def test_generated_case_breaks_the_rules_of_its_bytes_alone(name: str) -> None:
    """The cases alone are those `replay` runs, and every case has a row."""
    impl = f"{LIARS}:{name}"
    schema = load_release(RELEASE).schema("HeartbeatResponse", 0)
    rows = [row for row in rows_of(campaign_of(impl, cases=20)) if row.message == schema.message]
    assert {row.id.rpartition("/")[2] for row in rows} == {f"corpus-{index}" for index in range(10)}
    with open_session(impl, load_release(RELEASE)) as session:
        for index in range(10):
            case = hostile_case(schema, "alone", made_wire(schema, index, "1"), deterministic=False)
            expected = {(each.direction, each.rule, each.outcome) for each in violations(session, [case])}
            own = [row for row in rows if row.id.endswith(f"/corpus-{index}") and row.rule]
            assert {(row.direction, str(row.rule), row.outcome) for row in own} == expected


def test_an_honest_codec_breaks_no_rule() -> None:
    rows = rows_of(campaign_of(f"{LIARS}:Honest", fixed=True))
    assert {row.rule for row in rows} == {None}
    assert {"bytes", "value", "rejected"} <= {row.outcome for row in rows}
    assert {row.result for row in rows} >= {"valid", "invalid", "unspecified"}


def test_cases_made_by_moves_are_the_bytes_of_their_numbers() -> None:
    """They are the same for every implementation."""
    [part] = campaign_of(f"{LIARS}:Honest", cases=6, moves=True).parts
    for block in part.blocks:
        schema = load_release(RELEASE).schema(block.message, block.version)
        expected = [(f"moved-{index}", moved_wire(schema, index, "1")) for index in range(3)]
        assert list(generated(schema, block, "1")) == expected


def test_corpus_without_some_rows_is_refused() -> None:
    block = TaskBlock(KEPT, "HeartbeatResponse", 0, first=4, rows=2)
    with (
        open_session(f"{LIARS}:Honest", load_release(RELEASE)) as session,
        pytest.raises(NotThisCorpus, match=r"\b1 rows from 4 .*\b2 .*HeartbeatResponse-v0"),
    ):
        run_part("honest", session, [Input(block, [("corpus-4", b"")])], "1")
