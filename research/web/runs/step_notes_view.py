"""Notes on what did not go as planned in a finished step, for the step log. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from exports.stored.translate_exported_sentences import translate_stored_text
from research.web.runs.trace.step_failure_labels import past_failures
from research.web.site.value_labels import DECISIONS


def step_notes(output: Mapping[str, object], error_code: str = "") -> tuple[str, ...]:
    """Return sentences on earlier tries, providers without results, a model that failed, sources that were not read.

    `error_code` is the step's own: that failure is shown as the step's error, not as an earlier try.
    """
    return tuple(_notes(output, error_code))


def _notes(output: Mapping[str, object], error_code: str) -> Iterator[str]:
    failures = past_failures(output)
    is_own = bool(failures) and failures[-1].code == error_code
    yield from map(str, failures[:-1] if is_own else failures)
    for row in _rows(output.get("decisions")):
        done = DECISIONS.get(str(row.get("decision")), row.get("decision"))
        said = {
            "query": row.get("query"),
            "done": done,
            "why": translate_stored_text(str(row.get("reason") or "")),
        }
        yield _("“%(query)s”: %(done)s (%(why)s)") % said
    for row in _rows(output.get("skipped")):
        said = {
            "provider": row.get("provider"),
            "why": translate_stored_text(str(row.get("message") or "")),
            "code": row.get("code"),
        }
        yield _("%(provider)s returned nothing: %(why)s (%(code)s)") % said
    if output.get("unreadable"):
        yield _("Results of no known shape, left out: %(count)s") % {"count": output["unreadable"]}
    for words in _to_list(output.get("unanswered")):
        yield _("A provider returned nothing: %(words)s") % {"words": translate_stored_text(str(words))}
    for row in _rows([output.get("fallback")]):
        said = {"why": translate_stored_text(str(row.get("message") or "")), "code": row.get("code")}
        yield _("Rules were used instead of a model: %(why)s (%(code)s)") % said
    for page in (output, *_rows(output.get("pages"))):
        yield from _reuse(page)
    for words in _to_list(output.get("effects")):
        yield translate_stored_text(str(words))
    yield from _unread(output)


def _unread(output: Mapping[str, object]) -> Iterator[str]:
    """Yield a note on each of the pages of a row that were not read, and one on the step's own source, or the row."""
    for page in _rows(output.get("pages")):
        if "code" in page:
            yield _("%(page)s was not read: %(why)s (%(code)s)") % {"page": page.get("url"), **_reason(page)}
    if "code" in output and "message" in output:
        yield _("Not read: %(why)s (%(code)s)") % _reason(output)


def _reason(output: Mapping[str, object]) -> Mapping[str, object]:
    return {"why": translate_stored_text(str(output.get("message") or "")), "code": output["code"]}


def _reuse(output: Mapping[str, object]) -> Iterator[str]:
    """Yield a note on a page that was served from the cache or has not changed."""
    if output.get("how") == "kept":
        since = {"when": str(output.get("fetched_at", ""))[:16].replace("T", " ")}
        yield _("Not fetched again: the copy is from %(when)s UTC.") % since
    if output.get("how") == "unchanged":
        yield _("Not sent again: the site says that it did not change.")


def _rows(found: object) -> Sequence[Mapping[str, object]]:
    return [row for row in _to_list(found) if isinstance(row, Mapping)]


def _to_list(found: object) -> Sequence[object]:
    return found if isinstance(found, list) else ()
