"""Deletes a finished run with all rows that belong to it, in one transaction.

The credit ledger and the audit trail stay. The rows are found by the models' foreign keys, so that a new table cannot
be missed; the database refuses to leave a reference to a deleted row. Stored bytes that no row names are removed by the
cleanup within 30 hours.
"""

from collections.abc import Iterator
from functools import cache, partial
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models, transaction
from django.db.models import CASCADE, SET_NULL, CharField, Model, Q, QuerySet
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from exports.models import Export
from research.models import FINISHED, BriefRecord, ClaimLink, Content, KeptPage, Run
from research.ops.retention.retention_of_files import drop_unnamed
from research.runtime.logs import logger
from slides.models import DeckFile

log = logger(__name__)


class RunNotDeleted(Exception):
    """Nothing was deleted; str() tells the person why."""


def delete_run(run_id: UUID) -> None:
    """Delete a finished run with all that belongs to it. Raises RunNotDeleted.

    Needs the tenant set; runs in its transaction.
    """
    run = Run.objects.select_for_update().filter(pk=run_id).first()
    if run is None:
        raise RunNotDeleted(_("The run is not there any more."))
    if not run.is_finished:
        raise RunNotDeleted(_("The run is still at work. Cancel it first."))
    if run.children.unfinished().exists():
        raise RunNotDeleted(_("Another run goes on from this one. Wait for its end, or cancel it first."))
    texts = list(Content.objects.filter(sources__run=run).distinct().values_list("pk", flat=True))
    keys = _keys_of_files(run)
    _forget_brief(run)
    _let_go(run)
    logged = set(LogEntry.objects.values_list("content_type", flat=True).distinct())
    for rows in _select_dependent_rows(run):
        if ContentType.objects.get_for_model(rows.model).pk in logged:
            _forget_in_admin_log(rows)
        rows._raw_delete(rows.db)
    keys += _forget_texts(texts)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # fails if a row still refers to it
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    transaction.on_commit(partial(drop_unnamed, run.tenant_id, keys))
    log.info("run_deleted", run=str(run_id))


def _keys_of_files(run: Run) -> list[str]:
    reports = Export.objects.filter(run=run).exclude(object_key="").values_list("object_key", flat=True)
    decks = DeckFile.objects.filter(version__deck__run=run).exclude(object_key="")
    return [*reports, *decks.values_list("object_key", flat=True)]


def _forget_brief(run: Run) -> None:
    """Delete the brief stored for the run's input, unless another run with the same input remains."""
    own = run.outcome.get("own")
    hashed = own.get("input_hash") if isinstance(own, dict) else None
    if hashed and not Run.objects.filter(result__own__input_hash=hashed).exclude(pk=run.pk).exists():
        BriefRecord.objects.filter(input_hash=hashed).delete()


@cache
def _paths() -> dict[type[Model], str]:
    """Map each model deleted with a run to its lookup path to the run, nearest first: {Recheck: "source__run"}."""
    paths: dict[type[Model], str] = {Run: ""}
    waiting: list[type[Model]] = [Run]
    for parent in waiting:
        for key in _keys_to(parent, CASCADE):
            if key.model not in paths:
                paths[key.model] = "__".join(filter(None, (key.name, paths[parent])))
                waiting.append(key.model)
    return paths


def _keys_to(parent: type[Model], on_delete: object) -> Iterator[models.ForeignKey[Model, Model]]:
    for relation in parent._meta.get_fields(include_hidden=True):
        if isinstance(relation, models.ManyToOneRel) and relation.on_delete is on_delete:
            yield relation.field


def _select_dependent_rows(run: Run) -> Iterator[QuerySet[Model]]:
    """Yield the rows of each table, the most remote first, then the run."""
    for model, path in reversed(_paths().items()):
        yield model._default_manager.filter(**{path or "pk": run.pk})
        if model is ClaimLink:  # it relates claims of two runs, and is deleted with either
            yield model._default_manager.filter(other__run=run.pk)


def _let_go(run: Run) -> None:
    """Set the references of rows that stay to null."""
    for parent, path in _paths().items():
        for key in _keys_to(parent, SET_NULL):
            if key.model is Run or key.model not in _paths():
                pointing = key.model._default_manager.filter(
                    **{"__".join(filter(None, (key.name, path))): run.pk}
                )
                pointing.update(**{key.name: None})


def _forget_in_admin_log(rows: QuerySet[Model]) -> None:
    """Delete the admin's log of these rows, which repeats names and questions."""
    kind = ContentType.objects.get_for_model(rows.model)
    keys = rows.annotate(key_text=Cast("pk", CharField())).values("key_text")
    LogEntry.objects.filter(content_type=kind, object_id__in=keys).delete()


def _forget_texts(texts: list[UUID]) -> list[str]:
    """Delete texts that nothing else uses, with the cached pages they came from. Return the keys of their bytes."""
    # A run that needs such a text waits for the lock, and then finds that the text is gone.
    held = [row.pk for row in Content.objects.select_for_update().filter(pk__in=texts).only("pk")]
    unused = Content.objects.filter(Q(pk__in=held), sources=None, documents=None)
    keys = [key for key in unused.values_list("raw_key", flat=True) if key]
    pictures = [key for key in unused.values_list("rendering__picture", flat=True) if key]
    unused.delete()
    KeptPage.objects.filter(raw_key__in=keys).delete()
    return keys + pictures


def deletable() -> QuerySet[Run]:
    """Return finished runs on which no other run currently depends."""
    under_way = Run.objects.unfinished().exclude(parent=None).values("parent")
    return Run.objects.filter(state__in=FINISHED).exclude(pk__in=under_way)
