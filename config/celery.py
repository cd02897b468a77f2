"""The Celery application. A message is only a knock on the door: see queues.py."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("plumbline")
app.config_from_object("config.queues")
app.autodiscover_tasks()
