"""The form of a theme."""

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from slides.models import COLOUR, DeckTheme
from slides.theming.deck_themes import Theme

COLOURS = {
    "primary": gettext_lazy("Primary"),
    "secondary": gettext_lazy("Secondary"),
    "accent": gettext_lazy("Accent"),
    "background": gettext_lazy("Background"),
    "text": gettext_lazy("Text"),
    "text_light": gettext_lazy("Light text"),
}
FONTS = (
    "Helvetica Neue",
    "Inter",
    "Montserrat",
    "Open Sans",
    "Poppins",
    "Roboto",
    "Source Sans 3",
    "Source Serif 4",
)


def _colour(label: object) -> forms.CharField:
    return forms.CharField(
        label=label,  # type: ignore[arg-type]  # a lazy string
        validators=[COLOUR],
        widget=forms.TextInput(attrs={"type": "color"}),
    )


class ThemeForm(forms.Form):
    """Colours, fonts and logo. `complaints_of` checks their contrast and coverage."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    primary = _colour(COLOURS["primary"])
    secondary = _colour(COLOURS["secondary"])
    accent = _colour(COLOURS["accent"])
    background = _colour(COLOURS["background"])
    text = _colour(COLOURS["text"])
    text_light = _colour(COLOURS["text_light"])
    heading_font = forms.ChoiceField(
        label=gettext_lazy("Font of headings"), choices=[(font, font) for font in FONTS]
    )
    body_font = forms.ChoiceField(
        label=gettext_lazy("Font of text"), choices=[(font, font) for font in FONTS]
    )
    logo = forms.FileField(
        label=gettext_lazy("Logo"),
        required=False,
        help_text=gettext_lazy(
            "PNG, JPEG, WebP or GIF. The logo is re-encoded and stored without its metadata."
        ),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp,image/gif"}),
    )
    drops_logo = forms.BooleanField(label=gettext_lazy("Remove the logo"), required=False)

    def __init__(self, row: DeckTheme | None, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        self._row = row
        if row is None or row.logo_id is None:
            del self.fields["drops_logo"]

    def clean_name(self) -> str:
        name = " ".join(str(self.cleaned_data["name"]).split())
        others = DeckTheme.objects.filter(name=name)
        if (others.exclude(pk=self._row.pk) if self._row else others).exists():
            raise forms.ValidationError(_("A theme with this name already exists. Choose another name."))
        return name

    @property
    def colours(self) -> list[forms.BoundField]:
        return [self[name] for name in COLOURS]

    @property
    def rest(self) -> list[forms.BoundField]:
        return [self[name] for name in ("logo", "drops_logo") if name in self.fields]

    @property
    def fonts(self) -> list[forms.BoundField]:
        return [self["heading_font"], self["body_font"]]

    @property
    def theme(self) -> Theme | None:
        """Return the theme as it is entered; None if a colour or font is invalid."""
        names = (*COLOURS, "heading_font", "body_font")
        if not self.is_bound or set(names) & set(self.errors):
            return None
        given = {name: str(self.cleaned_data[name]) for name in names}
        logo = self._row.logo.object_key if self._row and self._row.logo else ""
        return Theme(
            str(self._row.pk) if self._row else "new",
            str(self.cleaned_data.get("name", "")),
            **given,
            logo=logo,
        )

    @property
    def logo_bytes(self) -> bytes | None:
        given = self.cleaned_data.get("logo")
        return given.read() if isinstance(given, UploadedFile) else None

    def write_to(self, row: DeckTheme) -> None:
        """Write everything but the logo of a valid form to the row."""
        for name in ("name", *COLOURS, "heading_font", "body_font"):
            setattr(row, name, str(self.cleaned_data[name]))
        if self.cleaned_data.get("drops_logo"):
            row.logo = None


def initial_of(theme: Theme) -> dict[str, str]:
    names = ("name", *COLOURS, "heading_font", "body_font")
    return {name: str(getattr(theme, name)) for name in names}
