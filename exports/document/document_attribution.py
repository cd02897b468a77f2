"""Short attributions with publisher or title and date, built from the metadata of the sources. Pure.

They are part of the display, in the active language: "Django 5.2 release notes, April 2025", "OWASP, Password Storage
Cheat Sheet, August 2026 and 2 more".
"""

import re
from collections.abc import Iterable, Sequence

from django.utils.translation import ngettext

from exports.document.document_sources import SourceEntry
from exports.document.format_document_dates import is_date, to_the_month

TITLE, NAME = 60, 72  # maximum characters of a title, and of a title together with its publisher
_LEAST = 4  # characters before a colon or a pipe that are enough to name a document
_AS_OF = re.compile(r"\s*\((?:[^()]*\s)?(?P<date>\d{4}-\d{2}(?:-\d{2})?)\)\s*$")  # "(site as of 2026-08-17)"
_SEPARATOR = re.compile(r"\s*(?::|\||·|\s[–—-])\s+")


def attribution(
    sources: Sequence[SourceEntry], origins: int = 1, *, said: Sequence[str] = (), in_full: bool = False
) -> str:
    """Return the name and date of the best source, and the number of further independent ones, of `origins` in total.

    `said` are texts shown beside it, such as the headings of its row and column. A source that they name comes first,
    and if it is the only one, it is not named again unless `in_full`. Empty if there are no sources.
    """
    ranked = rank_sources(sources)
    if not ranked:
        return ""
    more = max(0, min(origins, len(ranked)) - 1)
    headed = [source for source in ranked if any(_heads(head, title_of(source)) for head in said)]
    best = (headed or ranked)[0]
    name, when = name_of(best), to_the_month(date_of(best))
    if not more and not in_full:
        when = "" if _is_dated(said, date_of(best), by_year=bool(headed)) else when
        name = "" if headed else name
    if when and when.casefold() in name.casefold():
        when = ""
    named = ", ".join(filter(None, (name, when)))
    if not more:
        return named
    wording = ngettext("%(source)s and %(count)s more", "%(source)s and %(count)s more", more)
    return wording % {"source": named, "count": more}


def rank_sources(sources: Iterable[SourceEntry]) -> list[SourceEntry]:
    """Return each source once, those of better tiers first, then newer ones."""
    once = {source.id: source for source in sources}.values()
    newest_first = sorted(once, key=lambda source: date_of(source), reverse=True)
    return sorted(newest_first, key=lambda source: source.tier)


def newest_of(sources: Iterable[SourceEntry]) -> SourceEntry | None:
    """Return the cited source with the latest date (a day is later than its month); None if none has a date."""
    dated = [source for source in sources if source.number and date_of(source)]
    return max(dated, key=lambda source: (date_of(source), -(source.number or 0)), default=None)


def date_of(source: SourceEntry) -> str:
    """Return the publication date in ISO 8601, else the "as of" date in the title; empty if neither is known."""
    if is_date(source.published):
        return source.published
    found = _AS_OF.search(source.title)
    return found["date"] if found and is_date(found["date"]) else ""


def title_of(source: SourceEntry) -> str:
    """Return the title on one line without its "as of" date; if it has none, the name of the site or file."""
    titled = " ".join(_AS_OF.sub("", source.title).split())
    return titled or source.domain or source.file.rpartition("/")[2]


def name_of(source: SourceEntry) -> str:
    """Return the shortened title, preceded by the publisher if the title does not contain it and both are short."""
    title = shorten_title(title_of(source))
    publisher = " ".join(source.publisher.split())
    if not title or not publisher or _is_publisher_named(title_of(source), publisher):
        return title or publisher
    both = f"{publisher}, {title}"
    return both if len(both) <= NAME else title


def makers_of(source: SourceEntry) -> tuple[str, ...]:
    """Return the author and the publisher, else the site, of a source: only one of them if it contains the other."""
    publisher = source.publisher or source.domain
    names = tuple(filter(None, (source.author, publisher)))
    if len(names) < 2:
        return names
    author, other = (f" {_normalize(name)} " for name in names)
    if other in author:
        return (source.author,)
    return (publisher,) if author in other else names


def shorten_title(title: str, most: int = TITLE) -> str:
    """Shorten a title at its last colon, pipe or dash that leaves a name before it, else between words.

    >>> shorten_title("Argon2: the memory-hard function for password hashing and other applications")
    'Argon2'
    """
    if len(title) <= most:
        return title
    ends = [found.start() for found in _SEPARATOR.finditer(title) if _LEAST <= found.start() <= most]
    if ends:
        return title[: ends[-1]]
    return (title[: most - 1].rpartition(" ")[0].rstrip(" ,;:–—-") or title[: most - 1]) + "…"


def _is_publisher_named(title: str, publisher: str) -> bool:
    """Return True if the title names the publisher.

    It does if it contains the publisher's name, begins with its first word ("Django 5.2 …") or has its initials.
    """
    if f" {_normalize(publisher)} " in f" {_normalize(title)} ":
        return True
    first, *_rest = _normalize(publisher).split() or [""]
    initials = "".join(word[0] for word in publisher.split() if word[0].isupper())
    is_in_front = len(first) >= _LEAST and _normalize(title).split()[:1] == [first]
    return is_in_front or (len(initials) > 1 and initials in title.split())


def _heads(said: str, title: str) -> bool:
    """Return True if the text names the document by its full title or its beginning ("Django 5.2, Apr 2025")."""
    head = _normalize(re.split(r"[,(]", said, maxsplit=1)[0])
    whole = _normalize(title)
    return f" {whole} " in f" {_normalize(said)} " or (bool(head) and f"{whole} ".startswith(f"{head} "))


def _is_dated(said: Sequence[str], date: str, *, by_year: bool) -> bool:
    """Return True if a heading contains the date to the month, or is its year (if `by_year`: contains its year)."""
    month, year = to_the_month(date).casefold(), date[:4]
    return bool(date) and any(
        month in head.casefold() or head.strip() == year or (by_year and year in head) for head in said
    )


def _normalize(text: str) -> str:
    return " ".join(re.findall(r"[\w.+-]+", text.casefold()))
