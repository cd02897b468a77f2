"""Prices and capabilities of models, from the operator's table (Language models in the admin)."""

from dataclasses import dataclass, replace
from decimal import Decimal

from research.llm.call_types import Usage
from research.llm.model_settings import Endpoint
from research.llm.provider.model_server_features import ModelCapabilities, StructuredOutputMode, initial
from research.models import FeatureSupport, LanguageModel
from research.runtime.ttl_cache import TtlCache

MILLION = Decimal(1_000_000)
CENT_FRACTION = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """A model's entry in the operator's table of models.

    Prices are US dollars per million tokens; None if unknown.
    """

    usd_input: Decimal | None = None
    usd_output: Decimal | None = None
    context_window: int | None = None
    is_local: bool = False
    features: ModelCapabilities | None = None  # None: nothing is known, try everything

    def cost(self, usage: Usage) -> Decimal | None:
        """Return the cost in dollars, rounded up to a millionth: None if unknown, 0 for a local model."""
        if self.is_local:
            return Decimal(0)
        if self.usd_input is None or self.usd_output is None:
            return None
        spent = (self.usd_input * usage.tokens_input + self.usd_output * usage.tokens_output) / MILLION
        return spent.quantize(CENT_FRACTION, rounding="ROUND_CEILING")


_kept = TtlCache[tuple[str, str], ModelFacts](for_s=60)
forget = _kept.forget


def find_cached_facts(endpoint: Endpoint, model: str) -> ModelFacts | None:
    """Return the facts if they were loaded within the last minute, else None. Does not query the database."""
    return _kept.get((endpoint.base_url, model))


def facts_of(endpoint: Endpoint, model: str) -> ModelFacts:
    """Return the facts about a model, loaded from the database at most once a minute."""
    facts = find_cached_facts(endpoint, model)
    return facts or _kept.keep((endpoint.base_url, model), _load_facts(endpoint, model))


def _load_facts(endpoint: Endpoint, model: str) -> ModelFacts:
    """Return the facts in the row whose base URL is the longest match."""
    rows = LanguageModel.objects.filter(name=model)
    fitting = [row for row in rows if endpoint.base_url.startswith(row.base_url)]
    if not fitting:
        return ModelFacts(is_local=endpoint.is_local)
    row = max(fitting, key=lambda row: len(row.base_url))
    return ModelFacts(
        row.usd_per_million_input,
        row.usd_per_million_output,
        row.context_window,
        row.is_local or endpoint.is_local,
        _features(row, endpoint),
    )


def _features(row: LanguageModel, endpoint: Endpoint) -> ModelCapabilities:
    features = initial(endpoint.host)
    if row.json_schema == FeatureSupport.NO:
        features = replace(features, form=StructuredOutputMode.JSON_MODE)
    return replace(features, temperature=row.temperature != FeatureSupport.NO)
