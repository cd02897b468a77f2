"""The "How this was made" part of a paper: settings, searches, instructions, unread sources, time and cost."""

from collections.abc import Iterator

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from exports.building.build_document_authorship import manner, stages
from exports.document.document_tree import Document, SufficiencyEntry, select_cited_sources
from exports.labels.document_labels import word
from exports.labels.format_document_values import (
    describe_search_scope,
    duration,
    percent,
    quoted,
    setting_value,
)
from exports.paper.exported_paper_nodes import Facts, Grid, Heading, Line, Node, Paragraph, words
from exports.stored.translate_exported_sentences import translate_stored_text


def method(document: Document) -> Iterator[Node]:
    yield Heading(1, _("How this was made"), "method")
    yield Facts(tuple(_facts(document)))
    if document.sufficiency:
        yield from _sufficiency(document.sufficiency)


def _facts(document: Document) -> Iterator[tuple[str, Line]]:
    yield _("Method"), words(manner(document))
    for name, said in stages(document):
        yield name, words(said)
    if document.searched:
        yield _("Searched"), words(describe_search_scope(document.searched))
    if document.queries:
        yield _("Searched for"), words("; ".join(document.queries))
    for setting in document.settings:
        values = ", ".join(setting_value(value, setting.name) for value in setting.values)
        yield word(setting.name, "setting"), words(values)
    counts = {"cited": len(select_cited_sources(document.sources)), "total": len(document.sources)}
    yield _("Sources"), words(_("%(cited)s cited of %(total)s") % counts)
    for instruction in document.instructions:
        effects = " ".join(translate_stored_text(effect) for effect in instruction.effects)
        yield _("Instructions during the run"), words(f"{quoted(instruction.text)} {effects}".strip())
    for unread in document.unread:
        yield _("Not available"), words(f"{unread.name}: {translate_stored_text(unread.reason)}")
    if document.seconds is not None:
        yield _("Time"), words(duration(document.seconds))
    yield _("Cost"), words(_cost(document.cost_usd))


def _cost(usd: float | None) -> str:
    if usd is None:
        return _("unknown")
    return _("$%(usd)s") % {"usd": number_format(usd, 2)} if usd else _("free")


def _sufficiency(found: SufficiencyEntry) -> Iterator[Node]:
    yield Heading(2, _("Breadth of the sources"), "sufficiency")
    rounds = ngettext("One round of searches.", "%(rounds)s rounds of searches.", found.rounds)
    mean = _("Mean %(mean)s; at least 75%% is wanted, and the first two must be reached.")
    caveat = _(
        "These checks count and compare the sources. They do not say whether the sources answer the question."
    )
    yield Paragraph(
        words(f"{caveat} {mean % {'mean': percent(found.score)}} {rounds % {'rounds': found.rounds}}")
    )
    rows = tuple(
        (
            words(word(check.name, "sufficiency")),
            words("–" if check.score is None else percent(check.score)),
            words(_outcome(check.is_passed, check.score)),
            words(translate_stored_text(check.detail)),
        )
        for check in found.checks
    )
    head = (pgettext("outcome", "Check"), _("Score"), _("Outcome"), _("Detail"))
    yield Grid(_("Breadth of the sources"), head, rows, (1.4, 0.7, 0.9, 3), frozenset({1}))


def _outcome(is_passed: bool, score: float | None) -> str:
    if is_passed:
        return _("reached")
    return _("not measured") if score is None else _("not reached")
