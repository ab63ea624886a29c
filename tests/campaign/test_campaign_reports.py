from pathlib import Path

from conformance.campaign.campaign_reports import reports_in, write_reports
from conformance.campaign.distil import Distilled
from conformance.campaign.folder import manifest_of_sums
from conformance.campaign.pipeline.storage import Storage
from conformance.judge.events import Answered
from conformance.judge.findings.finding import Findings
from conformance.judge.findings.known_failures import KnownFailure
from conformance.judge.forms import Key
from tests.campaign.conftest import HONEST, campaign_of
from tests.helpers.cases import violation

LISTED = KnownFailure("null.not-written", ("FetchRequest",), "rejected", "it is refused", pattern="OtherError: [*]")


def test_finding_with_the_words_of_several_is_known_by_its_own_words(tmp_path: Path) -> None:
    """Its example still has the words of one."""
    findings, refused = Findings(), Answered("rejected", explanation="ValueError: 7")
    findings.add(violation("null.not-written", "FetchRequest", observation=refused))
    [finding] = findings.ordered()
    finding.key = Key(finding.rule, finding.outcome, "OtherError: *")
    parameters, place = campaign_of(HONEST).parameters, Storage(str(tmp_path))
    manifest = manifest_of_sums(parameters, (), (), 0.0, 0)
    write_reports(place, parameters, manifest, [Distilled(parameters.subjects[0], finding)], [LISTED])
    [report] = reports_in(place)
    assert report.findings == ()
    assert [line.reason for line in report.known] == [LISTED.reason]
