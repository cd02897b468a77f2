"""Claims and their citations, one module for each family of tables."""

from citations.models.citations import Citation, CitationStatus, MatchType, VerifiedBy
from citations.models.claims import (
    Category,
    Claim,
    ClaimStatus,
    ClaimType,
    ContradictionStatus,
    Section,
    SectionStatus,
    Strength,
)
from citations.models.contradictions import ConflictKind, Contradiction, Resolution
from citations.models.domains import DomainRule
from citations.models.findings import (
    CheckLevel,
    IssueSeverity,
    IssueType,
    OverallStatus,
    VerificationIssue,
    VerificationReport,
    Warning,
    WarningKind,
    WarningSeverity,
)
from citations.models.rechecks import RECHECK_OPEN, Recheck, RecheckedCitation, RecheckOutcome, RecheckState

__all__ = [
    "RECHECK_OPEN",
    "Category",
    "CheckLevel",
    "Citation",
    "CitationStatus",
    "Claim",
    "ClaimStatus",
    "ClaimType",
    "ConflictKind",
    "Contradiction",
    "ContradictionStatus",
    "DomainRule",
    "IssueSeverity",
    "IssueType",
    "MatchType",
    "OverallStatus",
    "Recheck",
    "RecheckOutcome",
    "RecheckState",
    "RecheckedCitation",
    "Resolution",
    "Section",
    "SectionStatus",
    "Strength",
    "VerificationIssue",
    "VerificationReport",
    "VerifiedBy",
    "Warning",
    "WarningKind",
    "WarningSeverity",
]
