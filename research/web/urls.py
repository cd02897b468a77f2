"""URLs of the pages."""

from django.urls import URLPattern, path

from research.web.account import (
    account_page,
    audit_page,
    invitation_page,
    model_page,
    retention_page,
    settings_page,
    sign_in_page,
    tokens_page,
    webhooks_page,
    workspace_page,
)
from research.web.ask import home_page, new_run_page, run_kind_pages, schedules_page
from research.web.decks import deck_edit_page as deck_edit
from research.web.decks import deck_files_page as deck_files
from research.web.decks import deck_page as deck_page
from research.web.decks import decks_of_run_page as deck_start
from research.web.decks import slide_pictures_page as deck_pictures
from research.web.decks import theme_pages
from research.web.help import api_page, help_pages
from research.web.knowledge import knowledge_page as knowledge_page
from research.web.library import document_page
from research.web.library import library_page as library_page
from research.web.report import (
    brief_page,
    calibration_review_page,
    claim_page,
    contradictions_page,
    evidence_table_page,
    export_page,
    picture_page,
    recheck_page,
    report_page,
    share_page,
    source_list_page,
    source_page,
    studies_page,
    technical_page,
    warnings_page,
)
from research.web.review import review_page as review_page
from research.web.runs import (
    changes_page,
    escalation_answer_form,
    log_page,
    plan_page,
    run_list_page,
    run_page,
    steering_forms,
)
from research.web.site import display_preferences, page_stylesheet, workspace_switch_view
from research.web.table import change_table_page as table_change
from research.web.table import start_table_page as table_start
from research.web.table import table_cell_page as table_cell
from research.web.table import table_page as table_page

app_name = "research"

urlpatterns: list[URLPattern] = [
    path("", home_page.home, name="home"),
    path("login/local/", sign_in_page.sign_in_locally, name="sign_in_locally"),
    path("workspaces/switch/", workspace_switch_view.switch_workspace, name="switch_workspace"),
    path("workspaces/first/", workspace_page.first_workspace, name="first_workspace"),
    path("workspaces/new/", workspace_page.new_workspace, name="new_workspace"),
    path("invitations/<str:token>/", invitation_page.invitation, name="invitation"),
    path("account/workspace/", workspace_page.workspace, name="workspace"),
    path("account/workspace/name/", workspace_page.rename_workspace, name="rename_workspace"),
    path("account/workspace/retention/", retention_page.retention, name="retention"),
    path("account/model/", model_page.model, name="model"),
    path("account/model/list/", model_page.model_list, name="model_list"),
    path("account/model/check/", model_page.check_model, name="check_model"),
    path("account/model/check/<uuid:check_id>/", model_page.model_check, name="model_check"),
    path("account/workspace/erase/", workspace_page.erase_workspace, name="erase_workspace"),
    path("account/workspace/leave/", workspace_page.leave_workspace, name="leave_workspace"),
    path("account/workspace/members/<uuid:membership_id>/", workspace_page.change_role, name="change_role"),
    path(
        "account/workspace/members/<uuid:membership_id>/remove/",
        workspace_page.remove_member,
        name="remove_member",
    ),
    path("account/workspace/invitations/", workspace_page.invite, name="invite"),
    path(
        "account/workspace/invitations/<uuid:invitation_id>/again/",
        workspace_page.resend_invitation,
        name="resend_invitation",
    ),
    path(
        "account/workspace/invitations/<uuid:invitation_id>/revoke/",
        workspace_page.revoke_invitation,
        name="revoke_invitation",
    ),
    path("account/", account_page.account, name="account"),
    path("account/activity/", audit_page.audit, name="audit"),
    path("account/activity.csv", audit_page.audit_file, name="audit_file"),
    path("account/settings/", settings_page.edit_settings, name="settings"),
    path("account/webhooks/", webhooks_page.webhooks, name="webhooks"),
    path("hooks/parallel/<uuid:tenant_id>/", webhooks_page.parallel_hook, name="parallel_hook"),
    path("account/tokens/", tokens_page.tokens, name="tokens"),
    path("account/tokens/<uuid:token_id>/revoke/", tokens_page.revoke, name="revoke_token"),
    path("account/password/", settings_page.ChangePassword.as_view(), name="password"),
    path("display/", display_preferences.choose_display, name="display"),
    path("runs/", run_list_page.run_list, name="runs"),
    path("runs/new/", new_run_page.new_run, name="new_run"),
    path("runs/new/table/", table_start.new_table, name="new_table"),
    path("runs/<uuid:run_id>/", run_page.run, name="run"),
    path("runs/<uuid:run_id>/progress/", run_page.progress, name="progress"),
    path("runs/<uuid:run_id>/cancel/", run_page.cancel, name="cancel"),
    path("runs/<uuid:run_id>/delete/", run_page.delete, name="delete_run"),
    path("runs/<uuid:run_id>/pause/", run_page.pause, name="pause"),
    path("runs/<uuid:run_id>/resume/", run_page.resume, name="resume"),
    path("runs/<uuid:run_id>/instructions/", steering_forms.instruct, name="instruct"),
    path("runs/<uuid:run_id>/follow-up/", steering_forms.follow_up, name="follow_up"),
    path("runs/<uuid:run_id>/extend/", steering_forms.extend, name="extend"),
    path("runs/<uuid:run_id>/rerun/", run_page.ask_again, name="rerun"),
    path("runs/<uuid:run_id>/questions/<uuid:question_id>/", escalation_answer_form.answer, name="answer"),
    path("runs/<uuid:run_id>/plan/", plan_page.plan, name="plan"),
    path("runs/<uuid:run_id>/log/", log_page.log, name="log"),
    path("runs/<uuid:run_id>/log.json", log_page.log_as_json, name="log_json"),
    path("runs/<uuid:run_id>/report/", report_page.report, name="report"),
    path("runs/<uuid:run_id>/brief.json", brief_page.brief_json, name="brief_json"),
    path("runs/<uuid:run_id>/claims/mark/", calibration_review_page.mark_claims, name="mark_claims"),
    path("runs/<uuid:run_id>/claims/review/", calibration_review_page.review_doubts, name="review_doubts"),
    path("runs/<uuid:run_id>/claims/<int:number>/", claim_page.claim, name="claim"),
    path("runs/<uuid:run_id>/evidence/", evidence_table_page.evidence_table, name="evidence_table"),
    path("runs/<uuid:run_id>/studies/", studies_page.studies, name="studies"),
    path("runs/<uuid:run_id>/table/", table_page.table, name="table"),
    path("runs/<uuid:run_id>/table/rows/", table_page.table_rows, name="table_rows"),
    path("runs/<uuid:run_id>/table/change/", table_change.change_table, name="change_table"),
    path("runs/<uuid:run_id>/table/<int:row>/<slug:field>/", table_cell.table_cell, name="table_cell"),
    path("runs/<uuid:run_id>/contradictions/", contradictions_page.contradictions, name="contradictions"),
    path("runs/<uuid:run_id>/warnings/", warnings_page.warnings, name="warnings"),
    path("runs/<uuid:run_id>/changes/", changes_page.changes, name="changes"),
    path("runs/<uuid:run_id>/changes.json", changes_page.changes_as_json, name="changes_json"),
    path("runs/<uuid:run_id>/sources/", source_list_page.sources, name="sources"),
    path(
        "runs/<uuid:run_id>/references.<str:suffix>", source_list_page.reference_file, name="reference_file"
    ),
    path("runs/<uuid:run_id>/export/", export_page.export, name="export"),
    path("runs/<uuid:run_id>/export/files/", export_page.export_files, name="export_files"),
    path("runs/<uuid:run_id>/export/<uuid:export_id>/", export_page.download, name="download"),
    path("runs/<uuid:run_id>/export/<uuid:export_id>/again/", export_page.export_again, name="export_again"),
    path("runs/<uuid:run_id>/share/", share_page.share, name="share"),
    path("runs/<uuid:run_id>/share/<uuid:link_id>/revoke/", share_page.revoke_share, name="revoke_share"),
    path("runs/<uuid:run_id>/technical.<str:form>", technical_page.output, name="technical_output"),
    path("runs/<uuid:run_id>/diagrams/<int:number>/", technical_page.diagram, name="technical_diagram"),
    path("runs/<uuid:run_id>/ask-further/", technical_page.follow_up, name="technical_follow_up"),
    path("styles/<slug:mark>.css", page_stylesheet.styles, name="styles"),
    path("mermaid.js", technical_page.mermaid, name="mermaid"),
    path("shared/<str:token>/", share_page.show_shared_report, name="shared"),
    path("shared/<str:token>/claims/<int:number>/", share_page.show_shared_claim, name="shared_claim"),
    path("runs/<uuid:run_id>/decks/", deck_start.decks, name="decks"),
    path("decks/<uuid:deck_id>/", deck_page.deck, name="deck"),
    path("decks/<uuid:deck_id>/state/", deck_page.deck_state, name="deck_state"),
    path("decks/<uuid:deck_id>/again/", deck_start.deck_again, name="deck_again"),
    path("decks/<uuid:deck_id>/delete/", deck_start.delete_deck, name="delete_deck"),
    path("decks/<uuid:deck_id>/change/", deck_edit.change_deck, name="change_deck"),
    path("decks/<uuid:deck_id>/slides/<int:number>/", deck_files.slide_preview, name="slide_preview"),
    path("decks/<uuid:deck_id>/picture/", deck_pictures.deck_picture, name="deck_picture"),
    path("decks/<uuid:deck_id>/files/", deck_files.deck_files, name="deck_files"),
    path("decks/<uuid:deck_id>/files/make/", deck_files.make_deck_files, name="make_deck_files"),
    path("decks/<uuid:deck_id>/files/<uuid:file_id>/", deck_files.deck_file, name="deck_file"),
    path(
        "decks/<uuid:deck_id>/files/<uuid:file_id>/again/", deck_files.deck_file_again, name="deck_file_again"
    ),
    path("themes/", theme_pages.themes, name="themes"),
    path("themes/new/", theme_pages.new_theme, name="new_theme"),
    path("themes/preview/<int:number>/", theme_pages.theme_preview, name="theme_preview"),
    path("themes/<uuid:theme_id>/", theme_pages.edit_theme, name="edit_theme"),
    path("themes/<uuid:theme_id>/delete/", theme_pages.delete_theme, name="delete_theme"),
    path("pictures/<uuid:picture_id>/", picture_page.picture, name="picture"),
    path("sources/<uuid:source_id>/", source_page.source, name="source"),
    path("sources/<uuid:source_id>/pages/<int:number>.png", source_page.page_image, name="page_image"),
    path("sources/<uuid:source_id>/picture/", source_page.source_picture, name="source_picture"),
    path("sources/<uuid:source_id>/recheck/", recheck_page.recheck, name="recheck"),
    path("sources/<uuid:source_id>/recheck/status/", recheck_page.recheck_status, name="recheck_status"),
    path("schedules/", schedules_page.schedules, name="schedules"),
    path("schedules/new/", schedules_page.new_schedule, name="new_schedule"),
    path("schedules/<uuid:schedule_id>/", schedules_page.edit_schedule, name="edit_schedule"),
    path("schedules/<uuid:schedule_id>/pause/", schedules_page.pause_schedule, name="pause_schedule"),
    path("schedules/<uuid:schedule_id>/resume/", schedules_page.resume_schedule, name="resume_schedule"),
    path("schedules/<uuid:schedule_id>/run/", schedules_page.run_schedule, name="run_schedule"),
    path("schedules/<uuid:schedule_id>/delete/", schedules_page.delete_schedule, name="delete_schedule"),
    path("knowledge/", knowledge_page.knowledge, name="knowledge"),
    path("library/", library_page.library, name="library"),
    path("library/pages/", library_page.add_pages, name="add_pages"),
    path("library/folders/", library_page.rename, name="rename_folder"),
    path("library/documents/<uuid:document_id>/", document_page.document, name="document"),
    path("library/documents/<uuid:document_id>/reread/", document_page.reread, name="reread"),
    path("library/documents/<uuid:document_id>/move/", document_page.move, name="move_document"),
    path("library/documents/<uuid:document_id>/delete/", document_page.delete, name="delete_document"),
    path("review/", review_page.review, name="review"),
    *(
        path(f"{page.slug}/", run_kind_pages.kind_page, {"slug": page.slug}, name=page.slug)
        for page in run_kind_pages.PAGES
    ),
    path("help/", help_pages.help_page, name="help"),
    path("help/api/", api_page.api_page, name="api"),
    path("help/shortcuts/", help_pages.shortcuts, name="shortcuts"),
    path("accessibility/", help_pages.accessibility, name="accessibility"),
]
