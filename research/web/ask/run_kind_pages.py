"""Pages of the kinds of run that start from existing material: each with its form and the runs of that kind.

A kind defines its texts and its form; the page, the list, the report and the files are shared. Its own results are in
`Run.result["own"]`, which the kind's panel shows on the report.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from exports.document.document_tree import Document
from research.models import Kind, Run
from research.runs import start_and_cancel
from research.web.ask.new_run_page import run_id_of
from research.web.runs.run_list_page import LISTED, RUNS_A_PAGE, with_mixes
from research.web.site.view_access import find, may_write, members_only, person


class FormRefused(Exception):
    """Raised when a submitted form cannot start a run. `field` names the field at fault; None means the whole form."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class StartedWork(Protocol):
    """The work that a form started, with the URL of its page."""

    @property
    def message(self) -> str:
        """Return the message to show on that page; empty for none."""

    def get_absolute_url(self) -> str: ...


class KindForm(forms.Form):
    """The form that requests a run of a kind."""

    is_multipart_form: ClassVar[bool] = True
    action = ""  # text of the button, if it differs from the page's
    sample: ClassVar[str] = ""  # a template that is shown above the button
    rarely_set: ClassVar[frozenset[str]] = frozenset()  # names of optional fields, which are folded
    # Generated for each form: a second click finds the run of the first.
    client_key = forms.CharField(
        required=False, max_length=36, widget=forms.HiddenInput, initial=lambda: str(uuid4())
    )

    @property
    def asked_fields(self) -> "list[forms.BoundField]":
        """Return the fields that are listed one below the other; the others are placed elsewhere."""
        return self.visible_fields()

    @property
    def is_detailed(self) -> bool:
        """Return True if a folded field has a value or an error."""
        return bool(self.rarely_set & {*self.errors, *self.initial})

    @classmethod
    def again(cls, run: Run) -> Mapping[str, object]:
        """Return the initial values for repeating an earlier run."""
        return {}

    @classmethod
    def first_values(cls, owner: User) -> Mapping[str, object]:
        """Return the initial values for a new request."""
        return {}

    @classmethod
    def load_pending_requests(cls) -> Sequence[object]:
        """Return the requests that have not become runs yet, newest first."""
        return ()

    def next_form(self) -> "KindForm | None":
        """Return another form to be shown first, when this one is valid; None if the run can be started."""
        return None

    def start(self, owner: User) -> "Run | StartedWork":
        """Start the run of a valid form, or the work that will become one. Raises FormRefused, InvalidTopic and
        StartRefused.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class KindPage:
    """The texts, form and templates with which one kind is requested and shown.

    `form` is the dotted path of its `KindForm`, imported at first use. `panel` is a template that the report's page
    includes behind its sections, with `own` (the run's own result), `run` and `document`; `head` the same before them.
    """

    kind: Kind
    slug: str
    title: Promise  # title of the page: "Briefs"
    tab: Promise  # in a list of kinds: "A brief"
    offer: Promise  # for readers who do not know it: "A brief of a Parallel result"
    heading: Promise  # heading of the form
    lead: Promise
    action: Promise  # text of the button
    empty: Promise  # shown if the list is empty
    form: str
    panel: str = ""
    head: str = ""

    @property
    def url_name(self) -> str:
        return f"research:{self.slug}"

    def form_class(self) -> type[KindForm]:
        found: type[KindForm] = import_string(self.form)
        return found


BRIEFS = KindPage(
    kind=Kind.BRIEF,
    slug="briefs",
    title=gettext_lazy("Briefs"),
    tab=gettext_lazy("A brief"),
    offer=gettext_lazy("A brief of a Parallel result"),
    heading=gettext_lazy("A brief from a finished research task"),
    lead=gettext_lazy(
        "A result from Parallel becomes a short summary with three to seven checked claims. Every claim links "
        "to the excerpt it is based on."
    ),
    action=gettext_lazy("Make the brief"),
    empty=gettext_lazy("No brief has been made yet."),
    form="research.web.ask.brief_form.BriefForm",
    panel="research/ask/_brief_panel.html",
    head="research/ask/_brief_head.html",
)
DIGESTS = KindPage(
    kind=Kind.DIGEST,
    slug="digests",
    title=gettext_lazy("Digests"),
    tab=gettext_lazy("A digest"),
    offer=gettext_lazy("A digest of a discussion"),
    heading=gettext_lazy("What does a discussion say?"),
    lead=gettext_lazy(
        "The posts and comments of a forum in a few sentences, each of which links to who said it."
    ),
    action=gettext_lazy("Make the digest"),
    empty=gettext_lazy("No digest has been made yet."),
    form="research.web.ask.digest_form.DigestForm",
    head="research/ask/_digest_head.html",
)
SYNTHESES = KindPage(
    kind=Kind.SYNTHESIS,
    slug="syntheses",
    title=gettext_lazy("Syntheses"),
    tab=gettext_lazy("A synthesis"),
    offer=gettext_lazy("A synthesis of studies"),
    heading=gettext_lazy("What do these studies show together?"),
    lead=gettext_lazy(
        "A table of studies becomes areas of agreement and disagreement; each claim names its rows."
    ),
    action=gettext_lazy("Continue"),
    empty=gettext_lazy("No synthesis has been made yet."),
    form="research.web.ask.synthesis_form.SynthesisForm",
    head="research/ask/_synthesis_head.html",
    panel="research/site/_synthesis_panel.html",
)
TECHNICAL = KindPage(
    kind=Kind.TECHNICAL,
    slug="technical",
    title=gettext_lazy("Technical answers"),
    tab=gettext_lazy("A technical answer"),
    offer=gettext_lazy("A technical answer with code"),
    heading=gettext_lazy("Ask a technical question"),
    lead=gettext_lazy("Ranked sources, checked code, and claims that link to the words they are based on."),
    action=gettext_lazy("Search"),
    empty=gettext_lazy("No technical question has been asked yet."),
    form="research.web.ask.technical_form.TechnicalForm",
    head="research/ask/_technical_head.html",
    panel="research/ask/_technical_panel.html",
)
PAGES: Sequence[KindPage] = (BRIEFS, DIGESTS, SYNTHESES, TECHNICAL)


def page_of(kind: str) -> KindPage | None:
    """Return the page of a kind; None if the kind has pages of its own."""
    return next((page for page in PAGES if page.kind == kind), None)


@dataclass(frozen=True, slots=True)
class OwnParts:
    """The parts that a kind of run adds to the page of its report."""

    panel: str
    head: str
    own: Mapping[str, object]


def own_parts(run: Run, document: Document) -> OwnParts | None:
    """Return the parts; None if there is nothing to show, or not yet."""
    page, own = page_of(document.kind), run.outcome.get("own")
    if page is None or not isinstance(own, Mapping) or not own:
        return None
    return OwnParts(page.panel, page.head, own)


@members_only
@require_http_methods(["GET", "HEAD", "POST"])
def kind_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show or process the form of the kind with this `slug`, which is one of `PAGES`."""
    page = next(kind for kind in PAGES if kind.slug == slug)
    if request.method != "POST":
        return _page(request, page, _first_form(request, page))
    if not may_write(request):
        raise PermissionDenied(_("You can read in this workspace, but not start or change anything."))
    form = page.form_class()(request.POST, request.FILES)
    if form.is_valid() and (shown := form.next_form()):
        return _page(request, page, shown)
    started = _start_run(request, form) if form.is_valid() else None
    if started and not isinstance(started, Run) and started.message:
        messages.success(request, started.message)
    return redirect(started.get_absolute_url()) if started else _page(request, page, form, status=422)


def _first_form(request: HttpRequest, page: KindPage) -> KindForm:
    """Return an empty form, or one with the values of an earlier run."""
    form, again = page.form_class(), run_id_of(request.GET.get("again", ""))
    if again is None:
        return form(initial=dict(form.first_values(person(request))))
    return form(initial=dict(form.again(find(Run.objects.filter(kind=page.kind), again))))


def _start_run(request: HttpRequest, form: KindForm) -> Run | StartedWork | None:
    """Start the run; return None if it was refused, in which case the form has the reason."""
    try:
        return form.start(person(request))
    except FormRefused as refusal:
        form.add_error(refusal.field, str(refusal))
    except (start_and_cancel.InvalidTopic, start_and_cancel.StartRefused) as refusal:
        form.add_error(None, str(refusal))
    return None


def _page(request: HttpRequest, page: KindPage, form: KindForm, status: int = 200) -> HttpResponse:
    of_kind = Run.objects.filter(kind=page.kind).order_by("-created_at").only(*LISTED)
    listed = Paginator(of_kind, RUNS_A_PAGE).get_page(request.GET.get("page"))
    shown = {
        "kind_page": page,
        "form": form,
        "awaited": form.load_pending_requests(),
        "page": listed,
        "rows": with_mixes(listed),
        "may_write": may_write(request),
    }
    return render(request, "research/ask/kind_page.html", shown, status=status)
