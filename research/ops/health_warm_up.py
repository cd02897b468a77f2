"""Load what a worker needs before its first task, so that no report waits for it: five seconds of CPU time.

Processes are forked from one that has loaded everything: they share its memory, and a new one starts warm. The model's
runtime has a thread of its own, which a fork does not copy. It computes without it, but waits for it when the process
ends (config.services.fork_server, as Celery does, ends forked processes without that).
"""

from pathlib import Path

from django.conf import settings

from citations.credibility.source_authority import classify_source
from citations.entities.entities import find_entities
from citations.find_quantities import find_quantities
from citations.text.claim_words_and_stems import stem
from config.garbage_collection import leave_alone
from research.engine.pipeline_registry import load_pipelines
from research.fetching.canonical_urls import canonical_url
from research.parsing.vectors.embed_texts import builtin_embedder, builtin_token_counts
from research.parsing.vectors.minilm import is_built
from research.parsing.vectors.minilm_files import ModelFilesError
from research.runtime.logs import logger

log = logger(__name__)


def warm_up() -> None:
    """Load everything in a process that forks no others."""
    load_code()
    load_model()
    leave_alone()


def warm_up_before_forking() -> None:
    """Load everything and exempt it from garbage collection, before other processes are forked.

    The collector would otherwise write to every memory page of it.
    """
    load_code()
    load_model()
    leave_alone()


def load_code() -> None:
    """Load the pipelines and the data for text analysis."""
    load_pipelines()
    find_entities("Paris")
    find_quantities("5 km for 5 €")
    stem("houses")
    classify_source(url="https://www.example.org/")
    canonical_url("https://www.example.org/")


def load_model() -> None:
    """Load the model if it has been built: building takes 300 MB, which the process would keep."""
    if not is_built(Path(settings.PLUMBLINE_DATA) / "models"):
        return
    try:
        builtin_embedder().embed(["warm"])
        builtin_token_counts(["warm"])
    except ModelFilesError as error:  # the first step that needs the model will report it to the reader
        log.warning("model_not_loaded", reason=str(error))
