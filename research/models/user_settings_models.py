"""Personal settings: appearance and language of the site, and which mail a user gets."""

from django.conf import settings
from django.db import models

from research.models.base_models import one_of


class ColorScheme(models.TextChoices):
    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Notice(models.TextChoices):
    """A subject of mail; each has its switch in `UserSettings`."""

    ASKED = "asked"
    FAILURE = "failure"
    SCHEDULE_RUN = "schedule_run"


class UserSettings(models.Model):
    """The settings of a user in all tenants. Without a row the defaults apply."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="settings"
    )
    theme = models.CharField(max_length=6, choices=ColorScheme, default=ColorScheme.SYSTEM)
    language = models.CharField(max_length=20, blank=True)  # of the interface; empty: the browser's language
    single_keys = models.BooleanField(default=True)
    mail_asked = models.BooleanField(default=True)
    mail_failures = models.BooleanField(default=True)
    mail_schedules = models.BooleanField(default=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "user settings"
        constraints = [one_of("theme", ColorScheme)]

    def __str__(self) -> str:
        return f"settings of {self.user}"

    def wants(self, notice: Notice) -> bool:
        return {
            Notice.ASKED: self.mail_asked,
            Notice.FAILURE: self.mail_failures,
            Notice.SCHEDULE_RUN: self.mail_schedules,
        }[notice]
