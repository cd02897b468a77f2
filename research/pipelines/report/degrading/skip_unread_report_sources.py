"""Skip sources that could not be read; the report uses the others (spec: EXTRACTION_FAILED)."""

from collections import Counter

from research.engine.states.state_counts import LEFT_ASIDE
from research.engine.states.step_failures import DEFINITIONS, Then
from research.llm.budgets.budget_degradations import Loss, Shortfall, record_loss
from research.models import Run, Source, SourceStatus

ENOUGH_READ = 0.7
SKIPPED = frozenset(code for code, definition in DEFINITIONS.items() if definition.then is Then.SKIP_SOURCE)


def note_skipped_sources(run: Run) -> None:
    """Record, once reading is over, how many sources were skipped because they could not be read.

    Duplicates and sources left out on request do not count as sources. Needs the tenant set.
    """
    rows = Source.objects.filter(run=run).exclude(status__in=LEFT_ASIDE)
    counts = Counter(rows.values_list("status", "error_code"))
    skipped = sum(counts[SourceStatus.FAILED, code] for code in SKIPPED)
    if skipped:
        record_loss(run.pk, loss_of(skipped, counts.total()))


def loss_of(skipped: int, sources: int) -> Loss:
    """Return the loss. Pure."""
    share = skipped / sources
    if 1 - share >= ENOUGH_READ:
        words = f"{skipped} of {sources} sources could not be read and were skipped."
    else:
        read = sources - skipped
        words = f"Only {read} of {sources} sources could be read: the report rests on far fewer than planned."
    return Loss(Shortfall.SOURCES_SKIPPED, share, words)
