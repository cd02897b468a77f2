"""The configuration of a technical run (spec: kinds.md, technical). Unknown names and invalid values are rejected."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, StringConstraints, ValidationInfo, model_validator

from citations.credibility.source_recency import RecencyBias
from research.agents.tools.evidence.sources_allowed_to_agents import Listed
from research.engine.pipeline_registry import Json
from research.models import Run
from research.pipelines.report.report_config import OWN, EvidenceConfig, validate_settings
from research.search.chosen_search_services import list_configured_services

OVER_FETCH = 2  # sources read for each requested result, since some are weak or gone
MAX_RESULTS, MAX_WORDS = 50, 20
YEAR = timedelta(days=365)


class QuestionType(StrEnum):
    DOCUMENTATION = "documentation"
    BEST_PRACTICES = "best-practices"
    COMPARISON = "comparison"
    ERROR_RESOLUTION = "error-resolution"
    CODE_EXAMPLES = "code-examples"
    PAPER_SUMMARY = "paper-summary"
    DEPENDENCY = "dependency"


class Preference(StrEnum):
    OFFICIAL = "official"
    GITHUB = "github"
    STACKOVERFLOW = "stackoverflow"
    ACADEMIC = "academic"
    BLOGS = "blogs"


ProjectType = Literal["", "frontend", "backend", "ml", "analytics", "fullstack"]
Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
WordList = Annotated[list[Word], Listed, Field(default_factory=list, max_length=MAX_WORDS)]


class TechnicalConfig(EvidenceConfig):
    """The configuration of a technical run. All fields have defaults."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    request_id: Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)] = ""
    type: QuestionType = QuestionType.DOCUMENTATION
    keywords: WordList
    project_type: ProjectType = ""
    technologies: WordList
    problem: Annotated[str, StringConstraints(strip_whitespace=True, max_length=2_000)] = ""
    recency: Literal["latest", "year", "any"] = "any"
    prefer: Annotated[list[Preference], Listed] = Field(default_factory=list)
    depth: Literal["quick", "standard", "comprehensive"] = "standard"
    max_results: int = Field(default=10, ge=1, le=MAX_RESULTS)
    include_code: bool = True
    include_diagrams: bool = False
    synthesize: bool = True
    format: Literal["markdown", "json", "text"] = "markdown"

    @model_validator(mode="before")
    @classmethod
    def _as_a_report(cls, values: object, info: ValidationInfo) -> object:
        """Derive the number of sources and their recency from the settings, unless these are given."""
        if not isinstance(values, dict):
            return values
        is_json = info.mode == "json"  # in JSON null is an invalid value
        given = {name: value for name, value in values.items() if is_json or value is not None}
        wanted = str(given.get("max_results", 10))
        if wanted.isdecimal() and len(wanted) <= len(
            str(MAX_RESULTS)
        ):  # otherwise the field's own validation reports the fault
            given.setdefault("target_sources", OVER_FETCH * max(1, int(wanted)))
        if given.get("recency") == "latest":
            given.setdefault("recency_bias", RecencyBias.RECENT)
        if given.get("recency") == "year":
            given.setdefault("published_from", (datetime.now(tz=UTC) - YEAR).date().isoformat())
        return given

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        if len({technology.casefold() for technology in self.technologies}) != len(self.technologies):
            raise ValueError("technologies: each may be named once")
        return self


def parse_config(values: Mapping[str, object]) -> TechnicalConfig:
    """Parse a configuration. All configured web services are searched, including those for code.

    Raises ConfigError that names each invalid field.
    """
    config = validate_settings(TechnicalConfig, values)
    if config.uses_web and not config.providers:
        return config.model_copy(update={"providers": list(list_configured_services())})
    return config


def to_run_config(config: TechnicalConfig) -> dict[str, Json]:
    """Return the values for `Run.config`: a report's settings as reports store them, and the technical settings."""
    given: dict[str, Json] = config.model_dump(mode="json", exclude_defaults=True)
    own = {name: value for name, value in given.items() if name not in EvidenceConfig.model_fields}
    common = {name: value for name, value in given.items() if name in EvidenceConfig.model_fields}
    return {**common, "target_sources": config.target_sources, OWN: own}


def flat(config: Mapping[str, Json]) -> dict[str, Json]:
    """Return the settings of `Run.config` as one flat mapping, the form in which they are given."""
    own = config.get(OWN) or {}
    rest = {name: value for name, value in config.items() if name != OWN}
    return rest | (dict(own) if isinstance(own, Mapping) else {})


def config_of(run: Run) -> TechnicalConfig:
    """Return the stored configuration of a run."""
    return TechnicalConfig.model_validate(flat(run.config))
