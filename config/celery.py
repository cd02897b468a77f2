"""The Celery application. A message only wakes a worker: see celery_settings.py."""

import os
import warnings

from celery import Celery
from celery.exceptions import SecurityWarning

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# In a container everything runs as root. The warning is about unpickling, and only JSON is accepted here.
warnings.filterwarnings("ignore", "You're running the worker with superuser", SecurityWarning)

app = Celery("plumbline")
app.config_from_object("config.celery_settings")
app.autodiscover_tasks()
