"""Labels for stored values of briefs, their messages and tables of studies."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from exports.labels.document_study_labels import DIRECTIONS

BRIEF_VOCABULARY: Mapping[str, Mapping[str, Promise]] = {
    "brief_category": {
        "visual": _("visual"),
        "tonal": _("tonal"),
        "factual": _("factual"),
        "strategic": _("strategic"),
    },
    "brief_reason": {
        "low_confidence": _(
            "The task trusts its own result with less than 30%: no claims were taken from it."
        ),
        "no_evidence": _(
            "Nothing that the result cites is evidence for its answer: no claims were taken from it."
        ),
        "quotes_not_found": _(
            "Words that the result quotes do not appear in the library’s copies of their pages: they may be "
            "made up."
        ),
        "contradicted": _(
            "The answer says something that one of its own sources denies. The source’s words are shown."
        ),
    },
    "edit_action": {"add": _("Add"), "remove": _("Remove"), "replace": _("Replace")},
    "edit_target": {
        "base_prompt": _("base prompt"),
        "style_modifier": _("style"),
        "negative_prompt": _("negative prompt"),
        "regional_constraint": _("a region"),
    },
    "consumer": {"image_prompt": _("Image prompts"), "rewrite": _("Rewriting")},
    "secret_purpose": {
        "parallel_webhook": _("Secret of Parallel’s webhooks"),
        "parallel_key": _("Key for Parallel’s interface"),
    },
    "secret_hint": {
        "parallel_webhook": _(
            "Messages that it did not sign are refused. Parallel shows it in its settings."
        ),
        "parallel_key": _(
            "Used to fetch a result when a task has ended or its ID is entered on the Briefs page."
        ),
    },
    "delivery_state": {
        "waiting": _("Waiting"),
        "delivered": _("Delivered"),
        "given_up": _("Given up"),
    },
    "direction": DIRECTIONS,  # findings in a table of studies
    "task_state": {"waiting": _("Waiting for it to end"), "taken_in": _("Processed"), "failed": _("Failed")},
}
