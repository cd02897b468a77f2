"""Settings of beat, which loads only the scheduler's tables: that saves 7 MB."""

from config.settings import *  # noqa: F403

INSTALLED_APPS = ["django_celery_beat"]
