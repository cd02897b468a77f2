"""The check raises issues, and each is resolved."""

from datetime import date

import pytest

from citations.models import Citation, Claim, VerificationIssue, VerificationReport
from citations.verification import Verdict, VerdictStatus
from exports.building.build_document import build_document
from research.db.tenancy import tenant_context
from research.models import Source, Step
from research.pipelines.common.verifying.check_report_claims import JudgedClaim
from research.pipelines.common.verifying.read_report_to_verify import SectionToVerify
from research.pipelines.common.verifying.report_verification_issues import find_issues
from tests.checked import check, make_checked_report
from tests.people import join

TODAY = date(2026, 11, 21)


def make_judged_claim(
    text: str,
    status: VerdictStatus,
    *reasons: str,
    quotes: tuple[str, ...] = ("Words.",),
    published: str = "2026",
) -> JudgedClaim:
    claim = Claim(text=text, number=3)
    source = Source(canonical_url="library:a", published_date=published)
    citations = tuple(
        Citation(claim=claim, source=source, quote=quote, start_offset=0, end_offset=len(quote))
        for quote in quotes
    )
    verdict = Verdict(status, reasons, passage=0)
    return JudgedClaim(claim, citations, verdict, (verdict,) * len(quotes), ())


def issues(*found: JudgedClaim, prose: tuple[str, ...] = (), **how: bool):
    paragraph = (*(one.claim for one in found), *prose)
    return find_issues(found, [SectionToVerify("Costs", (paragraph,))], TODAY, **how)


@pytest.mark.parametrize(
    ("status", "reason", "kind", "severity", "resolution"),
    [
        (VerdictStatus.CONTRADICTED, "It says 12 %.", "contradicted", "critical", "Left out of the report."),
        (VerdictStatus.UNSUPPORTED, "It speaks of cats.", "unsupported", "major", "Left out of the report."),
        (VerdictStatus.PARTIALLY_SUPPORTED, "No “Sweden”.", "unsupported", "minor", "Marked in the report."),
        (
            VerdictStatus.PARTIALLY_SUPPORTED,
            "Qualified: if cold.",
            "inaccurate",
            "minor",
            "Marked in the report.",
        ),
    ],
)
def test_each_status_has_its_issue(status, reason, kind, severity, resolution):
    [row] = issues(make_judged_claim("Salts are unique.", status, reason))
    assert (row.issue_type, row.severity, row.resolution) == (kind, severity, resolution)
    assert (row.explanation, row.source_says, row.location) == (reason, "Words.", "Costs, claim 3")
    assert row.suggested_fix


@pytest.mark.parametrize(
    "status", [VerdictStatus.VERIFIED, VerdictStatus.PARAPHRASED_ACCURATE, VerdictStatus.UNVERIFIED]
)
def test_a_claim_that_is_carried_has_none(status):
    assert issues(make_judged_claim("Salts are unique.", status)) == []


def test_a_source_that_says_otherwise_beside_one_that_carries_the_claim_is_an_issue():
    carried = make_judged_claim(
        "Salts are unique.", VerdictStatus.VERIFIED, quotes=("Unique.", "Not unique.")
    )
    denied = Verdict(VerdictStatus.CONTRADICTED, ("It says no.",), passage=0)
    both = JudgedClaim(carried.claim, carried.citations, carried.verdict, (carried.verdict, denied), ())
    [row] = issues(both)
    assert (row.issue_type, row.severity, row.source_says) == ("contradicted", "major", "Not unique.")


def test_red_flags_of_a_claim_are_minor_issues():
    [row] = issues(
        make_judged_claim(
            "Sales will double by 2040.", VerdictStatus.VERIFIED, quotes=("Sales will double by 2040.",)
        )
    )
    assert (row.issue_type, row.severity) == ("inaccurate", "minor")


def test_prose_that_claims_something_is_an_issue_without_a_claim():
    [row] = issues(
        make_judged_claim("Salts are unique.", VerdictStatus.VERIFIED),
        prose=("Costs fell by 30 percent in 2024.",),
    )
    assert (row.claim, row.severity, row.location) == (None, "major", "Costs")
    assert "30 percent" in row.explanation


def test_shares_told_over_several_claims_must_add_up():
    texts = ("Solar gave 40 % of it.", "Wind gave 30 %.", "The remaining 40 % came from gas.")
    [row] = issues(*(make_judged_claim(text, VerdictStatus.VERIFIED, quotes=(text,)) for text in texts))
    assert "110 %" in row.explanation


def test_old_sources_are_an_issue_where_checking_is_strict():
    old = make_judged_claim("Salts are unique.", VerdictStatus.VERIFIED, published="2009-05")
    assert issues(old) == []
    [row] = issues(old, is_strict=True)
    assert (row.issue_type, row.severity, row.explanation) == (
        "outdated",
        "minor",
        "Its newest source is 18 years old.",
    )


def test_undated_sources_are_not_called_old():
    assert (
        issues(make_judged_claim("Salts are unique.", VerdictStatus.VERIFIED, published=""), is_strict=True)
        == []
    )


def test_the_worst_comes_first():
    found = issues(
        make_judged_claim("Salts are unique.", VerdictStatus.PARTIALLY_SUPPORTED, "No."),
        make_judged_claim("Keys are secret.", VerdictStatus.CONTRADICTED, "No."),
    )
    assert [row.severity for row in found] == ["critical", "minor"]


@pytest.fixture
def world(db):
    return make_checked_report(join("ada"))


def test_the_check_of_a_report_is_stored_with_its_issues(world):
    with tenant_context(world.person.tenant.pk):
        report = VerificationReport.objects.get(run=world.run)
        found = list(report.issues.values_list("severity", flat=True))
    assert sorted(found) == ["critical", "critical", "major", "minor", "minor"]
    # (1 restated + 1 verbatim + ½ × 2 in part) of 4 that stay
    assert (report.accuracy, report.overall_status, report.level) == (0.75, "needs_revision", "strict")
    assert report.counts["left_out"] == 2


def test_checking_again_replaces_the_issues(world):
    with tenant_context(world.person.tenant.pk):
        step = Step.objects.get(run=world.run)
        before = VerificationIssue.objects.count()
    check(step)
    with tenant_context(world.person.tenant.pk):
        assert VerificationReport.objects.filter(run=world.run).count() == 1
        assert VerificationIssue.objects.count() < before  # what was refused is no longer in the draft


def test_the_document_holds_the_check(world):
    with tenant_context(world.person.tenant.pk):
        check = build_document(world.run.pk).verification
    assert (check.status, check.checked) == ("needs_revision", 4)
    assert [issue.claim_number for issue in check.issues if issue.severity == "critical"] == [None, None]


def test_cited_sources_get_their_credibility(world):
    with tenant_context(world.person.tenant.pk):
        found = list(Source.objects.filter(run=world.run).values_list("credibility", flat=True))
    assert len(found) == 2
    assert all(1 <= score <= 10 for score in found)
