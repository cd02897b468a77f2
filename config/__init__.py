# Imported with the project, so that shared tasks use our broker in every process.
from config.celery import app as celery_app

__all__ = ["celery_app"]
