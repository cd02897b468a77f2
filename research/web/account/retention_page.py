"""The retention page of a workspace: what is deleted when, how much would be deleted now, and a form to change it."""

from collections.abc import Iterable, Mapping, Sequence

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from research.accounts.audit.write_audit_trail import record
from research.accounts.workspace_retention_periods import (
    FOR_GOOD,
    RetentionCategory,
    default_periods,
    effective_periods,
    is_allowed,
    load_chosen_periods,
)
from research.models import Act
from research.ops.retention.choose_retention_periods import choose
from research.ops.retention.retention_sweep import over
from research.web.site.view_access import owners_only

OFFERED = (7, 30, 90, 180, 365, 730, 1825, 3650)  # days
NAMES: Mapping[RetentionCategory, Promise] = {
    RetentionCategory.RUNS: lazy("Finished runs"),
    RetentionCategory.CALLS: lazy("Log of model calls"),
    RetentionCategory.FILES: lazy("Files of reports and slides"),
    RetentionCategory.MESSAGES: lazy("Webhook messages"),
    RetentionCategory.TRAIL: lazy("Activity"),
}
WHAT_GOES: Mapping[RetentionCategory, Promise] = {
    RetentionCategory.RUNS: lazy(
        "Counted from the end of a run. The run is deleted with its report, sources, quotes, files, slides and "
        "shared links; library documents and the credit ledger stay."
    ),
    RetentionCategory.CALLS: lazy(
        "The cost and outcome of each call, with its text if it is stored. Runs stay."
    ),
    RetentionCategory.FILES: lazy(
        "Counted from the creation of a file. A file can be created again as long as its run exists."
    ),
    RetentionCategory.MESSAGES: lazy("Messages that were received, delivered or given up."),
    RetentionCategory.TRAIL: lazy(
        "Who did what. At least 90 days, so that nobody can erase their own traces."
    ),
}


def days_in_words(days: int) -> str:
    if days == FOR_GOOD:
        return _("forever")
    if days % 365 == 0:
        return ngettext("%(n)d year", "%(n)d years", days // 365) % {"n": days // 365}
    return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}


class RetentionForm(forms.Form):
    """A choice for each category; empty: the site's default."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        defaults, now = default_periods(), load_chosen_periods()
        for kept in RetentionCategory:
            as_the_site = _("site default: %(days)s") % {"days": days_in_words(defaults[kept])}
            self.fields[kept.value] = forms.TypedChoiceField(
                label=str(NAMES[kept]),
                help_text=str(WHAT_GOES[kept]),
                choices=[("", as_the_site), *_build_choices(kept, now[kept])],
                coerce=int,
                empty_value=None,
                required=False,
                initial="" if now[kept] is None else now[kept],
            )

    def periods(self) -> dict[RetentionCategory, int | None]:
        return {kept: self.cleaned_data[kept.value] for kept in RetentionCategory}


def _build_choices(kept: RetentionCategory, now: int | None) -> Iterable[tuple[int, str]]:
    """Yield the periods on offer with their labels. The current one is always among them."""
    days = {*OFFERED, *([now] if now else [])}
    yield from ((day, days_in_words(day)) for day in sorted(days) if is_allowed(kept, day))
    if is_allowed(kept, FOR_GOOD):
        yield FOR_GOOD, days_in_words(FOR_GOOD)


@owners_only
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def retention(request: HttpRequest) -> HttpResponse:
    """Show and save the retention periods. A choice that deletes data is confirmed first, with what would be lost."""
    form = RetentionForm(request.POST if request.method == "POST" else None)
    if not form.is_bound:
        return _page(request, form)
    if not form.is_valid():
        return _page(request, form, status=422)
    before, after = effective_periods(load_chosen_periods()), effective_periods(form.periods())
    lost = _more(over(before), over(after))
    if lost and "sure" not in request.POST:
        return _page(request, form, lost=lost, status=422)
    choose(form.periods())
    record(
        Act.RETENTION,
        before={kept.value: days for kept, days in before.items() if days != after[kept]},
        after={kept.value: days for kept, days in after.items() if days != before[kept]},
    )
    messages.success(
        request, _("Saved. Data past its retention period is deleted within the next few hours.")
    )
    return redirect("research:retention")


def _more(
    now: Mapping[RetentionCategory, int], then: Mapping[RetentionCategory, int]
) -> list[tuple[Promise, int]]:
    return [(NAMES[kept], then[kept] - now[kept]) for kept in RetentionCategory if then[kept] > now[kept]]


def _page(
    request: HttpRequest, form: RetentionForm, *, lost: Sequence[tuple[Promise, int]] = (), status: int = 200
) -> HttpResponse:
    going = over(effective_periods(load_chosen_periods()))
    rows = [(form[kept.value], going[kept]) for kept in RetentionCategory]
    shown = {"form": form, "rows": rows, "lost": lost}
    return render(request, "research/account/retention.html", shown, status=status)
