"""A person may belong to several workspaces, and whoever leaves one is forgotten at once."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants

# Before a tenant is set: which a user belongs to, as what, and what it is called. The version that `memberships`
# counts up tells every process that remembers people that it must look them up again.
DIRECTORY = """
CREATE FUNCTION plumbline_workspaces(of_user integer)
    RETURNS TABLE (tenant_id uuid, role varchar, name varchar, version integer)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT t.id, m.role, t.name, t.access_version
        FROM research_membership m JOIN research_tenant t ON t.id = m.tenant_id
        WHERE m.user_id = of_user ORDER BY m.created_at, m.id';
CREATE FUNCTION research_members_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE research_tenant SET access_version = access_version + 1 WHERE id = OLD.tenant_id;
    RETURN NULL;
END $$;
CREATE TRIGGER members_changed AFTER UPDATE OF role, user_id OR DELETE ON research_membership
    FOR EACH ROW EXECUTE FUNCTION research_members_changed();
"""
DROP_DIRECTORY = """
DROP TRIGGER members_changed ON research_membership;
DROP FUNCTION research_members_changed();
DROP FUNCTION plumbline_workspaces(integer);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0022_erasures"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            "tenant", "access_version", models.PositiveIntegerField(db_default=0, editable=False)
        ),
        migrations.RunSQL(DIRECTORY, DROP_DIRECTORY),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=research.models.base_models.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("email", models.EmailField(max_length=254)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "Owner"),
                            ("member", "Member"),
                            ("reviewer", "Reviewer"),
                            ("viewer", "Viewer"),
                        ],
                        max_length=8,
                    ),
                ),
                ("token_hash", models.CharField(editable=False, max_length=64, unique=True)),
                ("sent_count", models.PositiveSmallIntegerField(default=0)),
                ("expires_at", models.DateTimeField()),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "accepted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "invited_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    research.models.base_models.OwningTenant(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="research.tenant",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "-created_at"], name="invitation_newest")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["owner", "member", "reviewer", "viewer"])),
                        name="research_invitation_role_known",
                    )
                ],
            },
        ),
        IsolateTenants("Invitation"),
    ]
