"""The search services known to the settings: the key or address that each requires, and those selected."""

from collections.abc import Collection, Mapping

from django.core.exceptions import ImproperlyConfigured

from config import environment

AUTO, NOBODY = "auto", "none"
# "key", "address", or "" for nothing; in the order of the catalogue.
NEEDED: Mapping[str, str] = {
    "searxng": "address",
    "brave": "key",
    "ddgs": "",
    "wikipedia": "",
    "hackernews": "",
    "reddit": "",
    "arxiv": "",
    "openalex": "",
    "crossref": "",
    "semantic_scholar": "",
    "github": "",
    "stackexchange": "",
    "github_code": "key",
}


def parse_provider_names(
    setting: str, has: Mapping[str, str], others: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the names in the setting. `has` maps names to the key or address of those that need one; `others` are MCP
    tools.

    Raises ImproperlyConfigured for an unknown name, and for one whose key or address is missing.
    """
    words = [word.lower() for word in environment.words(setting, default=(AUTO,))]
    if NOBODY in words and len(words) > 1:
        raise ImproperlyConfigured(f"{setting} is {NOBODY}, or names; it is {', '.join(words)}.")
    for word in words:
        if word not in others:
            _check(setting, word, has)
    for name, key in has.items():
        _check_key(name, key)
    return tuple(word for word in words if word != NOBODY)


def _check(setting: str, word: str, has: Mapping[str, str]) -> None:
    if word in (AUTO, NOBODY):
        return
    if word not in NEEDED:
        known = ", ".join(sorted(NEEDED))
        raise ImproperlyConfigured(f"{setting}: there is no provider {word!r}; there are {known}.")
    if NEEDED[word] and not has.get(word):
        raise ImproperlyConfigured(
            f"{setting} names {word}, whose {NEEDED[word]} is not set. See docs/providers.md."
        )


def _check_key(name: str, key: str) -> None:
    """Reject a key that an HTTP header cannot carry. The message does not contain the key."""
    if not key.isascii() or not key.isprintable():
        raise ImproperlyConfigured(f"The key of the provider {name} holds characters that no key has.")


def addresses(setting: str) -> Mapping[str, str]:
    """Map names to base URLs, from "wikipedia=https://mirror.example, …". Raises ImproperlyConfigured."""
    return dict(_address(setting, word) for word in environment.words(setting))


def _address(setting: str, word: str) -> tuple[str, str]:
    name, _, url = (part.strip() for part in word.partition("="))
    if name not in NEEDED or not url.startswith(("http://", "https://")) or "@" in url:
        like = "'wikipedia=https://mirror.example', without a login"
        raise ImproperlyConfigured(f"{setting} must be entries like {like}; the one for {name!r} is none.")
    return name, url.rstrip("/")
