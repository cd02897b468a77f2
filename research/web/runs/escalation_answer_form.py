"""The answer to an escalation as a whole, on the run's page: approve, reject with a reason, replan."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from research.models import Escalation, ReviewAct, Run
from research.review.answer_escalation import WHOLE, answer_question
from research.review.decide_review_items import DecisionRefused
from research.web.review.review_labels import BEGINS, DEEDS_OF_REVIEW
from research.web.runs.escalation_view import RefusedAnswer
from research.web.runs.run_page import run_with_answer
from research.web.site.view_access import find, person, reviewers_only

MAX_NOTE = 2_000  # limit of StoredDecision


class EscalationAnswerForm(forms.Form):
    """A form for an action and its reason."""

    act = forms.ChoiceField(choices=[(act, act) for act in WHOLE])
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=MAX_NOTE,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )

    def clean(self) -> None:
        act, note = self.cleaned_data.get("act"), self.cleaned_data.get("note")
        if "note" in self.errors or note:
            return
        if act == ReviewAct.REJECT:
            self.add_error("note", _("Say why you reject it: whoever reads the report will want to know."))
        if act == ReviewAct.REPLAN:
            self.add_error("note", _("Say what the new plan should do differently."))


@reviewers_only
@require_POST
def answer(request: HttpRequest, run_id: UUID, question_id: UUID) -> HttpResponse:
    run = find(Run.objects.only("pk"), run_id)
    escalation = find(Escalation.objects.filter(run=run), question_id)
    form = EscalationAnswerForm(request.POST)
    if not form.is_valid():
        return run_with_answer(request, run_id, _build_refused_answer(escalation, form))
    given = form.cleaned_data
    try:
        act = answer_question(escalation, person(request), ReviewAct(given["act"]), given["note"])
    except DecisionRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _format_confirmation(escalation, act))
    return redirect("research:run", run_id)


def _format_confirmation(asked: Escalation, act: ReviewAct) -> str:
    begins = BEGINS.get(asked.rule) if act in (ReviewAct.ACCEPT, ReviewAct.EDIT) else None
    return str(begins or DEEDS_OF_REVIEW[act])


def _build_refused_answer(asked: Escalation, form: EscalationAnswerForm) -> RefusedAnswer:
    faults = [message for messages_of in form.errors.values() for message in messages_of]
    return RefusedAnswer(asked.pk, str(form["note"].value() or ""), " ".join(map(str, faults)))
