"""Claims and their citations, one module for each family of tables."""

from citations.models.citation_models import Citation, CitationStatus, MatchType, VerifiedBy
from citations.models.claim_models import (
    Category,
    Claim,
    ClaimStatus,
    ClaimType,
    ContradictionStatus,
    Section,
    SectionStatus,
    Strength,
)
from citations.models.contradiction_models import ConflictKind, Contradiction, Resolution
from citations.models.domain_rule_models import DomainRule
from citations.models.recheck_models import (
    RECHECK_OPEN,
    Recheck,
    RecheckedCitation,
    RecheckOutcome,
    RecheckState,
)
from citations.models.verification_models import (
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
