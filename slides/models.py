"""Models of decks with all their versions and files, and of a tenant's themes and pictures."""

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from exports.files.export_file_state import ExportState, LeasedJob, TakenFile
from research.models.base_models import ChangingModel, CheckedJSONField, TenantKey, TenantModel, one_of
from slides.deck import DeckContent as DeckValue
from slides.decks.stored_deck import DeckEvidence, StoredSlides, deck_of, theme_of
from slides.theming.deck_themes import Theme

COLOUR = RegexValidator(r"\A#[0-9A-Fa-f]{6}\Z", _("A colour is # and six digits from 0 to F."))
MAX_TITLE = 300


class Outline(models.TextChoices):
    """The author of a deck's outline: fixed rules or a language model."""

    RULES = "rules"
    MODEL = "model"


class Length(models.TextChoices):
    SHORT = "short"
    STANDARD = "standard"
    FULL = "full"


class Mode(models.TextChoices):
    HTML = "html", "HTML"
    PNG = "png", "PNG"
    PPTX = "pptx", "PPTX"


class DeckCode(models.TextChoices):
    """The reason why a deck, or a file of it, could not be made."""

    NOT_AVAILABLE = "DECK_NOT_AVAILABLE"  # a program that writes the file is not installed
    NOTHING_TO_SHOW = "DECK_NOTHING_TO_SHOW"
    CANNOT_WRITE = "DECK_CANNOT_WRITE"  # the writer's message gives the reason
    INTERRUPTED = "DECK_INTERRUPTED"
    NOT_STORED = "DECK_NOT_STORED"
    NOT_DRAWN = "DECK_NOT_DRAWN"  # the model or its budget gives the reason
    BROKEN = "DECK_BROKEN"  # an error of the program; the log has details


class Change(models.TextChoices):
    """The kind of change from the previous version."""

    MADE = "made"
    REWORDED = "reworded"
    MOVED = "moved"
    ADDED = "added"
    DELETED = "deleted"
    LAID_OUT = "laid_out"
    PICTURED = "pictured"
    FITTED = "fitted"
    THEMED = "themed"
    RESTORED = "restored"


class Picture(TenantModel):
    """A logo or an image, re-encoded. Equal bytes share a row."""

    object_key = models.CharField(max_length=200)
    media_type = models.CharField(max_length=20)
    width = models.PositiveIntegerField()  # pixels
    height = models.PositiveIntegerField()
    file_size = models.PositiveIntegerField()  # bytes
    is_generated = models.BooleanField(default=False)
    prompt = models.TextField(blank=True)  # the prompt, if it was generated
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "object_key", "is_generated"], name="one_picture_per_bytes"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.width} × {self.height}"


class DeckTheme(ChangingModel):
    """A theme of a tenant's own. Versions of decks keep a copy, so that changes of the theme do not affect them."""

    name = models.CharField(max_length=60)
    primary = models.CharField(max_length=7, validators=[COLOUR])
    secondary = models.CharField(max_length=7, validators=[COLOUR])
    accent = models.CharField(max_length=7, validators=[COLOUR])
    background = models.CharField(max_length=7, validators=[COLOUR])
    text = models.CharField(max_length=7, validators=[COLOUR])
    text_light = models.CharField(max_length=7, validators=[COLOUR])
    heading_font = models.CharField(max_length=40)
    body_font = models.CharField(max_length=40)
    logo = TenantKey("slides.Picture", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tenant", "name"], name="one_theme_per_name"),
            *(
                models.CheckConstraint(
                    name=f"theme_{field}_is_a_colour", condition=Q(**{f"{field}__regex": "^#[0-9A-Fa-f]{6}$"})
                )
                for field in ("primary", "secondary", "accent", "background", "text", "text_light")
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def value(self) -> Theme:
        return Theme(
            str(self.pk),
            self.name,
            self.primary,
            self.secondary,
            self.accent,
            self.background,
            self.text,
            self.text_light,
            self.heading_font,
            self.body_font,
            self.logo.object_key if self.logo else "",
        )


class Deck(LeasedJob):
    """The slides of one report. They are stored with the deck's versions; the newest is the current one."""

    run = TenantKey("research.Run", related_name="decks", db_index=False)
    report_version = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=MAX_TITLE)
    outline = models.CharField(max_length=5, choices=Outline, default=Outline.RULES)
    length = models.CharField(max_length=8, choices=Length, default=Length.STANDARD)
    language = models.CharField(max_length=10, default="en")  # of texts that do not come from the report
    theme = CheckedJSONField(Theme)  # its first theme
    evidence = CheckedJSONField(DeckEvidence, default=dict)
    outlined_by = models.CharField(max_length=5, choices=Outline, blank=True)
    note = models.TextField(blank=True)  # why no model made the outline, if one was requested

    class Meta:
        constraints = [
            *LeasedJob.Meta.constraints,
            one_of("outline", Outline),
            one_of("length", Length),
            one_of("outlined_by", Outline, blank=True),
            models.CheckConstraint(
                name="deck_ready_iff_outlined", condition=Q(state=ExportState.READY) ^ Q(outlined_by="")
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "run", "-created_at"], name="deck_of_run"),
            # the columns by which the sweep searches
            models.Index(
                fields=["tenant", "updated_at"],
                condition=Q(state__in=("waiting", "making")),
                name="deck_open",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class DeckVersion(TenantModel):
    """A deck after a change. A version is never modified."""

    deck = TenantKey("slides.Deck", related_name="versions", db_index=False)
    number = models.PositiveIntegerField()  # from 1
    change = models.CharField(max_length=8, choices=Change)
    slide = models.PositiveSmallIntegerField(null=True, blank=True)  # the number of the changed slide
    title = models.CharField(max_length=MAX_TITLE)
    theme = CheckedJSONField(Theme)
    slides = CheckedJSONField(StoredSlides)
    slide_count = models.PositiveSmallIntegerField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            one_of("change", Change),
            models.UniqueConstraint(fields=["deck", "number"], name="one_version_per_number"),
            models.CheckConstraint(name="version_has_slides", condition=Q(slide_count__gte=1, number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.title} v{self.number}"

    @property
    def theme_value(self) -> Theme:
        return theme_of(self.theme)

    @property
    def value(self) -> DeckValue:
        """Return the deck as a value. Needs `deck` loaded."""
        return deck_of(self.title, self.slides, self.deck.evidence)


class DeckFile(TakenFile):
    """A version of a deck as a file. Two equal requests share the row: `one_deck_file_per_wish`."""

    version = TenantKey("slides.DeckVersion", related_name="files", db_index=False)
    mode = models.CharField(max_length=4, choices=Mode)
    writer_version = models.PositiveSmallIntegerField(default=1)
    notes = models.JSONField(default=list, blank=True)  # sentences on what the writer could not include

    class Meta:
        constraints = [
            *TakenFile.Meta.constraints,
            one_of("mode", Mode),
            models.UniqueConstraint(
                fields=["version", "mode", "writer_version"], name="one_deck_file_per_wish"
            ),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "updated_at"],
                condition=Q(state__in=("waiting", "making")),
                name="deckfile_open",
            ),
            models.Index(fields=["object_key"], condition=~Q(object_key=""), name="deckfile_object"),
        ]

    def __str__(self) -> str:
        return self.filename or f"{self.mode} {self.state}"


class DrawnPicture(LeasedJob):
    """A picture requested from a model for one slide of a version.

    It is put on the slide if the version is still the newest; otherwise the page offers it.
    """

    version = TenantKey("slides.DeckVersion", related_name="drawn")
    slide = models.PositiveSmallIntegerField()  # its number in the version
    words = models.TextField()  # the prompt
    picture = TenantKey("slides.Picture", null=True, blank=True, related_name="+")
    is_placed = models.BooleanField(default=False)

    class Meta:
        constraints = [
            *LeasedJob.Meta.constraints,
            models.CheckConstraint(
                name="drawn_ready_iff_picture", condition=Q(state=ExportState.READY) ^ Q(picture__isnull=True)
            ),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "updated_at"],
                condition=Q(state__in=("waiting", "making")),
                name="drawn_open",
            ),
        ]

    def __str__(self) -> str:
        return self.words[:60]


class RenderedSlide(TenantModel):
    """The image of one slide, stored under a hash of its contents: an unchanged slide is not rendered again."""

    deck = TenantKey("slides.Deck", related_name="rendered", db_index=False)
    content_hash = models.CharField(max_length=64)  # of the rendered page
    object_key = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    file_size = models.PositiveIntegerField()  # bytes

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["deck", "content_hash"], name="one_image_per_slide"),
        ]
        indexes = [models.Index(fields=["object_key"], name="rendered_object")]

    def __str__(self) -> str:
        return self.content_hash[:12]
