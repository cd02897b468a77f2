"""URLs of the pages."""

from django.urls import URLPattern, path

from research.web import (
    claim_page,
    help_pages,
    home,
    library_page,
    log_page,
    new_run,
    plan_page,
    question_page,
    recheck_page,
    report_page,
    review_page,
    run_list,
    run_page,
    sign_in,
    source_list,
    source_page,
)

app_name = "research"

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("login/local/", sign_in.sign_in_locally, name="sign_in_locally"),
    path("runs/", run_list.run_list, name="runs"),
    path("runs/new/", new_run.new_run, name="new_run"),
    path("runs/<uuid:run_id>/", run_page.run, name="run"),
    path("runs/<uuid:run_id>/progress/", run_page.progress, name="progress"),
    path("runs/<uuid:run_id>/cancel/", run_page.cancel, name="cancel"),
    path("runs/<uuid:run_id>/pause/", run_page.pause, name="pause"),
    path("runs/<uuid:run_id>/resume/", run_page.resume, name="resume"),
    path("runs/<uuid:run_id>/questions/<uuid:question_id>/", question_page.answer, name="answer"),
    path("runs/<uuid:run_id>/plan/", plan_page.plan, name="plan"),
    path("runs/<uuid:run_id>/log/", log_page.log, name="log"),
    path("runs/<uuid:run_id>/log.json", log_page.log_as_json, name="log_json"),
    path("runs/<uuid:run_id>/report/", report_page.report, name="report"),
    path("runs/<uuid:run_id>/claims/<int:number>/", claim_page.claim, name="claim"),
    path("runs/<uuid:run_id>/sources/", source_list.sources, name="sources"),
    path("runs/<uuid:run_id>/references.<str:suffix>", source_list.reference_file, name="reference_file"),
    path("sources/<uuid:source_id>/", source_page.source, name="source"),
    path("sources/<uuid:source_id>/pages/<int:number>.png", source_page.page_image, name="page_image"),
    path("sources/<uuid:source_id>/recheck/", recheck_page.recheck, name="recheck"),
    path("sources/<uuid:source_id>/recheck/status/", recheck_page.recheck_status, name="recheck_status"),
    path("library/", library_page.library, name="library"),
    path("review/", review_page.review, name="review"),
    path("help/", help_pages.help_page, name="help"),
    path("help/shortcuts/", help_pages.shortcuts, name="shortcuts"),
    path("accessibility/", help_pages.accessibility, name="accessibility"),
]
