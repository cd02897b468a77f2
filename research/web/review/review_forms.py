"""The form for a reviewer's decision on an item."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from research.models import ReviewAct, ReviewItem, ReviewKind
from research.models.schemas import StoredDecision
from research.review.review_evidence import ReviewEvidence

MAX_NOTE, MAX_TEXT = 2_000, 10_000  # limit of StoredDecision
ACTS = (ReviewAct.ACCEPT, ReviewAct.REJECT, ReviewAct.EDIT, ReviewAct.SKIP, ReviewAct.UNDO)
EDITABLE = (ReviewKind.CLAIM, ReviewKind.CONTRADICTION)  # a plan is edited on its own page


class DecisionForm(forms.Form):
    """A form with the note and, while the item is edited, the corrected claim or the side that is right."""

    note = forms.CharField(
        label=_("Note"),
        required=False,
        max_length=MAX_NOTE,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    text = forms.CharField(
        label=_("The claim, corrected"),
        required=False,
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )

    def __init__(
        self,
        item: ReviewItem,
        evidence: ReviewEvidence | None,
        data: QueryDict | None = None,
        *,
        note: str = "",
    ) -> None:
        """Build the form. `evidence` is set only if a claim is edited, since it costs queries."""
        super().__init__(data, initial={"note": note, "text": _text_of(evidence)})
        self.item, self.evidence = item, evidence
        self.fields["winner"] = forms.ChoiceField(
            label=_("Which claim is right?"),
            required=False,
            widget=forms.RadioSelect,
            choices=[(str(side.claim), side.text) for side in (evidence.sides if evidence else ())],
        )
        self.act = ReviewAct.SKIP

    def is_decided(self, act: ReviewAct) -> bool:
        """Return True if the input suffices for the action; otherwise, add an error to its field."""
        self.act = act
        if not self.is_valid():
            return False
        if act == ReviewAct.REJECT and not self.cleaned_data["note"]:
            self.add_error(
                "note", gettext("Say why you reject it: whoever reads the report will want to know.")
            )
        if act == ReviewAct.EDIT and self.item.kind == ReviewKind.CLAIM and not self._is_changed():
            self.add_error("text", gettext("Change the claim first, or accept it as it is."))
        if act == ReviewAct.EDIT and self.item.kind == ReviewKind.CONTRADICTION and not self._winner():
            self.add_error("winner", gettext("Choose the side that is right, or accept that both are shown."))
        return not self.errors

    def decision(self) -> StoredDecision:
        """Return the decision in its storage format."""
        note = self.cleaned_data["note"]
        if self.act != ReviewAct.EDIT:
            return StoredDecision(note=note)
        text = self.cleaned_data["text"] if self.item.kind == ReviewKind.CLAIM else ""
        return StoredDecision(note=note, text=text, winner=self._winner() or None)

    def _winner(self) -> str:
        return str(self.cleaned_data["winner"])

    def _is_changed(self) -> bool:
        text = " ".join(str(self.cleaned_data["text"]).split())
        return bool(text) and text != " ".join(_text_of(self.evidence).split())


def _text_of(evidence: ReviewEvidence | None) -> str:
    return evidence.claim.text if evidence and evidence.claim else ""
