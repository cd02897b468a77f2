"""The entities that the claims of a workspace's finished runs mention, and links between claims of different runs."""

from django.db import models
from django.db.models import F, Q

from research.models.base_models import ChangingModel, TenantKey, TenantModel, one_of


class EntityKind(models.TextChoices):
    NAME = "name"  # a person, organization, product, standard or version, recognised by its form
    PLACE = "place"
    SUBJECT = "subject"  # a sentence's topic in ordinary words: "heat pumps"


class LinkKind(models.TextChoices):
    AGREEMENT = "agreement"
    CONTRADICTION = "contradiction"
    CHANGE = "change"  # another value of the same quantity at another time


class RunKnowledge(ChangingModel):
    """A finished run whose claims are in the graph."""

    run = TenantKey("research.Run", related_name="knowledge", db_index=False)
    claims = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "run knowledge"
        constraints = [models.UniqueConstraint(fields=["run"], name="one_knowledge_per_run")]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.claims}"


class EntityMention(TenantModel):
    """A claim's mention of an entity. Mentions with the same `key` are of the same entity, whatever the spelling."""

    run = TenantKey("research.Run", related_name="mentions")
    claim = TenantKey("citations.Claim", related_name="mentions", db_index=False)
    key = models.CharField(max_length=120)
    name = models.CharField(max_length=120)  # as the claim writes it
    folded = models.CharField(max_length=160)  # normalised for searching
    kind = models.CharField(max_length=7, choices=EntityKind)

    class Meta:
        constraints = [
            one_of("kind", EntityKind),
            models.CheckConstraint(name="mention_has_a_key", condition=~Q(key="")),
            models.UniqueConstraint(fields=["claim", "key"], name="one_mention_per_claim_and_key"),
        ]
        indexes = [
            models.Index(fields=["tenant", "key"], name="mention_by_key"),
            models.Index(fields=["tenant", "folded"], name="mention_by_name"),
        ]

    def __str__(self) -> str:
        return self.name


class ClaimLink(TenantModel):
    """The relation between two claims of different runs.

    `mine` and `theirs` are the words in which they differ; for a change, the times are those of the two
    values (ISO 8601, as precise as known).
    """

    claim = TenantKey("citations.Claim", related_name="links", db_index=False)  # of the earlier run
    other = TenantKey("citations.Claim", related_name="links_from_later")
    kind = models.CharField(max_length=13, choices=LinkKind)
    mine = models.CharField(max_length=300, blank=True)
    theirs = models.CharField(max_length=300, blank=True)
    my_time = models.CharField(max_length=10, blank=True)
    their_time = models.CharField(max_length=10, blank=True)

    class Meta:
        constraints = [
            one_of("kind", LinkKind),
            models.UniqueConstraint(fields=["claim", "other"], name="one_link_per_pair_of_claims"),
            models.CheckConstraint(name="link_between_two_claims", condition=~Q(claim=F("other"))),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.claim_id} – {self.other_id}"
