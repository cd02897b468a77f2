"""The answer to a question as a whole, given on the run's page: approve, reject with a reason, plan again."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from research.models import Escalation, PlanTrigger, PlanVersion, ReviewAct, Run
from research.models.schemas import Plan, StoredDecision
from research.reviewing.deciding import DecisionRefused, decide_whole
from research.web.access import find, person, reviewers_only
from research.web.questions import RefusedAnswer
from research.web.review_words import DEEDS_OF_REVIEW
from research.web.run_page import run_with_answer

LONGEST_NOTE = 2_000  # characters; what StoredDecision holds
WHOLE = (ReviewAct.ACCEPT, ReviewAct.REJECT, ReviewAct.REPLAN)


class AnswerForm(forms.Form):
    """An act and why."""

    act = forms.ChoiceField(choices=[(act, act) for act in WHOLE])
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=LONGEST_NOTE,
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
    asked = find(Escalation.objects.filter(run=run), question_id)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return run_with_answer(request, run_id, _refused(asked, form))
    act, decision = _decision(asked, form)
    try:
        decide_whole(asked.pk, person(request), act, decision)
    except DecisionRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, str(DEEDS_OF_REVIEW[act]))
    return redirect("research:run", run_id)


def _decision(asked: Escalation, form: AnswerForm) -> tuple[ReviewAct, StoredDecision]:
    """Of a valid form. Consent to a plan that a person has edited since the question is kept as an edit."""
    act, note = ReviewAct(form.cleaned_data["act"]), form.cleaned_data["note"]
    edits = PlanVersion.objects.filter(
        run=asked.run_id, trigger=PlanTrigger.EDIT, created_at__gte=asked.created_at
    )
    if act == ReviewAct.ACCEPT and (edited := edits.order_by("-number").first()):
        return ReviewAct.EDIT, StoredDecision(note=note, plan=Plan.model_validate(edited.plan))
    return act, StoredDecision(note=note)


def _refused(asked: Escalation, form: AnswerForm) -> RefusedAnswer:
    faults = [message for messages_of in form.errors.values() for message in messages_of]
    return RefusedAnswer(asked.pk, str(form["note"].value() or ""), " ".join(map(str, faults)))
