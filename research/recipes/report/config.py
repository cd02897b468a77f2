"""What can be asked of a report (spec: kinds.md, report). Unknown names and odd values are refused with a reason."""

from collections.abc import Iterable
from typing import Annotated, Literal

from django.conf import settings
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from research.models import SourceType

MOST_QUOTES = 40  # more than a reader checks
MOST_URLS, MOST_SITES = 50, 100


class ConfigError(ValueError):
    """A configuration that cannot be used; str() is for the person who wrote it."""


def _listed(value: object) -> object:
    """Command lines and forms give lists as "a, b"."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


Words = Annotated[list[str], BeforeValidator(_listed)]


class ReportConfig(BaseModel):
    """Configuration of a report run. All fields have defaults: a question alone is enough."""

    model_config = ConfigDict(extra="forbid")

    folders: Words = Field(default_factory=list)  # library folders to draw on; empty: the whole library
    sources: Literal["library", "web", "both"] = "library"
    # must-read pages: by their copies in the library, else fetched where the web may be drawn on
    urls: Words = Field(default_factory=list, max_length=MOST_URLS)
    excluded_domains: Words = Field(default_factory=list, max_length=MOST_SITES)
    source_types: list[SourceType] = Field(default_factory=list)
    published_from: str = Field(default="", pattern=r"^(\d{4}(-\d\d(-\d\d)?)?)?$")
    published_to: str = Field(default="", pattern=r"^(\d{4}(-\d\d(-\d\d)?)?)?$")
    target_sources: int = Field(default=30, ge=1, le=500)
    max_quotes: int = Field(default=MOST_QUOTES, ge=1, le=200)  # citations of the whole report
    fact_check: Literal["basic", "standard", "strict"] = "standard"
    engine: Literal["auto", "extractive"] = "auto"  # auto: a model, where one is configured

    @property
    def uses_library(self) -> bool:
        return self.sources != "web"

    @property
    def uses_web(self) -> bool:
        return self.sources != "library"


def parse_config(values: dict[str, object]) -> ReportConfig:
    """Raises ConfigError that names each field at fault."""
    try:
        config = ReportConfig.model_validate(values)
    except ValidationError as error:
        raise ConfigError("; ".join(_complaints(error))) from error
    if config.sources == "web" and not config.urls and not settings.PLUMBLINE_SEARXNG_URL:
        raise ConfigError(
            "sources: no web search is set up here (PLUMBLINE_SEARXNG_URL), and no urls are given"
        )
    return config


def _complaints(error: ValidationError) -> Iterable[str]:
    for fault in error.errors():
        name = ".".join(map(str, fault["loc"])) or "configuration"
        message = "there is no such setting" if fault["type"] == "extra_forbidden" else fault["msg"]
        yield f"{name}: {message}"
