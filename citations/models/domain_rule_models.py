"""Administrators' rules on publishers."""

from uuid import UUID

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length

from citations.credibility.source_authority_rules import AuthorityRule
from citations.credibility.source_authority_rules import SourceType as RuledType
from research.models.base_models import ChangingModel, between, one_of
from research.models.source_models import SourceType
from research.runtime.ttl_cache import TtlCache


class DomainRuleQuerySet(models.QuerySet["DomainRule"]):
    def as_rules(self) -> tuple[AuthorityRule, ...]:
        """Return the rules for `classify_source`: longer names first, so that a host's own rule precedes its
        domain's.
        """
        rows = self.order_by(Length("domain").desc(), "domain")
        columns = rows.values_list("domain", "tier", "source_type", "publisher")
        return tuple(
            AuthorityRule(domain, tier, RuledType(kind), publisher)
            for domain, tier, kind, publisher in columns
        )


_kept = TtlCache[UUID, tuple[AuthorityRule, ...]](for_s=15)


def rules_of(tenant_id: UUID) -> tuple[AuthorityRule, ...]:
    """Return `as_rules` of a tenant, cached, since each rated source needs them. Needs the tenant set."""
    known = _kept.get(tenant_id)
    return _kept.keep(tenant_id, DomainRule.objects.as_rules()) if known is None else known


class DomainRule(ChangingModel):
    """An administrator's rule on a publisher; it takes precedence over the built-in table of domains."""

    domain = models.CharField(max_length=255)  # a registrable domain or a host of it, in lower case
    tier = models.PositiveSmallIntegerField()
    source_type = models.CharField(max_length=13, choices=SourceType, default=SourceType.OTHER)
    publisher = models.CharField(max_length=200, blank=True)
    reason = models.TextField(blank=True)  # for reviewers of the table

    objects = DomainRuleQuerySet.as_manager()

    class Meta:
        constraints = [
            between("tier", 1, 5),
            one_of("source_type", SourceType),
            models.CheckConstraint(name="domain_rule_names_a_domain", condition=~Q(domain="")),
            models.UniqueConstraint(fields=["tenant", "domain"], name="one_rule_per_domain"),
        ]

    def __str__(self) -> str:
        return f"{self.domain}: tier {self.tier}"
