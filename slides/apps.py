from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SlidesConfig(AppConfig):
    name = "slides"
    verbose_name = _("Slides")

    def ready(self) -> None:
        from research.pipelines.common.pipeline_export_step import register_slide_maker

        register_slide_maker("slides.decks.make_deck_of_run.make_deck_of_run")
