"""Django settings for the child that writes files: translations and paths, without applications, tables or keys.

Loading all of the site's applications took longer than writing a short report (0.9 s of 1.5 s of processor time).
"""

from pathlib import Path

BASE_DIR = Path(__file__).resolve().parents[2]
INSTALLED_APPS: list[str] = []
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "German")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"
