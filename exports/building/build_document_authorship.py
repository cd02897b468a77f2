"""Describes a report's authorship, which is derived from the successful model calls."""

from collections.abc import Mapping, Sequence

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from exports.document.document_authorship import BOTH, MODEL, RULES, AuthorshipEntry
from exports.document.document_tree import INSUFFICIENT, DegradationEntry, Document, StageEntry
from exports.labels.document_labels import word
from exports.stored.translate_exported_sentences import translate_stored_text

ANSWERING = frozenset({"report", "technical"})  # kinds whose statements are to answer a question
UNDER_WAY = "partial"  # status of a report whose model may still answer
MODEL_UNANSWERED = "model_unanswered"  # code of a degradation
# The work done by rules, by the stages in which a model took part.
_QUOTED: Mapping[frozenset[str], Promise] = {
    frozenset({"planned", "read"}): gettext_lazy(
        "A model planned and read; sentences are quoted word for word"
    ),
    frozenset({"planned"}): gettext_lazy("A model planned; sentences are quoted word for word"),
    frozenset({"read"}): gettext_lazy("A model read; sentences are quoted word for word"),
    frozenset(): gettext_lazy("Sentences quoted word for word"),
}


def describe_authorship(document: Document) -> str:
    """Return a short description of who planned, read and wrote a report."""
    authorship = document.authorship
    if document.status == UNDER_WAY and (authorship is not None or document.engine != "extractive"):
        return _("A model takes part")
    if authorship is not None and authorship.is_without_model:
        return _("No model wrote this: sentences are quoted word for word")
    if authorship is not None and authorship.wrote == BOTH:
        return _("Written in part by a model, the rest quoted word for word; checked by rules")
    if document.engine != "extractive":
        return _("Written by a model, checked by rules")
    part = frozenset(authorship.took_part_in) & {"planned", "read"} if authorship else frozenset()
    return str(_QUOTED[part])


def without_model(document: Document) -> str:
    """Return the notice on a report that no model wrote although one was to, with the reason and the remedy."""
    why = why_without_model(document)
    return f"{_('No model wrote this report.')} {why}" if why else ""


def why_without_model(document: Document) -> str:
    """Return the notice for a place whose heading already says that no model wrote the report."""
    found = document.authorship
    if found is None or not found.is_without_model or document.status == UNDER_WAY:
        return ""
    put_together = _("Rules put this report together from the sources’ own sentences.")
    return " ".join(
        filter(None, (translate_stored_text(found.cause), put_together, translate_stored_text(found.advice)))
    )


def manner(document: Document) -> str:
    """Describe how a report was made, in a sentence or two."""
    authorship = document.authorship
    if document.engine == "extractive":
        if authorship is not None and not authorship.is_without_model:
            return f"{describe_authorship(document)}. " + _("Rules rank, group and check them.")
        return _(
            "Extractive: sentences are taken from the sources word for word; rules rank, group and check them. "
            "No language model was used."
        )
    if authorship is not None and authorship.wrote == BOTH:
        return _(
            "A language model wrote part of the text, and rules assembled the rest from the sources’ own "
            "sentences; quotes are anchored in the sources and checked by rules."
        )
    return _("A language model wrote the text; quotes are anchored in the sources and checked by rules.")


def stages(document: Document) -> Sequence[tuple[str, str]]:
    """Return pairs of a stage and its author with the tokens used; empty if no model was to take part."""
    found = document.authorship
    return [(word(stage.name, "stage"), _stage(stage, document)) for stage in found.stages] if found else []


def _stage(stage: StageEntry, document: Document) -> str:
    said = _describe_stage_author(stage, document)
    if not stage.tokens:
        return said
    tokens = ngettext("%(tokens)s token", "%(tokens)s tokens", stage.tokens)
    return f"{said} · {tokens % {'tokens': number_format(stage.tokens, force_grouping=True)}}"


def _describe_stage_author(stage: StageEntry, document: Document) -> str:
    if stage.by == MODEL:
        return _("a model")
    if stage.by == RULES:
        if stage.answered:
            return _("rules; nothing that the model wrote could be used")
        return _("rules; the model did not answer")
    marks = [section.by for section in document.sections if section.by]
    if stage.name == "wrote" and marks:
        counts = {"count": marks.count(MODEL), "total": len(marks)}
        return _("a model %(count)s of %(total)s sections, rules the others") % counts
    return _("a model and rules")


def describe_unjudged_answer(document: Document) -> str:
    """Return the notice that nothing judged whether the statements answer the question.

    Empty if a model chose them, and where nothing claims to be an answer.
    """
    if document.kind not in ANSWERING or document.status == INSUFFICIENT or not document.claims:
        return ""
    return describe_choice_by_rules(document.authorship, document.engine)


def describe_choice_by_rules(authorship: AuthorshipEntry | None, engine: str) -> str:
    """Return the notice on statements that rules chose; empty if a model read or wrote, with the question before it."""
    is_chosen_by_model = (
        bool({"read", "wrote"}.intersection(authorship.took_part_in))
        if authorship
        else engine != "extractive"
    )
    if is_chosen_by_model:
        return ""
    return _("Rules chose the statements: whether they answer the question was not checked.")


def select_shown_degradations(document: Document) -> Sequence[DegradationEntry]:
    """Return the degradations without the one that the report's first notice already states."""
    is_said = bool(without_model(document))
    return [loss for loss in document.degradations if not (is_said and loss.code == MODEL_UNANSWERED)]
