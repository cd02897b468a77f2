"""The decks of a run: a form for a new one, and the list."""

from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from exports.files.request_export import why_not
from research.llm.model_settings import engine
from research.models import Run
from research.web.decks.deck_labels import LENGTHS, OUTLINES, reason_of
from research.web.site.view_access import find, may_write, members_only, person, writers_only
from slides.decks.available_deck_themes import theme_called, themes
from slides.decks.request_deck import DeckRefused, DeckRequest, make_again, request_deck
from slides.models import Deck, Length, Outline

MAX_LIST = 60  # newest decks


class DeckForm(forms.Form):
    """The options of a new deck; a model can be chosen only if one is configured."""

    theme = forms.ChoiceField(label=pgettext_lazy("slides", "Theme"), widget=forms.RadioSelect)
    length = forms.ChoiceField(
        label=gettext_lazy("Length"),
        choices=list(LENGTHS.items()),
        initial=Length.STANDARD,
        widget=forms.RadioSelect,
    )
    outline = forms.ChoiceField(
        label=gettext_lazy("Outline"), initial=Outline.RULES, widget=forms.RadioSelect, required=False
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        theme, outline = self.fields["theme"], self.fields["outline"]
        if isinstance(theme, forms.ChoiceField) and isinstance(outline, forms.ChoiceField):
            self.themes = themes()
            theme.choices = [(choice.id, choice.name) for choice in self.themes]
            self.initial.setdefault("theme", self.themes[0].id)
            has_model = engine() != "extractive"
            outline.choices = [(key, OUTLINES[key]) for key in Outline if has_model or key == Outline.RULES]

    @property
    def wish(self) -> DeckRequest | None:
        """Return the request of a valid form; None if the theme was deleted in the meantime."""
        theme = theme_called(str(self.cleaned_data["theme"]))
        if theme is None:
            return None
        return DeckRequest(
            theme,
            Outline(self.cleaned_data["outline"] or Outline.RULES),
            Length(self.cleaned_data["length"]),
            get_language() or "en",
        )


@require_http_methods(["GET", "HEAD", "POST"])
def decks(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Show the form and the list; a POST makes a new deck."""
    return (_start if request.method == "POST" else _show)(request, run_id)  # type: ignore[return-value]


@members_only
def _show(request: HttpRequest, run_id: UUID) -> HttpResponse:
    return _page(request, find(Run.objects.defer("plan", "outline"), run_id), DeckForm())


@writers_only
def _start(request: HttpRequest, run_id: UUID) -> HttpResponse:
    run = find(Run.objects.defer("plan", "outline"), run_id)
    form = DeckForm(request.POST)
    if not form.is_valid() or (wish := form.wish) is None:
        return _page(request, run, form, 422)
    try:
        deck = request_deck(run, wish, person(request))
    except DeckRefused as refused:
        form.add_error(None, str(refused))
        return _page(request, run, form, 422)
    return redirect("research:deck", deck.pk)


def _page(request: HttpRequest, run: Run, form: DeckForm, status: int = 200) -> HttpResponse:
    decks = list(Deck.objects.filter(run=run).select_related("asked_by").order_by("-created_at")[:MAX_LIST])
    shown = {
        "run": run,
        "form": form,
        "themes": form.themes,
        "chosen": form["theme"].value(),
        "refusal": why_not(run),
        "may_write": may_write(request),
        "decks": [(deck, reason_of(deck.error_code, deck.error)) for deck in decks],
    }
    return render(request, "research/decks/decks.html", shown, status=status)


@writers_only
@require_POST
def deck_again(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """Retry a deck that failed."""
    make_again(find(Deck.objects.all(), deck_id))
    return redirect("research:deck", deck_id)


@writers_only
@require_POST
def delete_deck(request: HttpRequest, deck_id: UUID) -> HttpResponse:
    """Delete a deck with all its versions and files."""
    deck = find(Deck.objects.all(), deck_id)
    run_id = deck.run_id
    deck.delete()
    return redirect("research:decks", run_id)
