"""Find claims with fewer independent sources than the run wants for each."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from citations.claim_strength import independent
from research.models import Source
from research.models.schemas import LeftOut
from research.pipelines.common.exclude_report_claims import too_few_sources
from research.pipelines.common.verifying.read_report_to_verify import origins_of
from research.pipelines.report.report_config import ReportConfig

if TYPE_CHECKING:
    from research.pipelines.report.analyzing.store_report_analysis import ClaimFinding

NO_CLAIM_HAS_ENOUGH = "No claim has as many independent sources as are wanted for one."


def find_thin_claims(config: ReportConfig, findings: Sequence["ClaimFinding"]) -> Mapping[str, LeftOut]:
    """Return the claims that the report leaves out as too thin, by their text. Needs the tenant set."""
    if config.thin_claims == "mark" or config.sources_per_claim == 1:
        return {}
    cited = {place.source for finding in findings for place in finding.evidence}
    rows = Source.objects.filter(pk__in=cited).select_related("content", "library_document")
    origins = origins_of(rows)
    counts = {
        finding.text: independent(origins[pk] for pk in {place.source for place in finding.evidence})
        for finding in findings
    }
    wanted = config.sources_per_claim
    return {
        text: LeftOut(text=text, reason=too_few_sources(found, wanted))
        for text, found in counts.items()
        if found < wanted
    }
