"""Pages of themes: the built-in ones and the workspace's own, which are checked while they are edited."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from research.web.decks.deck_files_page import build_frame_response
from research.web.decks.theme_form import ThemeForm, initial_of
from research.web.decks.theme_view import sample_page, verdict_of
from research.web.site.view_access import find, may_write, members_only, person, wants_fragment, writers_only
from slides.decks.available_deck_themes import theme_called
from slides.decks.deck_pictures import PictureRefused, store_picture
from slides.models import DeckTheme
from slides.theming.deck_themes import BUILT_IN, Theme

MAX_THEMES = 100  # for each workspace


@members_only
@require_safe
def themes(request: HttpRequest) -> HttpResponse:
    own = [row.value for row in DeckTheme.objects.select_related("logo").order_by("name")]
    shown = {"built_in": BUILT_IN, "own": own, "may_write": may_write(request)}
    return render(request, "research/decks/themes.html", shown)


@writers_only
@require_http_methods(["GET", "HEAD", "POST"])
def new_theme(request: HttpRequest) -> HttpResponse:
    """Show the form, filled in with the theme that the address names."""
    if request.method == "POST":
        return _check_or_save(request, None)
    begun = theme_called(request.GET.get("from", "")) or BUILT_IN[1]
    form = ThemeForm(None, initial=initial_of(begun) | {"name": ""})
    return _page(request, None, form, begun)


@writers_only
@require_http_methods(["GET", "HEAD", "POST"])
def edit_theme(request: HttpRequest, theme_id: UUID) -> HttpResponse:
    row = find(DeckTheme.objects.select_related("logo"), theme_id)
    if request.method == "POST":
        return _check_or_save(request, row)
    return _page(request, row, ThemeForm(row, initial=initial_of(row.value)), row.value)


def _check_or_save(request: HttpRequest, row: DeckTheme | None) -> HttpResponse:
    """Check the theme, or save it if it passes both checks."""
    form = ThemeForm(row, request.POST, request.FILES)
    is_valid = form.is_valid()
    verdict = verdict_of(form.theme)
    if "check" in request.POST:
        if wants_fragment(request):
            return render(request, "research/decks/_theme_verdict.html", {"verdict": verdict})
        return _page(request, row, form, form.theme)
    if verdict and not verdict.passes:
        form.add_error(
            None,
            _("The theme does not pass the checks yet. The notes beside the colours say what to change."),
        )
    elif is_valid and (refusal := _save(request, form, row)):
        form.add_error(None if "logo" not in form.fields else "logo", refusal)
    if form.errors:
        return _page(request, row, form, form.theme, 422)
    messages.success(request, _("The theme was saved. Decks keep theirs until you give them the new one."))
    return redirect("research:themes")


def _save(request: HttpRequest, form: ThemeForm, row: DeckTheme | None) -> str:
    """Save the theme and return the reason if it could not be saved, else an empty string."""
    if row is None and DeckTheme.objects.count() >= MAX_THEMES:
        return _("A workspace has at most %(most)d themes. Delete one first.") % {"most": MAX_THEMES}
    saved = row or DeckTheme()
    form.write_to(saved)
    if (data := form.logo_bytes) is not None:
        try:
            saved.logo = store_picture(data, person(request))
        except PictureRefused as refused:
            return str(refused)
    saved.save()
    return ""


def _page(
    request: HttpRequest, row: DeckTheme | None, form: ThemeForm, theme: Theme | None, status: int = 200
) -> HttpResponse:
    shown = {"row": row, "form": form, "verdict": verdict_of(theme)}
    return render(request, "research/decks/theme.html", shown, status=status)


@writers_only
@require_POST
def delete_theme(request: HttpRequest, theme_id: UUID) -> HttpResponse:
    """Delete a theme. Decks that use it keep their copy."""
    find(DeckTheme.objects.all(), theme_id).delete()
    messages.success(request, _("The theme was deleted. Decks that use it keep it."))
    return redirect("research:themes")


@members_only
@require_safe
@never_cache
@xframe_options_sameorigin
def theme_preview(request: HttpRequest, number: int) -> HttpResponse:
    """Render a sample slide in the theme that the address describes, to be framed."""
    form = ThemeForm(None, request.GET)
    form.is_valid()
    page = sample_page(form.theme, number) if form.theme else None
    if page is None:
        raise Http404
    return build_frame_response(page)
