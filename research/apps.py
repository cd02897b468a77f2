from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ResearchConfig(AppConfig):
    name = "research"
    verbose_name = _("Research")

    def ready(self) -> None:
        from research.admin_words import name_everything
        from research.kind_paths import register_kind
        from research.lifecycle.recipe import register_path
        from research.llm.provider.guarding import register_guard
        from research.models import Kind

        name_everything()
        register_guard("research.acquisition.model_servers.ModelServerBackend")
        register_path("report", "research.recipes.report.recipe.ReportRecipe")
        register_path("table", "research.recipes.table.recipe.TableRecipe")
        register_path("brief", "research.recipes.brief.recipe.BriefRecipe")
        register_kind(Kind.REPORT, "research.reports.KIND")
        register_kind(Kind.TABLE, "research.tables.starting.KIND")
        register_path("digest", "research.recipes.digest.recipe.DigestRecipe")
        register_kind(Kind.DIGEST, "research.digests.KIND")
        register_path("synthesis", "research.recipes.synthesis.recipe.SynthesisRecipe")
        register_kind(Kind.SYNTHESIS, "research.syntheses.KIND")
        register_kind(Kind.BRIEF, "research.briefs.starting.KIND")
        register_path(Kind.TECHNICAL, "research.recipes.technical.recipe.TechnicalRecipe")
        register_kind(Kind.TECHNICAL, "research.technical.starting.KIND")
