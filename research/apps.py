from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ResearchConfig(AppConfig):
    name = "research"
    verbose_name = _("Research")

    def ready(self) -> None:
        from research.admin.admin_labels import name_everything
        from research.engine.pipeline_registry import register_path
        from research.llm.provider.model_connection_guard import register_guard
        from research.models import Kind
        from research.pipelines.pipeline_paths import register_kind
        from research.runs.schedules.start_scheduled_runs import register_starter

        name_everything()
        register_starter("research.pipelines.pipeline_schedules.start_scheduled")
        register_guard("research.fetching.model_server_ssrf_guard.ModelServerBackend")
        register_path("report", "research.pipelines.report.pipeline.ReportPipeline")
        register_path("table", "research.pipelines.table.pipeline.TablePipeline")
        register_path("brief", "research.pipelines.brief.pipeline.BriefPipeline")
        register_kind(Kind.REPORT, "research.pipelines.report.start_report.KIND")
        register_kind(Kind.TABLE, "research.pipelines.table.start_table.KIND")
        register_path("digest", "research.pipelines.digest.pipeline.DigestPipeline")
        register_kind(Kind.DIGEST, "research.pipelines.digest.start_digest.KIND")
        register_path("synthesis", "research.pipelines.synthesis.pipeline.SynthesisPipeline")
        register_kind(Kind.SYNTHESIS, "research.pipelines.synthesis.start_synthesis.KIND")
        register_kind(Kind.BRIEF, "research.pipelines.brief.start_brief.KIND")
        register_path(Kind.TECHNICAL, "research.pipelines.technical.pipeline.TechnicalPipeline")
        register_kind(Kind.TECHNICAL, "research.pipelines.technical.start_technical.KIND")
