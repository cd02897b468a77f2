"""The Celery application of beat, which knows only the names of tasks.

The full one (celery.py) would import every task, and with them 100 MB of what the workers need.
"""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "config.beat_settings"

import django
from celery import Celery

django.setup()  # the schedules are rows

app = Celery("plumbline-beat", fixups=[])
app.config_from_object("config.celery_settings")
