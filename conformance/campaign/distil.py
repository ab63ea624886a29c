"""The reduction of a campaign's violations to findings, each with one case, the smallest one found."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import count, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from conformance.campaign.folder import FINDINGS, NotThisCampaign, write_document
from conformance.campaign.history import FindingId
from conformance.campaign.rows import FINDING, IMPLEMENTATION
from conformance.codec.bridge.opening import open_session
from conformance.judge.checks.all_cases import violation_of
from conformance.judge.checks.body_bytes import is_hostile
from conformance.judge.checks.changed_bodies import hostile_cases
from conformance.judge.checks.smaller_bytes import cut_hang, smaller_bytes
from conformance.judge.clusters import MAXIMUM_CLUSTERS, MAXIMUM_FIELDS, OF_DEFINITIONS, family_of, kept_clusters
from conformance.judge.engine import violations
from conformance.judge.findings.finding import Finding
from conformance.judge.forms import Broken, Key
from conformance.report.files.found_cases import found_files
from conformance.report.run_lines import facts_of, replay_line
from conformance.targets.outcome import Kind
from reference import CodecError, load_release

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from conformance.campaign.pipeline.engines import Dataset, Engine, Row
    from conformance.campaign.pipeline.storage import Storage
    from conformance.campaign.plan import CampaignSubject, Parameters
    from conformance.codec.session import Session
    from conformance.judge.case import Violation
    from reference import Release

FOUND = "found"


class Distilled(NamedTuple):
    """One finding of one implementation, in its smallest case."""

    subject: CampaignSubject
    finding: Finding

    @property
    def known(self) -> FindingId:
        """The identity of the finding in all campaigns."""
        return FindingId(self.subject.label, *self.finding.key)

    def as_json(self, release: Release) -> dict[str, Any]:
        """Return the finding as an entry of findings.json."""
        facts, names = self.facts(release), (*Key._fields, "count", "pairs", "example", "replay")
        about = {"implementation": self.subject.label, "version": self.subject.version}
        return {**about, **{name: msgspec.to_builtins(facts[name]) for name in names}}

    def facts(self, release: Release) -> dict[str, Any]:
        """Return the facts of its line in a report."""
        replay = replay_line(self.subject.impl, ["--release", release.name], self.finding.example)
        return facts_of(self.finding, replay)


def distilled(parameters: Parameters, rows: Iterable[Row]) -> list[Distilled]:
    """Return the findings of a campaign in order, each with the smallest example among rows of findings."""
    own = {subject.label: subject for subject in parameters.subjects}
    found = findings_of(rows, load_release(parameters.release))
    merged = (Distilled(own[label], finding) for label, finding in found if label in own)
    return sorted(merged, key=lambda each: (parameters.subjects.index(each.subject), each.finding.order))


def reduce_cases(
    findings: Sequence[Distilled], parameters: Parameters, folder: Storage, progress: Callable[[int, int], None]
) -> None:
    """Replace the examples of each finding by its smallest case, and write these as found cases to a folder.

    `progress` is called with the number of finished findings and of all.
    """
    release, done = load_release(parameters.release), count()
    for subject in dict.fromkeys(each.subject for each in findings):
        own = [each.finding for each in findings if each.subject == subject]
        with open_session(subject.spec, release, parameters.limits, isolate_all=True) as session:
            for finding in own:
                progress(next(done), len(findings))
                finding.example = smallest(session, finding.example)
                finding.examples = [finding.example]
        run = {"impl": subject.impl, "implementation": subject.label, "version": subject.version}
        for name, text in found_files(own, run, release):
            folder.write(name, text.encode())


def write_findings(folder: Storage, findings: Iterable[Distilled], release: Release) -> None:
    """Write the findings of a campaign to its folder."""
    write_document(folder, FINDINGS, [each.as_json(release) for each in findings])


EXAMPLES = 20
"""The examples of a finding to consider. A large campaign has thousands."""

_RANKED = """
with found as (
    select implementation, rule, outcome, error, sum(cases) as cases from {batches}
    where kind = 'finding' group by implementation, rule, outcome, error
), ranked as (
    select *, row_number() over (partition by implementation, rule, outcome order by cases desc, error) as place,
           count(*) over (partition by implementation, rule, outcome) as clusters,
           case when rule in ($definitions) then $fields else $most end as most
    from found
), shown as (
    select implementation, rule, outcome, error,
           case when clusters <= most or place < most then error
                else concat(regexp_extract(error, '^([A-Za-z0-9_]+: )', 1), '*') end as cluster
    from ranked
)
"""
_COUNTS = """
select s.implementation, s.rule, s.outcome, s.cluster as error, b.message, b.version, b.place,
       sum(b.cases) as cases, min(b.example) as example
from {batches} b join shown s on b.implementation = s.implementation and b.rule = s.rule
    and b.outcome = s.outcome and b.error = s.error
where b.kind = 'finding'
group by s.implementation, s.rule, s.outcome, s.cluster, b.message, b.version, b.place
"""
FEW = 100_000
"""The number of rows of findings that are reduced in this process, which starts faster than the queries."""

_ROWS = """
select implementation, rule, outcome, error, message, version, place, cases, example
from {batches} where kind = 'finding'
"""


def finding_rows(engine: Engine, batches: Dataset, sums: Iterable[Row]) -> Iterable[Row]:
    """Return the rows of findings in batches, whose sums are given.

    If a rule and an outcome have too many clusters, the rarest are merged, as in a report.
    """
    if sum(row["number"] for row in sums if row["kind"] == FINDING) <= FEW:
        return bounded(engine.query(_ROWS, batches=batches))
    ranked = _RANKED.replace("$definitions", ", ".join(f"'{rule}'" for rule in sorted(OF_DEFINITIONS)))
    ranked = ranked.replace("$fields", str(MAXIMUM_FIELDS)).replace("$most", str(MAXIMUM_CLUSTERS))
    return engine.query(ranked + _COUNTS, batches=batches)


def bounded(rows: Collection[Row]) -> Iterator[Row]:
    """Yield rows of findings, with the rarest clusters merged where a rule and an outcome have too many."""
    counts = defaultdict[tuple[str, ...], Counter[str]](Counter)
    for row in rows:
        counts[row[IMPLEMENTATION], row["rule"], row["outcome"]][row["error"]] += row["cases"]
    kept = {key: kept_clusters(key[1], clusters) for key, clusters in counts.items()}
    for row in rows:
        is_kept = row["error"] in kept[row[IMPLEMENTATION], row["rule"], row["outcome"]]
        yield row if is_kept else {**row, "error": family_of(row["error"])}


def findings_of(rows: Iterable[Row], release: Release) -> Iterator[tuple[str, Finding]]:
    """Yield the label of an implementation and each of its findings.

    Raises:
        NotThisCampaign: an example is missing or damaged.
    """
    place = itemgetter(IMPLEMENTATION, "rule", "outcome", "error")
    for (label, *key), own in groupby(sorted(rows, key=place), key=place):
        yield label, _finding(Key(*key), list(own), release)


def _finding(key: Key, rows: Sequence[Row], release: Release) -> Finding:
    texts = sorted(row["example"] for row in rows if row.get("example"))[:EXAMPLES]
    if not texts:
        raise NotThisCampaign(f"an example of a finding is missing: {key}. Delete its batch.")
    examples = [_example(text, release) for text in texts]
    finding = Finding(key, examples[0], examples=examples)
    for row in rows:
        if row.get("cases"):
            finding.count += int(row["cases"])
            finding.fields[row["message"], row["version"]][row["place"]] += int(row["cases"])
    return finding


def _example(text: str, release: Release) -> Violation:
    try:
        return violation_of(msgspec.json.decode(text.partition("\t")[2], type=Broken), release)
    except (ValueError, CodecError, KeyError) as error:
        raise NotThisCampaign(f"an example of a finding is damaged: {error}. Delete its batch.") from error


def smallest(session: Session, violation: Violation) -> Violation:
    """Return the smallest violation found with the same rule, outcome and cluster of texts.

    The check of a value has reduced it already. For drawn bytes the deterministic inputs of the message are tried
    first, and then fewer of the bytes themselves. A hang is cut short.
    """
    case = violation.case
    if not is_hostile(case) or case.deterministic:
        return violation
    if violation.outcome == Kind.TIMED_OUT:  # each further try would take the whole deadline of a decode
        return cut_hang(session, violation)
    same = [each for each in violations(session, hostile_cases(session, case.schema)) if each.key == violation.key]
    if same:
        return min(same, key=lambda each: each.weight)
    return smaller_bytes(session, violation)
