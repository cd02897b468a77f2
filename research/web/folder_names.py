"""What people call the folders of the library."""

from pathlib import PurePath

from research.web.words import word


def folder_name(key: str) -> str:
    """Without the path that leads to it; a folder of the uploads may be called "sample" without being it."""
    name = PurePath(key).name or key
    return word(key, "folder") if name == key else name
