"""Alignments of claims with their sources, the level of checking, and an administrator's domain rules."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import research.models.base_models
from research.db.row_level_security import IsolateTenants


class Migration(migrations.Migration):
    dependencies = [
        ("citations", "0002_isolation"),
        ("research", "0002_isolation"),
    ]

    operations = [
        migrations.CreateModel(
            name="DomainRule",
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
                ("domain", models.CharField(max_length=255)),
                ("tier", models.PositiveSmallIntegerField()),
                (
                    "source_type",
                    models.CharField(
                        choices=[
                            ("news", "News"),
                            ("academic", "Academic"),
                            ("industry", "Industry"),
                            ("government", "Government"),
                            ("company", "Company"),
                            ("blog", "Blog"),
                            ("social", "Social"),
                            ("wiki", "Wiki"),
                            ("documentation", "Documentation"),
                            ("code", "Code"),
                            ("other", "Other"),
                        ],
                        default="other",
                        max_length=13,
                    ),
                ),
                ("publisher", models.CharField(blank=True, max_length=200)),
                ("reason", models.TextField(blank=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("tier__range", (1, 5))), name="citations_domainrule_tier_range"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "source_type__in",
                                [
                                    "news",
                                    "academic",
                                    "industry",
                                    "government",
                                    "company",
                                    "blog",
                                    "social",
                                    "wiki",
                                    "documentation",
                                    "code",
                                    "other",
                                ],
                            )
                        ),
                        name="citations_domainrule_source_type_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("domain", ""), _negated=True), name="domain_rule_names_a_domain"
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="claim",
            name="alignment",
            field=research.models.base_models.CheckedJSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="verificationreport",
            name="level",
            field=models.CharField(
                choices=[("basic", "Basic"), ("standard", "Standard"), ("strict", "Strict")],
                default="standard",
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="verificationreport",
            constraint=models.CheckConstraint(
                condition=models.Q(("level__in", ["basic", "standard", "strict"])),
                name="citations_verificationreport_level_known",
            ),
        ),
        migrations.AddField(
            model_name="domainrule",
            name="tenant",
            field=research.models.base_models.OwningTenant(
                editable=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="research.tenant",
            ),
        ),
        migrations.AddConstraint(
            model_name="domainrule",
            constraint=models.UniqueConstraint(fields=("tenant", "domain"), name="one_rule_per_domain"),
        ),
        IsolateTenants("DomainRule"),
    ]
