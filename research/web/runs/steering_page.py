"""Actions on a run's page: instructions, follow-ups, extensions, and related runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from research.llm.budgets.budget_limits import most
from research.models import Run
from research.pipelines.report.report_follow_up import MAX_MORE, sources_read
from research.pipelines.report.send_report_instruction import LONGEST, SHORTEST, why_not
from research.runs.start_and_cancel import MAX_TOPIC, MIN_TOPIC_LENGTH

MORE = 10  # sources that are offered


class OnceForm(forms.Form):
    """A form whose second submission has no further effect."""

    client_key = forms.CharField(
        required=False, max_length=36, widget=forms.HiddenInput, initial=lambda: str(uuid4())
    )


class InstructionForm(OnceForm):
    text = forms.CharField(
        label=_("Give the run an instruction"),
        help_text=_(
            "Add a subject, exclude a site, ask for a section, read more or fewer sources, or only those from "
            "certain years. The run reads it at its next step."
        ),
        widget=forms.Textarea(
            attrs={
                "rows": 2,
                "dir": "auto",
                "autocomplete": "off",
                "minlength": SHORTEST,
                "maxlength": LONGEST,
            }
        ),
        error_messages={"required": _("Enter an instruction first.")},
    )


class FollowUpForm(OnceForm):
    question = forms.CharField(
        label=_("Ask a follow-up question"),
        help_text=_(
            "It is answered from the sources of this run first; further searches are made only if they do "
            "not answer it."
        ),
        widget=forms.Textarea(
            attrs={
                "rows": 2,
                "dir": "auto",
                "autocomplete": "off",
                "minlength": MIN_TOPIC_LENGTH,
                "maxlength": MAX_TOPIC,
            }
        ),
        error_messages={"required": _("Write a question first.")},
    )


class ExtensionForm(OnceForm):
    more = forms.IntegerField(
        label=_("How many more sources"),
        min_value=1,
        max_value=MAX_MORE,
        initial=MORE,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


@dataclass(frozen=True, slots=True)
class Forms:
    """Refused forms; None for those that were not used."""

    instruction: InstructionForm | None = None
    follow_up: FollowUpForm | None = None
    extension: ExtensionForm | None = None


@dataclass(frozen=True, slots=True)
class Steering:
    instruction: InstructionForm
    follow_up: FollowUpForm
    extension: ExtensionForm
    why_not: str  # the reason why no instruction is possible; empty if it is possible
    children: Sequence[Run]
    sources: int  # the number that a child run would inherit

    @property
    def can_extend(self) -> bool:
        return self.sources < most("sources")


def build_steering(run: Run, sent: Forms) -> Steering:
    """Return the actions for a run that is active or has ended."""
    children = run.children.only("id", "topic", "relation", "state", "created_at", "result")
    return Steering(
        instruction=sent.instruction or InstructionForm(prefix="instruct"),
        follow_up=sent.follow_up or FollowUpForm(prefix="follow"),
        extension=sent.extension or ExtensionForm(prefix="extend"),
        why_not="" if run.is_finished else why_not(run),
        children=tuple(children.order_by("created_at", "id")),
        sources=sources_read(run) if run.is_finished else 0,
    )
