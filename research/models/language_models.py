"""The operator's table of models with prices and features (spec: agents-and-tools.md, The model gateway)."""

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q

from research.models.base_models import one_of


class FeatureSupport(models.TextChoices):
    """A model's support for a feature. If unknown, it is tried and the server's response is remembered."""

    UNKNOWN = "unknown"
    YES = "yes"
    NO = "no"


class LanguageModel(models.Model):
    """A model, at one server or at any. Belongs to the installation, not to a tenant."""

    name = models.CharField(max_length=100)
    base_url = models.CharField(max_length=200, blank=True)  # URL prefix; empty: any server
    # US dollars per million tokens. NULL: unknown, so only tokens are counted.
    usd_per_million_input = models.DecimalField(
        max_digits=12, decimal_places=6, null=True, blank=True, validators=[MinValueValidator(0)]
    )
    usd_per_million_output = models.DecimalField(
        max_digits=12, decimal_places=6, null=True, blank=True, validators=[MinValueValidator(0)]
    )
    context_window = models.PositiveIntegerField(null=True, blank=True)  # tokens
    json_schema = models.CharField(max_length=7, choices=FeatureSupport, default=FeatureSupport.UNKNOWN)
    temperature = models.CharField(max_length=7, choices=FeatureSupport, default=FeatureSupport.UNKNOWN)
    is_local = models.BooleanField(default=False)  # on the operator's machines: costs no dollars
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["name", "base_url"], name="one_row_per_model_and_server"),
            one_of("json_schema", FeatureSupport),
            one_of("temperature", FeatureSupport),
            models.CheckConstraint(
                name="prices_not_negative",
                condition=(Q(usd_per_million_input=None) | Q(usd_per_million_input__gte=0))
                & (Q(usd_per_million_output=None) | Q(usd_per_million_output__gte=0)),
            ),
        ]

    def __str__(self) -> str:
        return self.name
