"""Django in the child that writes files: words and where things lie. No application, no table, no key.

All of the site's applications took longer to load than a short report takes to be written (0.9 s of a processor of
1.5, 2026-11).
"""

from pathlib import Path

BASE_DIR = Path(__file__).resolve().parents[2]
INSTALLED_APPS: list[str] = []
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "German")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = "UTC"
