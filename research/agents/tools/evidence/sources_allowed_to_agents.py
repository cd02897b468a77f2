"""The settings for what a run's agents may read: parts of the library, the web, and excluded pages."""

from collections.abc import Iterable
from datetime import date
from functools import cached_property
from typing import Annotated, Literal
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
)

from citations.credibility.source_hosts import host_of
from citations.credibility.source_recency import RecencyBias
from citations.credibility.source_regions import Region, is_elsewhere
from research.agents.tools.evidence.agent_named_sources import parse_doi, parse_site
from research.fetching.canonical_urls import canonical_url
from research.library.library_scope import LibraryScope
from research.models import Run, SourceType
from research.search.search_dois import doi_url

MAX_PAGES_PER_SOURCE = 20
MAX_URLS, MAX_SITES, MAX_DOCUMENTS, MAX_LANGUAGES = 50, 100, 50, 20
DAY = r"^(\d{4}(-\d\d(-\d\d)?)?)?$"  # a day, a month or a year


def _split_list(value: object, info: ValidationInfo) -> object:
    """Split a list given as "a, b" on command lines and in forms; JSON has lists of its own."""
    if isinstance(value, str) and info.mode == "python":
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _once(values: list[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _real_day(text: str) -> str:
    """Return a valid date; the pattern alone would accept 2024-13."""
    if text:
        date.fromisoformat(text + "-01-01"[len(text) - 4 :])
    return text


Listed = BeforeValidator(_split_list)
Day = Annotated[str, StringConstraints(pattern=DAY), AfterValidator(_real_day)]
Words = Annotated[list[str], Listed]
Site = Annotated[str, AfterValidator(parse_site)]
Sites = Annotated[list[Site], Listed, AfterValidator(_once)]
Doi = Annotated[str, AfterValidator(parse_doi)]
Language = Annotated[str, StringConstraints(to_lower=True, pattern=r"^[A-Za-z]{2}$")]  # ISO 639-1


class SourceSettings(BaseModel):
    """The source settings in the configuration of a run of any kind.

    Dates are ISO 8601, as precise as wanted.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    folders: Words = Field(
        default_factory=list,
        description="Folders of the library to search, by key or by the name that pages show, such as"
        " “Sample library”. Empty: the whole library.",
    )
    sources: Literal["library", "web", "both"] = "library"
    providers: Words = Field(default_factory=list)  # for the web, by name; empty: all configured ones
    # Sources that must be read, whatever the filters say. Pages and papers are read from their copies in the library,
    # or
    # else fetched if the run may use the web.
    urls: Words = Field(default_factory=list, max_length=MAX_URLS)
    dois: Annotated[list[Doi], Listed] = Field(default_factory=list, max_length=MAX_URLS)
    documents: Annotated[list[UUID], Listed] = Field(default_factory=list, max_length=MAX_DOCUMENTS)
    # Filters
    excluded_domains: Sites = Field(default_factory=list, max_length=MAX_SITES)
    priority_domains: Sites = Field(default_factory=list, max_length=MAX_SITES)
    source_types: Annotated[list[SourceType], Listed] = Field(default_factory=list)
    regions: Annotated[list[Region], Listed] = Field(default_factory=list)
    languages: Annotated[list[Language], Listed] = Field(default_factory=list, max_length=MAX_LANGUAGES)
    published_from: Day = ""
    published_to: Day = ""
    recency_bias: RecencyBias = RecencyBias.BALANCED
    pages_per_source: int = Field(default=5, ge=1, le=MAX_PAGES_PER_SOURCE)  # when an agent follows its links

    @property
    def uses_library(self) -> bool:
        return self.sources != "web"

    @property
    def uses_web(self) -> bool:
        return self.sources != "library"

    @property
    def scope(self) -> LibraryScope:
        """The part of the library that may be searched."""
        return LibraryScope(
            folders=tuple(self.folders),
            source_types=tuple(self.source_types),
            published_from=self.published_from,
            published_to=self.published_to,
        )

    @property
    def must_read(self) -> list[str]:
        """The URLs of the pages and papers that must be read, each once."""
        return _once([*self.urls, *map(doi_url, self.dois)])

    @cached_property
    def _must_read_pages(self) -> frozenset[str]:
        return frozenset(filter(None, map(canonical_url, self.must_read)))

    def is_must_read(self, url: str) -> bool:
        return bool(self._must_read_pages) and canonical_url(url) in self._must_read_pages

    def is_priority(self, url: str) -> bool:
        return _site_among(url, self.priority_domains) is not None

    def site_refusal(self, url: str) -> str:
        """Return the reason why no page of this URL's site may be read; "" if one may."""
        domain = _site_among(url, self.excluded_domains)
        return f"The run reads nothing of {domain}." if domain else ""

    def refusal(
        self, url: str = "", published: str = "", kind: SourceType | None = None, language: str = ""
    ) -> str:
        """Return the reason why a source is out of scope; "" if it is in scope or that is unknown."""
        if self.is_must_read(url):
            return ""
        if reason := self.site_refusal(url):
            return reason
        return self.date_refusal(published) or self._of_other_kind(url, kind, language)

    def date_refusal(self, published: str) -> str:
        """Return the reason why a source of this date may not be read; "" if it may.

        A source without a date is not known to be out of range.
        """
        if published and published < self.published_from[: len(published)]:
            return f"It was published on {published}, before {self.published_from}."
        if self.published_to and published[: len(self.published_to)] > self.published_to:
            return f"It was published on {published}, after {self.published_to}."
        return ""

    def _of_other_kind(self, url: str, kind: SourceType | None, language: str) -> str:
        if self.source_types and kind is not None and kind not in self.source_types:
            return f"It is of another kind than was asked for: {kind}."
        if self.languages and language and language not in self.languages:
            return f"It is in another language than was asked for: {language}."
        if is_elsewhere(url, frozenset(self.regions)):
            return f"Its site is of another region than was asked for: {host_of(url)}."
        return ""


def _site_among(url: str, sites: Iterable[str]) -> str | None:
    host = host_of(url)
    return next((site for site in sites if host == site or host.endswith(f".{site}")), None)


def load_allowed(run_id: UUID) -> SourceSettings:
    """Load the source settings of a run. Needs the tenant set."""
    return SourceSettings.model_validate(Run.objects.values_list("config", flat=True).get(pk=run_id))
