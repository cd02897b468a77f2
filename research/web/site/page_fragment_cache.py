"""Caches expensive rendered parts of finished runs while nothing of the run changes.

The key contains everything that a part depends on: the tenant, the run, the part, the language, the visitor's rights,
and a mark of all rows of the run's evidence. Cached parts are rendered without the request, so that they cannot
contain anything of the visitor (name, token, theme, messages). They are cached in this process only, for a short
time, because the mark does not cover the names of people who decided.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Lock
from typing import NamedTuple, Protocol, TypeVar

from django.http import HttpRequest
from django.utils.translation import get_language

from research.db.bulk_sql import open_prepared_cursor
from research.db.tenancy import current_tenant_id
from research.models import Run
from research.web.site.view_access import rights_of

KEPT_S = 300.0
MAX_CHARACTERS = 8_000_000  # for all parts together

_OF_RUN = "run_id = %(run)s"
_SOURCES = "(SELECT id FROM research_source WHERE run_id = %(run)s)"
# The tables of a run's pages; a test compares them with all tables that belong to a run.
READ: Mapping[str, str] = {
    "research_run": "id = %(run)s",
    "research_source": _OF_RUN,
    "research_step": _OF_RUN,
    "research_instruction": _OF_RUN,
    "research_escalation": _OF_RUN,
    "research_reviewitem": _OF_RUN,
    "research_reviewdecision": "escalation_id IN (SELECT id FROM research_escalation WHERE run_id = %(run)s)",
    "research_librarydocument": (
        "id IN (SELECT library_document_id FROM research_source WHERE run_id = %(run)s)"
    ),
    "citations_section": _OF_RUN,
    "citations_claim": _OF_RUN,
    "citations_citation": "claim_id IN (SELECT id FROM citations_claim WHERE run_id = %(run)s)",
    "citations_contradiction": _OF_RUN,
    "citations_warning": _OF_RUN,
    "citations_verificationreport": _OF_RUN,
    "citations_verificationissue": (
        "report_id IN (SELECT id FROM citations_verificationreport WHERE run_id = %(run)s)"
    ),
    "citations_recheck": f"source_id IN {_SOURCES}",
    "citations_recheckedcitation": (
        f"recheck_id IN (SELECT id FROM citations_recheck WHERE source_id IN {_SOURCES})"  # noqa: S608 - ours
    ),
}
# The version of a row is its location and its writing transaction: every change alters one of them.
_VERSIONS = "concat(count(*), ' ', sum(hashtextextended(concat(xmin, ctid), 0)))"
_MARK = "SELECT concat_ws(' ', {})".format(
    ", ".join(f"(SELECT {_VERSIONS} FROM {table} WHERE {where})" for table, where in READ.items())  # noqa: S608 - ours
).replace("%(run)s", "%(run)s::uuid")


class CacheableFragment(Protocol):
    """A rendered part of a run."""

    def __len__(self) -> int: ...


P = TypeVar("P", bound=CacheableFragment)


class _CacheEntry(NamedTuple):
    until: float
    part: CacheableFragment


class FragmentCache:
    """An LRU cache; thread-safe."""

    def __init__(self, most_characters: int = MAX_CHARACTERS, seconds: float = KEPT_S) -> None:
        self._most, self._seconds = most_characters, seconds
        self._lock = Lock()
        self._parts: OrderedDict[Hashable, _CacheEntry] = OrderedDict()
        self._characters = 0

    def get(self, key: Hashable) -> CacheableFragment | None:
        with self._lock:
            kept = self._parts.get(key)
            if kept is None:
                return None
            if kept.until < time.monotonic():
                self._drop(key)
                return None
            self._parts.move_to_end(key)
            return kept.part

    def keep(self, key: Hashable, part: CacheableFragment) -> None:
        with self._lock:
            self._drop(key)
            self._parts[key] = _CacheEntry(time.monotonic() + self._seconds, part)
            self._characters += len(part)
            while self._characters > self._most:
                self._drop(next(iter(self._parts)))

    def forget(self) -> None:
        with self._lock:
            self._parts.clear()
            self._characters = 0

    def _drop(self, key: Hashable) -> None:
        gone = self._parts.pop(key, None)
        self._characters -= len(gone.part) if gone else 0


parts = FragmentCache()


def part_of(request: HttpRequest, run: Run, what: Hashable, make: Callable[[], P]) -> P:
    """Return the result of `make` for the run, cached while the run is unchanged; not cached until the run has ended.

    Errors of `make` propagate, and nothing is cached.
    """
    if not run.is_finished:
        return make()
    key = (current_tenant_id(), run.pk, what, get_language(), rights_of(request), _mark(run))
    known: P | None = parts.get(key)  # type: ignore[assignment]  # `what` determines the type of the part
    if known is None:
        known = make()
        parts.keep(key, known)
    return known


def _mark(run: Run) -> str:
    """Return a value that changes with the rows that the run's pages show."""
    with open_prepared_cursor() as cursor:
        cursor.execute(_MARK, {"run": run.pk})
        return str(cursor.fetchone()[0])
