"""What several commands take on their command lines."""

from collections.abc import Iterable

from research.recipes.report.config import ConfigError


def settings_of(texts: Iterable[str]) -> dict[str, object]:
    """From texts of the form KEY=VALUE. Raises ConfigError."""
    return dict(_setting(text) for text in texts)


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ConfigError(f"--set takes KEY=VALUE, not “{text}”")
    return key.strip(), value.strip()
