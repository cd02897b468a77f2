"""Pictures that a model draws are spent on too."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("research", "0017_briefs_and_webhooks"),
    ]

    operations = [
        migrations.AlterField(
            model_name="reservation",
            name="operation",
            field=models.CharField(
                choices=[
                    ("search", "Search"),
                    ("page_read", "Page Read"),
                    ("model_call", "Model Call"),
                    ("embedding", "Embedding"),
                    ("picture", "Picture"),
                ],
                max_length=40,
            ),
        ),
    ]
