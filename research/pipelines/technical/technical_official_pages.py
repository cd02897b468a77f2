"""Recognise a project's own pages, documentation and repository, by the names in their addresses. Pure.

The address of a project contains its name: nextjs.org for “Next.js”, kubernetes.io, docs.sqlalchemy.org,
github.com/pmndrs/zustand.
"""

import re
from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

from citations.credibility.source_authority_rules import REPOSITORIES
from citations.credibility.source_hosts import host_of
from research.extractive.question.parsed_question import ParsedQuestion
from research.models import SourceType

MIN_NAME_LENGTH = 2  # letters and digits of a name that is compared with hosts
# Additions to a project's name in addresses if the plain name was not available.
_ADDED = r"(?:js|project|lang|py|db|framework|labs|hq|dev|app|org|io|foundation|software)?"
_PREFIXED = r"(?:python|node|py|get|use|go|the)?"
_NOT_DOCUMENTATION = re.compile(
    r"/(?:blog|news|community|pricing|careers|jobs|events?|showcase|sponsors?|contact|login|signup)(?:/|$)",
    re.I,
)
_CONVERSATION = frozenset({"issues", "discussions", "pull", "pulls", "commit", "commits"})


def names_of(question: ParsedQuestion, technologies: Collection[str]) -> tuple[str, ...]:
    """Return the possible names of projects: the technologies, and the names in the question."""
    named = [*question.sides, *(name.surface for name in question.names)]
    words = [term.surface for term in question.terms if term.is_specific or term.surface[:1].isupper()]
    return tuple(dict.fromkeys((*technologies, *named, *words)))


def bare_name(name: str) -> str:
    """Return a name without a version.

    >>> bare_name("Django 5.2"), bare_name("Node.js version")
    ('Django', 'Node.js')
    """
    return re.sub(r"(?:\s+(?:v?\d[\w.]*|versions?|releases?))+$", "", name)


def is_named_in_host(name: str, host: str) -> bool:
    """Return True if a host is named after the project.

    >>> is_named_in_host("Next.js", "nextjs.org"), is_named_in_host("Django", "docs.djangoproject.com")
    (True, True)
    >>> is_named_in_host("React", "reactions.example")
    False
    """
    plain = _compact(bare_name(name))
    if len(plain) < MIN_NAME_LENGTH:
        return False
    wanted = re.compile(rf"{_PREFIXED}{re.escape(plain)}{_ADDED}")
    return any(wanted.fullmatch(_compact(label)) for label in host.split(".")[:-1])


def official_type(url: str, names: Sequence[str]) -> SourceType | None:
    """Return the type of a page of a project with one of these names, documentation or repository; else None."""
    host = host_of(url)
    path = urlsplit(url).path if host else ""
    if host in REPOSITORIES:
        parts = [part for part in path.split("/") if part]
        is_repository = len(parts) >= 2 and not _CONVERSATION & set(parts[2:3])
        is_theirs = any(_compact(name) in map(_compact, parts[:2]) for name in names if _compact(name))
        return SourceType.CODE if is_repository and is_theirs else None
    is_theirs = any(is_named_in_host(name, host) for name in names)
    return SourceType.DOCUMENTATION if is_theirs and not _NOT_DOCUMENTATION.search(path) else None


def _compact(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())
