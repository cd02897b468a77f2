"""The forms for editing a plan."""

from django import forms
from django.core.validators import MaxValueValidator
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from research.llm.budgets.budget_limits import most
from research.models.schemas import Subtopic
from research.web.review.review_labels import STEP_PRIORITIES
from research.web.site.line_list_form_field import LinesField

MAX_GOAL_LENGTH, MAX_NAME, MAX_QUERY_LENGTH = 1_000, 150, 300  # characters
MAX_QUERIES = 10


def one_line(text: str) -> str:
    """Collapse white space."""
    return " ".join(text.split())


def _query(line: str) -> str:
    query = one_line(line)
    if len(query) > MAX_QUERY_LENGTH:
        text = gettext("“%(query)s…” is longer than %(most)d characters.")
        raise ValueError(text % {"query": query[:40], "most": MAX_QUERY_LENGTH})
    return query


class GoalForm(forms.Form):
    goal = forms.CharField(
        label=_("Goal"),
        max_length=MAX_GOAL_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        error_messages={"required": _("Say what the research should find out.")},
    )

    def clean_goal(self) -> str:
        return one_line(str(self.cleaned_data["goal"]))


class StepForm(forms.Form):
    """A step of a plan, by default a new one."""

    name = forms.CharField(
        label=_("Name"),
        max_length=MAX_NAME,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
        error_messages={"required": _("Give the step a name.")},
    )
    queries = LinesField(_("Searches"), _("One per line. Each is searched for."), MAX_QUERIES, _query)
    target_sources = forms.IntegerField(label=_("Sources wanted"), min_value=1, initial=5)
    priority = forms.ChoiceField(
        label=_("Priority"), choices=list(STEP_PRIORITIES.items()), initial="important"
    )

    def __init__(self, data: QueryDict | None = None, *, step: Subtopic | None = None, prefix: str) -> None:
        initial = {} if step is None else step.model_dump() | {"queries": "\n".join(step.queries)}
        super().__init__(data, initial=initial, prefix=prefix)
        self.was = step
        self.fields["queries"].widget.attrs["dir"] = "auto"
        self.fields["target_sources"].validators.append(MaxValueValidator(most("sources")))
        self.fields["target_sources"].widget.attrs["max"] = most("sources")

    def clean_queries(self) -> list[str]:
        queries = list(self.cleaned_data["queries"])
        if not queries:
            raise forms.ValidationError(gettext("Enter at least one search query."))
        return queries

    def step(self) -> Subtopic:
        """Return the step from a valid form, with fields that the form does not have unchanged."""
        typed = self.cleaned_data
        return Subtopic(
            name=one_line(typed["name"]),
            description=self.was.description if self.was else "",
            queries=typed["queries"],
            target_sources=typed["target_sources"],
            priority=typed["priority"],
        )
