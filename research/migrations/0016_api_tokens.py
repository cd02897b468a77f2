"""Tokens by which programs act for a user, and answers that may be asked for twice."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants

# A program has no session, so no tenant is set yet: the function says for whom, where and how far a token acts. One
# whose user has left the workspace, or may not sign in any more, opens nothing.
LET_IN = """
CREATE POLICY owner_reads ON research_apitoken FOR SELECT TO CURRENT_USER USING (true);
CREATE FUNCTION plumbline_token(of_token varchar)
    RETURNS TABLE (token_id uuid, tenant_id uuid, user_id integer, role varchar, scopes varchar, last_used_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT t.id, t.tenant_id, t.user_id, m.role, t.scopes, t.last_used_at
        FROM research_apitoken t
        JOIN research_membership m ON m.tenant_id = t.tenant_id AND m.user_id = t.user_id
        JOIN auth_user u ON u.id = t.user_id AND u.is_active
        WHERE t.token_hash = of_token AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())';
"""
DROP_LET_IN = "DROP FUNCTION plumbline_token(varchar);"


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0015_table_items"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ApiToken",
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
                ("name", models.CharField(max_length=100)),
                ("hint", models.CharField(editable=False, max_length=20)),
                ("token_hash", models.CharField(editable=False, max_length=64, unique=True)),
                ("scopes", models.CharField(max_length=60)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "tenant",
                    research.models.base_models.OwningTenant(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="research.tenant",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tenant", "user", "-created_at"], name="api_token_of_user"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "scopes__regex",
                                "^(read|write|library|exports)( (read|write|library|exports))*$",
                            )
                        ),
                        name="api_token_scopes_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="KeptAnswer",
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
                ("key", models.CharField(max_length=128)),
                ("request_hash", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(default=0)),
                ("location", models.TextField(blank=True)),
                ("body", models.TextField(blank=True)),
                (
                    "tenant",
                    research.models.base_models.OwningTenant(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="research.tenant",
                    ),
                ),
                (
                    "token",
                    research.models.base_models.TenantKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="research.apitoken",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tenant", "created_at"], name="kept_answer_by_age"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("token", "key"), name="one_answer_per_key"),
                ],
            },
        ),
        IsolateTenants("ApiToken", "KeptAnswer"),
        migrations.RunSQL(LET_IN, DROP_LET_IN),
    ]
