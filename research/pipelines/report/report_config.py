"""The configuration of a report (spec: kinds.md, report).

Unknown names and invalid values are rejected with a reason.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from citations.credibility.source_recency import STALE_MONTHS, RecencyBias
from research.agents.tools.evidence.sources_allowed_to_agents import (
    MAX_PAGES_PER_SOURCE,
    Listed,
    SourceSettings,
)
from research.llm.budgets.budget_limits import most
from research.pipelines.common.pipeline_input_lists import Formats
from research.search.chosen_search_services import list_configured_services

Shape = TypeVar("Shape", bound=BaseModel)
MAX_SUBTOPICS, MAX_EXCLUDED = 8, 20
MAX_SOURCES_OF_A_CLAIM = 5
MIN_REPORT, MAX_REPORT = 50, 50_000  # words
DEPTHS: Mapping[str, int] = {"quick": 10, "standard": 30, "comprehensive": 75, "exhaustive": 200}  # sources
# Citations of a report: more than a reader of its depth checks.
QUOTES: Mapping[str, int] = {"quick": 20, "standard": 40, "comprehensive": 80, "exhaustive": 200}

UNKNOWN = "there is no such setting"
NO_SEARCH = "no web search is set up here (PLUMBLINE_PROVIDERS), and no urls are given"


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """A problem with one setting."""

    name: str  # "" for the configuration as a whole
    message: str

    def __str__(self) -> str:
        return f"{self.name or 'configuration'}: {self.message}"


class ConfigError(ValueError):
    """A configuration that cannot be used; str() is for its author."""

    def __init__(self, message: str, complaints: Sequence[SettingProblem] = ()) -> None:
        super().__init__(message)
        self.complaints = tuple(complaints)


# What a run waits for a person with. plan: a plan that takes much of the credits or that its owner wishes to see, and
# a table's first rows; ask: also what is in doubt; never: nothing. What is not asked, its fallback decides at once.
Reviews = Literal["plan", "ask", "never"]
OWN = "own"  # in `Run.config`: the settings that a kind built on the report has besides a report's
Config = TypeVar("Config", bound="EvidenceConfig")


def _each_once(subjects: list[str]) -> list[str]:
    """Return the subjects without repetitions, each in its first spelling and in the given order."""
    spelled: dict[str, str] = {}
    for subject in subjects:
        spelled.setdefault(subject.casefold(), subject)
    return list(spelled.values())


Subject = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=150)]
Subjects = Annotated[list[Subject], Listed, AfterValidator(_each_once)]


class EvidenceConfig(SourceSettings):
    """Configuration shared by a report and the kinds built on it: what is read, and how it is checked."""

    model_config = ConfigDict(extra="forbid")

    depth: Literal["quick", "standard", "comprehensive", "exhaustive"] = "standard"
    target_sources: int = Field(default=DEPTHS["standard"], ge=1, le=500)  # default by depth
    fresh_pages: bool = False  # do not replace a search by pages that earlier runs saved
    ignore_known: bool = False  # ignore what earlier runs of the workspace found
    pages_per_source: int = Field(default=1, ge=1, le=MAX_PAGES_PER_SOURCE)  # by following its own links
    confidence_threshold: float = Field(default=0.6, ge=0, le=1)  # minimum of the mean quality of the sources
    max_quotes: int | None = Field(default=None, ge=1, le=200)  # citations of the report; None: by the depth
    fact_check: Literal["basic", "standard", "strict"] = "standard"
    budget_credits: int | None = Field(
        default=None, ge=1, le=1_000_000
    )  # limit of the run; None: as many as the tier allows
    engine: Literal["auto", "extractive"] = "auto"  # auto: a model, where one is configured
    reviews: Reviews = "plan"
    plan_approval: Literal["automatic", "ask"] = "automatic"  # ask: the owner sees every plan first
    exports: Formats = ()  # made when the report is checked

    @model_validator(mode="before")
    @classmethod
    def _as_of_a_report(cls, values: object, info: ValidationInfo) -> object:
        """Return the settings of a kind built on the report, without its internal ones (see `validate_settings`)."""
        if info.mode == "json":
            return values
        return {k: v for k, v in values.items() if k != OWN} if isinstance(values, dict) else values

    @model_validator(mode="before")
    @classmethod
    def _sources_by_depth(cls, values: object, info: ValidationInfo) -> object:
        """Fill in the number of sources by depth if none is given: forms send it empty, JSON leaves it out."""
        if not isinstance(values, dict):
            return values
        is_empty = info.mode == "python" and values.get("target_sources") in (None, "")
        if "target_sources" in values and not is_empty:
            return values
        rest = {name: value for name, value in values.items() if name != "target_sources"}
        depth = values.get("depth", "standard")
        return rest | {"target_sources": DEPTHS[depth]} if depth in DEPTHS else rest

    @model_validator(mode="after")
    def _dates_in_order(self) -> Self:
        first, last = self.published_from, self.published_to
        if last and first[: len(last)] > last[: len(first)]:
            raise ValueError(f"published_from ({first}) lies after published_to ({last})")
        return self

    @model_validator(mode="after")
    def _someone_to_approve(self) -> Self:
        if self.plan_approval == "ask" and self.reviews == "never":
            raise ValueError("plan_approval cannot be “ask” where reviews are “never”: nobody would be asked")
        return self

    @property
    def most_quotes(self) -> int:
        """The most citations that the report may have."""
        return self.max_quotes or QUOTES[self.depth]

    @property
    def minimum_sources(self) -> int:
        """The number of sources below which a run has not enough: half of those wanted, as for a subtopic."""
        return -(-self.target_sources // 2)

    @property
    def stale_months(self) -> float:
        return STALE_MONTHS[self.recency_bias]

    @property
    def wanted_from(self) -> str:
        """The day from which sources count as inside the range: the requested one, or the start of the recent period if
        only recent sources are wanted.
        """
        if self.published_from or self.recency_bias is not RecencyBias.RECENT:
            return self.published_from
        first = datetime.now(tz=UTC).date() - timedelta(days=self.stale_months * 30.4375)
        return first.isoformat()


class ReportConfig(EvidenceConfig):
    """Configuration of a report run. All fields have defaults: a question alone is enough."""

    subtopics: Subjects = Field(
        default_factory=list,
        max_length=MAX_SUBTOPICS,
        description="Required parts: each is searched for and gets a section of its own.",
    )
    excluded_subjects: Subjects = Field(
        default_factory=list,
        max_length=MAX_EXCLUDED,
        description="Excluded subjects: the report contains nothing about them.",
    )
    sources_per_claim: int = Field(
        default=1,
        ge=1,
        le=MAX_SOURCES_OF_A_CLAIM,
        description="Independent sources required per claim. `thin_claims` decides what happens to claims with fewer.",
    )
    thin_claims: Literal["mark", "leave_out"] = "mark"
    words: int | None = Field(
        default=None,
        ge=MIN_REPORT,
        le=MAX_REPORT,
        description="Maximum length of the report. Null: determined by the depth.",
    )
    commentary: bool = Field(
        default=False,
        description="Add a section, marked as such, that assesses the evidence as a whole.",
    )
    follow_ups: bool = Field(
        default=True, description="Suggest follow-up questions at the end of the report."
    )
    slides: bool = Field(default=False, description="Make slides of the report with the run.")


def validate_values(model: type[Shape], values: Mapping[str, object]) -> Shape:
    """Validate the values. Raises ConfigError that names each invalid field."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        found = list(complaints_about(error))
        raise ConfigError("; ".join(map(str, found)), found) from error


def parse_config(values: Mapping[str, object]) -> ReportConfig:
    """Parse a report's configuration. Raises ConfigError that names each invalid field."""
    return validate_settings(ReportConfig, values)


def validate_settings(model: type[Config], values: Mapping[str, object]) -> Config:
    """Validate the settings of a report, or of a kind built on it. Raises ConfigError that names each invalid field."""
    if OWN in values:
        raise ConfigError(f"{OWN}: {UNKNOWN}", [SettingProblem(OWN, UNKNOWN)])
    config = validate_values(model, values)
    complaints = list(_not_here(config, list_configured_services()))
    if complaints:
        raise ConfigError("; ".join(map(str, complaints)), complaints)
    return config


def _not_here(config: EvidenceConfig, providers: Collection[str]) -> Iterable[SettingProblem]:
    """Yield a problem for each setting that this installation can't provide."""
    if config.target_sources > most("sources"):
        yield SettingProblem("target_sources", f"at most {most('sources')} sources are possible here")
    if config.sources == "web" and not config.must_read and not providers:
        yield SettingProblem("sources", NO_SEARCH)
    absent = ", ".join(name for name in config.providers if name not in providers)
    if absent:
        there = ", ".join(providers) or "none"
        yield SettingProblem("providers", f"{absent} is not set up here; there are: {there}")


def complaints_about(error: ValidationError) -> Iterable[SettingProblem]:
    for fault in error.errors():
        name = ".".join(map(str, fault["loc"]))
        message = UNKNOWN if fault["type"] == "extra_forbidden" else fault["msg"]
        yield SettingProblem(name, message.removeprefix("Value error, "))
