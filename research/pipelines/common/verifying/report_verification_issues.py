"""The issues that the check found in a report, as rows for the reader and the admin."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from citations.claim_warnings import STALE_MONTHS
from citations.credibility.claim_red_flags import Flag, RedFlag, find_unbalanced_shares, red_flags
from citations.credibility.uncited_prose import connective_faults
from citations.dates.find_dates import parse_iso
from citations.models import Claim, IssueSeverity, IssueType, VerificationIssue
from citations.verification import VerdictStatus
from research.pipelines.common.verifying.check_report_claims import JudgedClaim
from research.pipelines.common.verifying.read_report_to_verify import SectionToVerify
from research.pipelines.report.degrading.rewrite_report_by_rules import Hallucination

LEFT_OUT = "Left out of the report."
MARKED = "Marked in the report."
BOTH_SHOWN = "Both sides are shown."
REMOVE = "Remove the claim, or say what the source says."
_FLAGGED = {
    Flag.STATISTIC: IssueType.UNSUPPORTED,
    Flag.QUOTE: IssueType.UNSUPPORTED,
    Flag.SUPERLATIVE: IssueType.UNSUPPORTED,
    Flag.PREDICTION: IssueType.INACCURATE,
    Flag.SHARES: IssueType.INACCURATE,
}


def find_issues(
    judged: Sequence[JudgedClaim],
    sections: Sequence[SectionToVerify],
    today: date,
    *,
    is_strict: bool = False,
) -> list[VerificationIssue]:
    """Return unsaved rows, without their report: the worst first, then in the report's order.

    Strict checking also reports outdated sources.
    """
    headings = {claim.pk: section.heading for section in sections for claim in section.claims}
    rows = []
    for judged_claim in judged:
        issues = [*_of_status(judged_claim), *_of_disputes(judged_claim), *_of_flags(judged_claim)]
        issues += _of_age(judged_claim, today) if is_strict else []
        rows += [_at(issue, headings.get(judged_claim.claim.pk, ""), judged_claim.claim) for issue in issues]
    rows += [issue for section in sections for issue in _of_prose(section)]
    order = list(IssueSeverity.values)
    return sorted(rows, key=lambda issue: order.index(issue.severity))


def of_hallucination(hallucination: Hallucination) -> VerificationIssue:
    """Return the issue for a hallucination, unsaved and without its report."""
    issue = _issue(
        IssueType.UNSUPPORTED,
        IssueSeverity.CRITICAL,
        f"{hallucination.reason} “{hallucination.text}”",
        REMOVE,
    )
    issue.claim_id, issue.location = hallucination.claim, f"Section {hallucination.section + 1}"
    return issue


def _at(issue: VerificationIssue, heading: str, claim: Claim) -> VerificationIssue:
    issue.claim = claim
    issue.location = f"{heading[:150]}, claim {claim.number}" if heading else f"Claim {claim.number}"
    return issue


def _of_status(judged: JudgedClaim) -> Iterator[VerificationIssue]:
    status, reasons = judged.verdict.status, " ".join(judged.verdict.reasons)
    quote = judged.deciding_citation.quote if judged.deciding_citation else ""
    if status is VerdictStatus.CONTRADICTED:
        yield _issue(IssueType.CONTRADICTED, IssueSeverity.CRITICAL, reasons, REMOVE, quote, LEFT_OUT)
    elif status is VerdictStatus.UNSUPPORTED:
        yield _issue(IssueType.UNSUPPORTED, IssueSeverity.MAJOR, reasons, REMOVE, quote, LEFT_OUT)
    elif status is VerdictStatus.PARTIALLY_SUPPORTED:
        is_qualified = reasons.startswith("Qualified")
        kind = IssueType.INACCURATE if is_qualified else IssueType.UNSUPPORTED
        fix = (
            "Add the condition of the source." if is_qualified else "Leave out what the source does not say."
        )
        yield _issue(kind, IssueSeverity.MINOR, reasons, fix, quote, MARKED)


def _of_disputes(judged: JudgedClaim) -> Iterator[VerificationIssue]:
    """Yield an issue for each source that contradicts one that carries the claim."""
    for citation, verdict in judged.disputing_citations:
        reason = f"Another source says otherwise. {' '.join(verdict.reasons)}"
        fix = "Say that sources differ, and on what."
        yield _issue(IssueType.CONTRADICTED, IssueSeverity.MAJOR, reason, fix, citation.quote, BOTH_SHOWN)


def _of_age(judged: JudgedClaim, today: date) -> Iterator[VerificationIssue]:
    dates = [parse_iso(citation.source.published_date) for citation in judged.carrying_citations]
    ages = [published.months_before(today) for published in dates if published is not None]
    if ages and len(ages) == len(dates) and min(ages) > STALE_MONTHS:
        reason = f"Its newest source is {min(ages) / 12:.0f} years old."
        fix = "Check whether a newer edition says the same."
        yield _issue(IssueType.OUTDATED, IssueSeverity.MINOR, reason, fix)


def _of_flags(judged: JudgedClaim) -> Iterable[VerificationIssue]:
    return map(
        _build_flag_issue, red_flags(judged.claim.text, [citation.quote for citation in judged.citations])
    )


def _build_flag_issue(flag: RedFlag) -> VerificationIssue:
    return _issue(_FLAGGED[flag.kind], IssueSeverity.MINOR, flag.explanation, flag.suggested_fix)


def _of_prose(section: SectionToVerify) -> Iterator[VerificationIssue]:
    """Yield issues for prose that makes its own claims, and for shares of one whole over several sentences."""
    for paragraph in section.paragraphs:
        cited = [item.text for item in paragraph if isinstance(item, Claim)]
        texts = [item.text if isinstance(item, Claim) else item for item in paragraph]
        for sentence in (item for item in paragraph if isinstance(item, str)):
            faults = connective_faults(sentence, cited)
            if faults:
                words = ", ".join(f"“{fault}”" for fault in faults)
                reason = f"A sentence without a source says {words}: “{sentence}”"
                yield _in(
                    section,
                    _issue(IssueType.UNSUPPORTED, IssueSeverity.MAJOR, reason, "Cite a source for it."),
                )
        alone = {flag for text in texts for flag in find_unbalanced_shares([text])}
        for flag in find_unbalanced_shares(texts):
            if flag not in alone:  # already reported for a single sentence
                yield _in(section, _build_flag_issue(flag))


def _in(section: SectionToVerify, issue: VerificationIssue) -> VerificationIssue:
    issue.location = section.heading[:200]
    return issue


def _issue(
    kind: IssueType, severity: IssueSeverity, explanation: str, fix: str, said: str = "", resolution: str = ""
) -> VerificationIssue:
    return VerificationIssue(
        issue_type=kind,
        severity=severity,
        explanation=explanation,
        suggested_fix=fix,
        source_says=said,
        resolution=resolution,
    )
