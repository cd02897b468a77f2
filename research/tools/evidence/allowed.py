"""What a run's owner lets its agents read: which part of the library, whether the web, which pages of it not."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from citations.weighing.hosts import host_of
from research.library.scope import Scope
from research.models import Run, SourceType

MOST_URLS, MOST_SITES = 50, 100
DAY = r"^(\d{4}(-\d\d(-\d\d)?)?)?$"  # or a month, or a year


def _listed(value: object) -> object:
    """Command lines and forms give lists as "a, b"."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


Words = Annotated[list[str], BeforeValidator(_listed)]


class Allowed(BaseModel):
    """What any kind of run may say about sources in its configuration. Dates are ISO 8601, as precise as wished."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    folders: Words = Field(default_factory=list)  # library folders to draw on; empty: the whole library
    sources: Literal["library", "web", "both"] = "library"
    providers: Words = Field(default_factory=list)  # of the web, by name; empty: all that are set up
    # must-read pages: by their copies in the library, else fetched where the web may be drawn on
    urls: Words = Field(default_factory=list, max_length=MOST_URLS)
    excluded_domains: Words = Field(default_factory=list, max_length=MOST_SITES)
    source_types: list[SourceType] = Field(default_factory=list)
    published_from: str = Field(default="", pattern=DAY)
    published_to: str = Field(default="", pattern=DAY)

    @property
    def uses_library(self) -> bool:
        return self.sources != "web"

    @property
    def uses_web(self) -> bool:
        return self.sources != "library"

    @property
    def scope(self) -> Scope:
        """Of the library."""
        return Scope(
            folders=tuple(self.folders),
            source_types=tuple(self.source_types),
            published_from=self.published_from,
            published_to=self.published_to,
        )

    def refusal(self, url: str = "", published: str = "", kind: SourceType | None = None) -> str:
        """Why something is outside of what was asked for; "" where it is not, or where that is not known."""
        host = host_of(url)
        for domain in map(host_of, self.excluded_domains):
            if domain and (host == domain or host.endswith(f".{domain}")):
                return f"The run reads nothing of {domain}."
        if published and published < self.published_from[: len(published)]:
            return f"It was published on {published}, before {self.published_from}."
        if self.published_to and published[: len(self.published_to)] > self.published_to:
            return f"It was published on {published}, after {self.published_to}."
        if self.source_types and kind is not None and kind not in self.source_types:
            return f"It is of another kind than was asked for: {kind}."
        return ""


def allowed_in(run_id: UUID) -> Allowed:
    """Needs the tenant set."""
    return Allowed.model_validate(Run.objects.values_list("config", flat=True).get(pk=run_id))
