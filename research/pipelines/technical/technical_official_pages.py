"""Recognise a project's own pages, documentation and repository, by the names in their addresses. Pure.

The address of a project contains its name: nextjs.org for “Next.js”, kubernetes.io, docs.sqlalchemy.org,
github.com/pmndrs/zustand.
"""

import re
from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

from citations.credibility.source_authority_rules import REPOSITORIES
from citations.credibility.source_hosts import compact_name, host_of, is_named_in_host
from research.extractive.question.parsed_question import ParsedQuestion
from research.models import SourceType

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


def official_type(url: str, names: Sequence[str]) -> SourceType | None:
    """Return the type of a page of a project with one of these names, documentation or repository; else None."""
    host = host_of(url)
    path = urlsplit(url).path if host else ""
    if host in REPOSITORIES:
        parts = [part for part in path.split("/") if part]
        is_repository = len(parts) >= 2 and not _CONVERSATION & set(parts[2:3])
        is_theirs = any(
            compact_name(name) in map(compact_name, parts[:2]) for name in names if compact_name(name)
        )
        return SourceType.CODE if is_repository and is_theirs else None
    is_theirs = any(is_named_in_host(name, host) for name in names)
    return SourceType.DOCUMENTATION if is_theirs and not _NOT_DOCUMENTATION.search(path) else None
