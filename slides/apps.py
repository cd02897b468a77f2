from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SlidesConfig(AppConfig):
    name = "slides"
    verbose_name = _("Slides")
