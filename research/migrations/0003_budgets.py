"""Budgets by role with what is in flight, credits by double entry, tiers."""

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants

# Of a movement of credits: what leaves one account arrives in another.
BALANCED = """
CREATE FUNCTION research_credits_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM added GROUP BY tenant_id, kind, ref HAVING sum(amount) <> 0) THEN
        RAISE EXCEPTION 'the sides of a movement of credits must sum to zero'
            USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER credit_entries_balance AFTER INSERT ON research_creditentry
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION research_credits_balance();
"""
DROP_BALANCED = """
DROP TRIGGER credit_entries_balance ON research_creditentry;
DROP FUNCTION research_credits_balance();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0002_isolation"),
    ]

    operations = [
        migrations.CreateModel(
            name="Reservation",
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
                ("fence", models.PositiveBigIntegerField(blank=True, null=True)),
                ("holder", models.CharField(blank=True, max_length=100)),
                ("role", models.CharField(max_length=12)),
                ("agent_id", models.CharField(blank=True, max_length=100)),
                (
                    "operation",
                    models.CharField(
                        choices=[
                            ("search", "Search"),
                            ("page_read", "Page Read"),
                            ("model_call", "Model Call"),
                            ("embedding", "Embedding"),
                        ],
                        max_length=40,
                    ),
                ),
                ("ref", models.CharField(max_length=200)),
                ("tokens_input", models.PositiveIntegerField()),
                ("tokens_output", models.PositiveIntegerField()),
                ("usd", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="budget",
            name="one_budget_per_role",
        ),
        migrations.RemoveField(
            model_name="budget",
            name="reserved_tokens",
        ),
        migrations.AddField(
            model_name="budget",
            name="agent_id",
            field=models.CharField(blank=True, max_length=100),
        ),
        migrations.AddField(
            model_name="budget",
            name="closed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="budget",
            name="exceeded",
            field=models.CharField(blank=True, max_length=13),
        ),
        migrations.AddField(
            model_name="budget",
            name="excess_tokens_input",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="budget",
            name="excess_tokens_output",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="budget",
            name="excess_usd",
            field=models.DecimalField(decimal_places=6, default=0, max_digits=12),
        ),
        migrations.AddField(
            model_name="budget",
            name="funded_usd",
            field=models.DecimalField(decimal_places=6, default=0, max_digits=12),
        ),
        migrations.AddField(
            model_name="budget",
            name="limit_tokens_total",
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="budget",
            name="reserved_tokens_input",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="budget",
            name="reserved_tokens_output",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="tenant",
            name="tier",
            field=models.CharField(
                choices=[("free", "Free"), ("pro", "Pro"), ("enterprise", "Enterprise")],
                default="pro",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="usageentry",
            name="role",
            field=models.CharField(blank=True, max_length=12),
        ),
        migrations.AlterField(
            model_name="creditaccount",
            name="name",
            field=models.CharField(
                choices=[
                    ("granted", "Granted"),
                    ("available", "Available"),
                    ("reserved", "Reserved"),
                    ("spent", "Spent"),
                ],
                max_length=40,
            ),
        ),
        migrations.AddIndex(
            model_name="creditentry",
            index=models.Index(fields=["tenant", "ref"], name="credit_entries_by_ref"),
        ),
        migrations.AddConstraint(
            model_name="budget",
            constraint=models.UniqueConstraint(
                fields=("run", "role", "agent_id"), name="one_budget_per_role"
            ),
        ),
        migrations.AddConstraint(
            model_name="budget",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "limit_tokens_input__gte",
                        django.db.models.expressions.CombinedExpression(
                            django.db.models.expressions.CombinedExpression(
                                models.F("spent_tokens_input"), "+", models.F("reserved_tokens_input")
                            ),
                            "-",
                            models.F("excess_tokens_input"),
                        ),
                    ),
                    ("limit_tokens_input", None),
                    _connector="OR",
                ),
                name="budget_tokens_input_kept",
            ),
        ),
        migrations.AddConstraint(
            model_name="budget",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "limit_tokens_output__gte",
                        django.db.models.expressions.CombinedExpression(
                            django.db.models.expressions.CombinedExpression(
                                models.F("spent_tokens_output"), "+", models.F("reserved_tokens_output")
                            ),
                            "-",
                            models.F("excess_tokens_output"),
                        ),
                    ),
                    ("limit_tokens_output", None),
                    _connector="OR",
                ),
                name="budget_tokens_output_kept",
            ),
        ),
        migrations.AddConstraint(
            model_name="budget",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "limit_usd__gte",
                        django.db.models.expressions.CombinedExpression(
                            django.db.models.expressions.CombinedExpression(
                                models.F("spent_usd"), "+", models.F("reserved_usd")
                            ),
                            "-",
                            models.F("excess_usd"),
                        ),
                    ),
                    ("limit_usd", None),
                    _connector="OR",
                ),
                name="budget_usd_kept",
            ),
        ),
        migrations.AddConstraint(
            model_name="budget",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("limit_tokens_total", None),
                    (
                        "limit_tokens_total__gte",
                        django.db.models.expressions.CombinedExpression(
                            django.db.models.expressions.CombinedExpression(
                                django.db.models.expressions.CombinedExpression(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("spent_tokens_input"),
                                            "+",
                                            models.F("spent_tokens_output"),
                                        ),
                                        "+",
                                        models.F("reserved_tokens_input"),
                                    ),
                                    "+",
                                    models.F("reserved_tokens_output"),
                                ),
                                "-",
                                models.F("excess_tokens_input"),
                            ),
                            "-",
                            models.F("excess_tokens_output"),
                        ),
                    ),
                    _connector="OR",
                ),
                name="budget_tokens_total_kept",
            ),
        ),
        migrations.AddConstraint(
            model_name="budget",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("role", ""), _negated=True),
                    (
                        "funded_usd__gte",
                        django.db.models.expressions.CombinedExpression(
                            django.db.models.expressions.CombinedExpression(
                                models.F("spent_usd"), "+", models.F("reserved_usd")
                            ),
                            "-",
                            models.F("excess_usd"),
                        ),
                    ),
                    _connector="OR",
                ),
                name="budget_funds_kept",
            ),
        ),
        migrations.AddConstraint(
            model_name="budget",
            constraint=models.CheckConstraint(
                condition=models.Q(("reserved_usd__gte", 0), ("spent_usd__gte", 0)),
                name="budget_usd_not_negative",
            ),
        ),
        migrations.AddConstraint(
            model_name="creditaccount",
            constraint=models.CheckConstraint(
                condition=models.Q(("name__in", ["granted", "available", "reserved", "spent"])),
                name="research_creditaccount_name_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="degradation",
            constraint=models.UniqueConstraint(fields=("run", "code"), name="one_degradation_per_code"),
        ),
        migrations.AddConstraint(
            model_name="tenant",
            constraint=models.CheckConstraint(
                condition=models.Q(("tier__in", ["free", "pro", "enterprise"])),
                name="research_tenant_tier_known",
            ),
        ),
        migrations.AddField(
            model_name="reservation",
            name="run",
            field=research.models.base_models.TenantKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reservations",
                to="research.run",
            ),
        ),
        migrations.AddField(
            model_name="reservation",
            name="step",
            field=research.models.base_models.TenantKey(
                blank=True,
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reservations",
                to="research.step",
            ),
        ),
        migrations.AddField(
            model_name="reservation",
            name="tenant",
            field=research.models.base_models.OwningTenant(
                editable=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="research.tenant",
            ),
        ),
        migrations.AddIndex(
            model_name="reservation",
            index=models.Index(fields=["tenant", "run"], name="reservation_by_run"),
        ),
        IsolateTenants("Reservation"),
        migrations.RunSQL(BALANCED, DROP_BALANCED),
    ]
