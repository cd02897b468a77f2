"""Settings of spending limits and rate limits."""

from django.core.exceptions import ImproperlyConfigured

from config import environment, limit_settings

PLUMBLINE_BUDGET_RUN = limit_settings.table(
    "PLUMBLINE_BUDGET_RUN",
    environment.text("PLUMBLINE_BUDGET_RUN"),
    "input=2000000, output=500000, total=2500000, usd=50",
)
PLUMBLINE_BUDGET_ROLES = limit_settings.table(
    "PLUMBLINE_BUDGET_ROLES",
    environment.text("PLUMBLINE_BUDGET_ROLES"),
    "planner=50000/10000, researcher=200000/20000, extractor=100000/30000, analyzer=300000/50000,"
    " writer=200000/100000, verifier=150000/20000",
)
PLUMBLINE_BUDGET_OPERATIONS = limit_settings.table(
    "PLUMBLINE_BUDGET_OPERATIONS",
    environment.text("PLUMBLINE_BUDGET_OPERATIONS"),
    "search=5000, page_read=50000, model_call=100000/16000, embedding=8000, picture=50000",
)
# The share of a report's budget that is reserved for writing and checking when its sources are read.
PLUMBLINE_BUDGET_WRITING = limit_settings.table(
    "PLUMBLINE_BUDGET_WRITING", environment.text("PLUMBLINE_BUDGET_WRITING"), "share=0.4"
)
if PLUMBLINE_BUDGET_WRITING["share"][0] > 1:
    raise ImproperlyConfigured("PLUMBLINE_BUDGET_WRITING must be share= and a number from 0 to 1.")
PLUMBLINE_TIERS = limit_settings.table(
    "PLUMBLINE_TIERS", environment.text("PLUMBLINE_TIERS"), "free=0.2, pro=1, enterprise=5"
)
PLUMBLINE_CREDITS = limit_settings.table(
    "PLUMBLINE_CREDITS", environment.text("PLUMBLINE_CREDITS"), "free=500, pro=10000, enterprise=100000"
)
PLUMBLINE_LIMITS = limit_settings.table(
    "PLUMBLINE_LIMITS",
    environment.text("PLUMBLINE_LIMITS"),
    "runs=10, fetches=20, agents=50, searches_a_minute=30, fetches_a_minute=60, rechecks_an_hour=60,"
    " exports_an_hour=300, posts_a_minute=60, starts_a_minute=10,"
    " lookups_a_minute=60,"
    " sources=500, chunks=100, words=50000, search_s=30, browse_s=60, extraction_s=120, run_s=3600",
)
