"""What can be asked of a report (spec: kinds.md, report). Unknown names and odd values are refused with a reason."""

from collections.abc import Collection, Iterable
from typing import Literal

from pydantic import ConfigDict, Field, ValidationError

from research.acquisition.providers.catalogue import configured
from research.tools.evidence.allowed import Allowed

MOST_QUOTES = 40  # more than a reader checks


class ConfigError(ValueError):
    """A configuration that cannot be used; str() is for the person who wrote it."""


class ReportConfig(Allowed):
    """Configuration of a report run. All fields have defaults: a question alone is enough."""

    model_config = ConfigDict(extra="forbid")

    target_sources: int = Field(default=30, ge=1, le=500)
    max_quotes: int = Field(default=MOST_QUOTES, ge=1, le=200)  # citations of the whole report
    fact_check: Literal["basic", "standard", "strict"] = "standard"
    engine: Literal["auto", "extractive"] = "auto"  # auto: a model, where one is configured


def parse_config(values: dict[str, object]) -> ReportConfig:
    """Raises ConfigError that names each field at fault."""
    try:
        config = ReportConfig.model_validate(values)
    except ValidationError as error:
        raise ConfigError("; ".join(_complaints(error))) from error
    _check_providers(config, configured())
    return config


def _check_providers(config: ReportConfig, there: Collection[str]) -> None:
    """Raises ConfigError."""
    if config.sources == "web" and not config.urls and not there:
        raise ConfigError(
            "sources: no web search is set up here (PLUMBLINE_PROVIDERS), and no urls are given"
        )
    absent = ", ".join(name for name in config.providers if name not in there)
    if absent:
        raise ConfigError(f"providers: {absent} is not set up here; there are: {', '.join(there) or 'none'}")


def _complaints(error: ValidationError) -> Iterable[str]:
    for fault in error.errors():
        name = ".".join(map(str, fault["loc"])) or "configuration"
        message = "there is no such setting" if fault["type"] == "extra_forbidden" else fault["msg"]
        yield f"{name}: {message}"
