"""The names of the steps of a report, as they are stored."""

from enum import StrEnum


class ReportStepName(StrEnum):
    PLAN_BY_RULES = "report.plan"
    PLAN_BY_MODEL = "report.draft_plan"
    REPLAN_BY_RULES = "report.replan"
    REPLAN_BY_MODEL = "report.draft_replan"

    TAKE_FROM_PARENT = "report.parent"
    TAKE_KNOWN = "report.known"
    SEARCH_LIBRARY = "report.search"
    TAKE_URL = "report.url"
    TAKE_DOCUMENT = "report.document"
    PLAN_WEB = "report.web"
    SEARCH_WEB = "report.web_search"
    PICK_PAGES = "report.web_pick"
    LOOK_AGAIN = "report.look_again"

    DELEGATE = "report.delegate"
    DO_TASK = "report.task"
    GATHER = "report.gather"

    HEED_INSTRUCTIONS = "report.heed"
    FOLLOW_INSTRUCTION = "report.instruct"
    PICK_FOR_INSTRUCTION = "report.instruct_pick"
    BEGIN_STATE = "report.begin"

    READ_DOCUMENT = "report.read"
    READ_PAGE = "report.fetch"
    FOLLOW_LINKS = "report.follow"
    NOTE_CLAIMS = "report.claims"
    ADMIT_CLAIMS = "report.admit"

    PREPARE_SENTENCES = "report.prepare"
    ANALYZE_BY_RULES = "report.analyze"
    ANALYZE_BY_MODEL = "report.merge"
    REQUEST_EVIDENCE = "report.request"

    SEEK_SUPPORT = "report.support"
    REWRITE = "report.rewrite"
    WRITE_BY_RULES = "report.write"
    WRITE_BY_MODEL = "report.compose"

    CITE = "report.cite"

    VERIFY_BY_RULES = "report.verify"
    VERIFY_BY_MODEL = "report.check"
    GIVE_OPINION = "report.opinion"
    SETTLE = "report.settle"


# Steps in which a model, if the run has one, reads a source.
READING = (ReportStepName.READ_DOCUMENT, ReportStepName.READ_PAGE, ReportStepName.NOTE_CLAIMS)
# Steps whose outputs hold the claims that were noted of a source: also those for what agents found.
TAKING_NOTES = (*READING, ReportStepName.ADMIT_CLAIMS)
