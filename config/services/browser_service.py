"""Detection of an installed browser for pages that need one."""

import os
import shutil
from dataclasses import dataclass

PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
NONE = "none"


@dataclass(frozen=True, slots=True)
class Browser:
    """An installed browser. `path` is "" if there is none; `lacks` is then the reason."""

    path: str
    lacks: str = ""


def find_browser(wanted: str) -> Browser:
    """Find the browser of the setting: a program's path or name, "none", or empty for whichever is installed."""
    if wanted == NONE:
        return Browser("", "no browser is used, by PLUMBLINE_BROWSER")
    found = next(filter(None, map(shutil.which, [wanted] if wanted else PROGRAMS)), None)
    if found:
        return Browser(os.path.abspath(found))
    return Browser("", f"there is no program {wanted}" if wanted else "none is installed")
