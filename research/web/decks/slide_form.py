"""The form for the text of a slide. A passage keeps its claim and its sources even if its text changes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from slides.deck import DeckClaim, Layout, Slide, SlideHalf, SlidePassage
from slides.decks.edit_slides import SlideWords, is_edited

MAX_TITLE, MAX_TEXT, MAX_NOTES = 300, 1_000, 5_000


def _line(label: object, value: str, longest: int = MAX_TITLE, *, is_needed: bool = False) -> forms.CharField:
    return forms.CharField(
        label=str(label),
        initial=value,
        required=is_needed,
        max_length=longest,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )


def _text(label: object, value: str, longest: int = MAX_TEXT, rows: int = 2) -> forms.CharField:
    area = forms.Textarea(attrs={"dir": "auto", "rows": rows})
    return forms.CharField(label=str(label), initial=value, required=False, max_length=longest, widget=area)


@dataclass(frozen=True, slots=True)
class PassageField:
    """A field with its passage. `is_new`: the empty one at the end."""

    field: forms.BoundField
    passage: SlidePassage
    claim: DeckClaim | None
    is_edited: bool
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class PassageGroup:
    """The passages of a slide, or of one half of it with the half's heading."""

    heading: forms.BoundField | None
    passages: Sequence[PassageField]


class SlideForm(forms.Form):
    """A field for each passage of the slide, and an empty one in each group."""

    def __init__(self, slide: Slide, claims: dict[int, DeckClaim], *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        self._slide, self._claims = slide, claims
        self.fields["title"] = _line(_("Title"), slide.title, is_needed=True)
        self.fields["title"].error_messages["required"] = gettext(
            "Give the slide a title: it is what is read out and listed first."
        )
        if slide.layout == Layout.TITLE or slide.subtitle:
            self.fields["subtitle"] = _line(_("Line below the title"), slide.subtitle)
        for place, side in enumerate(slide.sides):
            self.fields[f"heading{place}"] = _line(_("Heading"), side.heading)
            self._add_passages(f"side{place}-", side.passages)
        if not slide.sides and slide.layout not in (Layout.TITLE, Layout.IMAGE, Layout.CHART):
            self._add_passages("text-", slide.passages)
        if slide.layout == Layout.QUOTE or slide.attribution:
            self.fields["attribution"] = _line(_("Who said it"), slide.attribution)
        if slide.layout in (Layout.IMAGE, Layout.CHART) or slide.caption:
            self.fields["caption"] = _line(_("Caption"), slide.caption)
        if slide.image:
            self.fields["alt"] = _text(
                _("Description for people who cannot see the picture"), slide.image.alt
            )
        self.fields["notes"] = _text(_("Speaker notes"), slide.notes, MAX_NOTES, 4)

    def _add_passages(self, prefix: str, passages: Sequence[SlidePassage]) -> None:
        for place, passage in enumerate([*passages, SlidePassage("")]):
            label = gettext("Passage %(place)d") % {"place": place + 1}
            self.fields[f"{prefix}{place}"] = _text(label, passage.text)

    @property
    def before(self) -> list[forms.BoundField]:
        return [self[name] for name in ("title", "subtitle") if name in self.fields]

    @property
    def behind(self) -> list[forms.BoundField]:
        return [self[name] for name in ("attribution", "caption", "alt", "notes") if name in self.fields]

    @property
    def groups(self) -> list[PassageGroup]:
        if self._slide.sides:
            return [
                PassageGroup(self[f"heading{place}"], self._passage_fields(f"side{place}-", side.passages))
                for place, side in enumerate(self._slide.sides)
            ]
        if "text-0" in self.fields:
            return [PassageGroup(None, self._passage_fields("text-", self._slide.passages))]
        return []

    def _passage_fields(self, prefix: str, passages: Sequence[SlidePassage]) -> list[PassageField]:
        fields = [
            PassageField(
                self[f"{prefix}{place}"],
                passage,
                self._claims.get(passage.claim or 0),
                is_edited(passage, self._claims),
            )
            for place, passage in enumerate(passages)
        ]
        return [*fields, PassageField(self[f"{prefix}{len(passages)}"], SlidePassage(""), None, False, True)]

    @property
    def words(self) -> SlideWords:
        """Return the input of a valid form."""
        slide = self._slide
        return SlideWords(
            title=self._read_text("title"),
            subtitle=self._read_text("subtitle"),
            passages=self._build_passages("text-", slide.passages)
            if "text-0" in self.fields
            else slide.passages,
            sides=tuple(
                SlideHalf(
                    self._read_text(f"heading{place}"), self._build_passages(f"side{place}-", side.passages)
                )
                for place, side in enumerate(slide.sides)
            ),
            attribution=self._read_text("attribution"),
            caption=self._read_text("caption"),
            notes=self._read_text("notes", keeps_lines=True),
            alt=self._read_text("alt"),
        )

    def _build_passages(self, prefix: str, passages: Sequence[SlidePassage]) -> tuple[SlidePassage, ...]:
        return tuple(
            replace(passage, text=self._read_text(f"{prefix}{place}"))
            for place, passage in enumerate([*passages, SlidePassage("")])
        )

    def _read_text(self, name: str, *, keeps_lines: bool = False) -> str:
        text = str(self.cleaned_data.get(name) or "")
        return text.replace("\r\n", "\n").strip() if keeps_lines else " ".join(text.split())
