"""Erases a workspace: blocks access and work, then deletes its keys, rows and files.

Each part can be interrupted and repeated; a sweep resumes what was begun. Keys are deleted before files, so that a
remaining file is unreadable; a worker that writes at the last moment finds no workspace, or no key.
"""

from uuid import UUID

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import IntegrityError, connection, transaction
from django.db.models import CharField
from django.db.models.functions import Cast, Now
from django.utils.translation import gettext as _
from django_celery_beat.models import PeriodicTask
from redis import Redis
from redis.exceptions import RedisError

from research.accounts.audit.write_audit_trail import On, record_for_site
from research.db.tenancy import memberships, tenant_context, tenant_ids
from research.models import Act, Erasure, Membership, Run, Tenant
from research.models.base_models import TenantModel
from research.runtime.logs import logger
from research.storage.keys import backup_keys
from research.storage.stored_tenant_objects import remove_all

SCANNED = 1_000  # cache keys scanned at once
log = logger(__name__)


class NotErased(Exception):
    """Nothing was erased; str() tells the person why."""


def begin(tenant_id: UUID, typed_name: str) -> None:
    """Block access and work from now on; `carry_on` does the rest. Raises NotErased."""
    with tenant_context(tenant_id):
        tenant = Tenant.objects.select_for_update().filter(pk=tenant_id).first()
        if tenant is None:
            raise NotErased(f"There is no workspace {tenant_id}.")
        if typed_name != tenant.name:
            raise NotErased(_("That is not the name of the workspace."))
        _close(tenant_id)
    record_for_site(
        Act.WORKSPACE_DELETE, on=On("workspace", str(tenant_id))
    )  # without its name, which is erased too
    log.info("erasure_begun", tenant=str(tenant_id))


def _close(tenant_id: UUID) -> None:
    members = list(Membership.objects.values_list("user_id", flat=True))
    Erasure.objects.get_or_create(workspace=tenant_id, defaults={"people": members})
    Erasure.objects.filter(pk=tenant_id).update(done_at=None)
    Run.objects.unfinished().filter(cancel_at=None).update(cancel_at=Now())
    Membership.objects.all().delete()


def carry_on(tenant_id: UUID) -> bool:
    """Delete what is left of the workspace; return False if another process is doing so.

    Raises OSError and RedisError.
    """
    backup_keys.destroy(tenant_id)
    if not _remove_rows(tenant_id):
        return False
    files = remove_all(tenant_id)
    _remove_from_cache(tenant_id)
    _remove_people(Erasure.objects.get(pk=tenant_id).people)
    Erasure.objects.filter(pk=tenant_id).update(done_at=Now(), people=[], files=files)
    log.info("workspace_erased", tenant=str(tenant_id), files=files)
    return True


def carry_on_all() -> None:
    """Resume all unfinished erasures, and erase workspaces that a restored backup brought back. Called by the sweep."""
    for tenant_id in backup_keys.list_erased_workspaces() & frozenset(tenant_ids()):
        with tenant_context(tenant_id):
            _close(tenant_id)
    for erasure in Erasure.objects.filter(done_at=None):
        try:
            carry_on(erasure.pk)
        except (OSError, RedisError) as error:
            log.warning("erasure_waits", tenant=str(erasure.pk), error=type(error).__name__)


def _remove_rows(tenant_id: UUID) -> bool:
    """Delete all rows in one transaction, because tables refer to each other in cycles."""
    with transaction.atomic():
        held = Erasure.objects.select_for_update(skip_locked=True).filter(pk=tenant_id, done_at=None).first()
        if held is None:
            return False
        with tenant_context(tenant_id):
            _remove_from_admin_log()
            PeriodicTask.objects.filter(args__contains=str(tenant_id)).delete()  # copies of its schedules
            with connection.cursor() as cursor:
                cursor.execute("SELECT plumbline_erase(%s)", [tenant_id])
                [rows] = cursor.fetchone()
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        held.rows += rows
        held.save(update_fields=["rows"])
    return True


def _remove_from_admin_log() -> None:
    """Delete the admin's log, which repeats names and questions."""
    for kind in ContentType.objects.filter(pk__in=LogEntry.objects.values("content_type")):
        model = kind.model_class()
        if model is not None and (issubclass(model, TenantModel) or model is Tenant):
            keys = model._default_manager.annotate(key_text=Cast("pk", CharField())).values("key_text")
            LogEntry.objects.filter(content_type=kind, object_id__in=keys).delete()


def _remove_from_cache(tenant_id: UUID) -> None:
    with Redis.from_url(settings.REDIS_LOCATION) as client:
        names = list(client.scan_iter(match=f"*{tenant_id}*", count=SCANNED))
        if names:
            client.unlink(*names)


def _remove_people(people: list[int]) -> None:
    """Delete accounts that belong to no other workspace, unless they are staff."""
    for user in User.objects.filter(pk__in=people, is_staff=False, is_superuser=False):
        if not memberships(user.pk):
            _remove_person(user)


def _remove_person(user: User) -> None:
    try:
        with transaction.atomic():
            keys = user.usersession_set.values_list("session_key", flat=True)  # type: ignore[attr-defined]
            Session.objects.filter(session_key__in=list(keys)).delete()
            user.delete()
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    except IntegrityError:  # names their acts in workspaces that they have left
        User.objects.filter(pk=user.pk).update(is_active=False)
