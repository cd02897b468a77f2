"""The counts that decide a run's exits, read in one statement instead of a dozen at each change of its state."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from citations.credibility.evidence_concerns import NARROW_SCOPE
from citations.models import ClaimStatus
from research.db.bulk_sql import open_prepared_cursor
from research.engine.states.step_failures import FATAL_CODES
from research.models import Run, SourceStatus

LEFT_ASIDE = frozenset({SourceStatus.DUPLICATE, SourceStatus.EXCLUDED})
FAILED_CLAIM = (ClaimStatus.UNSUPPORTED, ClaimStatus.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class RunCounts:
    """Counts of a run's rows at one moment. Steps are those of the current visit of its state."""

    now: datetime
    steps: Counter[str]  # by status
    worst: tuple[str, str]  # code and message of the most serious failed step; empty: none failed
    sources: Mapping[tuple[str, str], int]  # by status and subtopic, without those set aside
    resolutions: Counter[str]  # contradictions
    severe_gaps: int
    scope_gaps: int
    sections: Counter[str]  # by status, of the present version of the report
    claims: int  # claims placed in these
    cited_claims: int
    failed_claims: int
    verdict: str  # of this version; empty: not checked yet


# A failure that ends the run comes first, whatever failed later.
COUNT = """
WITH steps AS MATERIALIZED (
    SELECT id, status, error_code, error_message, completed_at FROM research_step
    WHERE run_id = %(run)s::uuid AND (starts_with(key, %(visit)s) OR starts_with(key, %(early)s))
), sections AS MATERIALIZED (
    SELECT id, status FROM citations_section
    WHERE run_id = %(run)s::uuid AND report_version = %(version)s::int
), claims AS MATERIALIZED (
    SELECT id, verification_status FROM citations_claim
    WHERE run_id = %(run)s::uuid AND section_id IN (SELECT id FROM sections)
)
SELECT clock_timestamp(),
    (SELECT jsonb_object_agg(status, n) FROM (SELECT status, count(*) AS n FROM steps GROUP BY 1) AS counted),
    (SELECT jsonb_build_array(error_code, error_message) FROM steps WHERE status = 'failed'
        ORDER BY error_code = ANY(%(fatal)s) DESC,
            CASE WHEN error_code = ANY(%(fatal)s) THEN id END, completed_at DESC LIMIT 1),
    (SELECT jsonb_agg(jsonb_build_array(status, subtopic, n)) FROM (
        SELECT status, subtopic, count(*) AS n FROM research_source
        WHERE run_id = %(run)s::uuid AND status <> ALL(%(aside)s) GROUP BY 1, 2) AS counted),
    (SELECT jsonb_object_agg(resolution, n) FROM (
        SELECT resolution, count(*) AS n FROM citations_contradiction
        WHERE run_id = %(run)s::uuid GROUP BY 1) AS counted),
    gaps.severe, gaps.scope,
    (SELECT jsonb_object_agg(status, n) FROM (SELECT status, count(*) AS n FROM sections GROUP BY 1) AS counted),
    (SELECT count(*) FROM claims),
    (SELECT count(*) FROM claims
        WHERE EXISTS (SELECT FROM citations_citation WHERE citations_citation.claim_id = claims.id)),
    (SELECT count(*) FROM claims WHERE verification_status = ANY(%(failed)s)),
    (SELECT overall_status FROM citations_verificationreport
        WHERE run_id = %(run)s::uuid AND report_version = %(version)s::int LIMIT 1)
FROM (SELECT count(*) AS severe, count(*) FILTER (WHERE code = %(scope)s) AS scope FROM citations_warning
    WHERE run_id = %(run)s::uuid AND kind = 'gap' AND severity = 'high') AS gaps
"""


def load_run_counts(run: Run, prefixes: tuple[str, str]) -> RunCounts:
    """Read the counts of a run. Needs the tenant set.

    `prefixes` are those of the keys of the current visit's steps.
    """
    parameters: dict[str, UUID | str | list[str]] = {
        "run": run.pk,
        "visit": prefixes[0],
        "early": prefixes[1],
        "version": str(run.report_version),
        "fatal": _texts(FATAL_CODES),
        "aside": _texts(LEFT_ASIDE),
        "failed": _texts(FAILED_CLAIM),
        "scope": NARROW_SCOPE,
    }
    with open_prepared_cursor() as cursor:
        cursor.execute(COUNT, parameters)
        row = cursor.fetchone()
    now, steps, worst, sources, resolutions, severe, scope, sections, claims, cited, failed, verdict = row
    return RunCounts(
        now=now,
        steps=Counter(json.loads(steps or "{}")),
        worst=tuple(json.loads(worst or '["", ""]')),
        sources={(status, subtopic): count for status, subtopic, count in json.loads(sources or "[]")},
        resolutions=Counter(json.loads(resolutions or "{}")),
        severe_gaps=severe,
        scope_gaps=scope,
        sections=Counter(json.loads(sections or "{}")),
        claims=claims,
        cited_claims=cited,
        failed_claims=failed,
        verdict=verdict or "",
    )


def _texts(values: Iterable[str]) -> list[str]:
    return [str(value) for value in values]
