"""File stores for workspaces of some regions: a folder or a bucket each, beside the default one."""

import re
from collections.abc import Mapping
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config import environment

_ONE = re.compile(
    r"([a-z0-9-]{1,20})=(?:(/.+)|s3:([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:@(https?://.+))?)", re.ASCII
)
Store = dict[str, object]


def alias(region: str) -> str:
    """Return the alias of a region's store in Django."""
    return f"objects-{region}"


def stores(name: str, bucket: Mapping[str, object]) -> dict[str, Store]:
    """Return the stores by region, from a comma-separated list.

    An example is `eu-west=/srv/files, us-east=s3:papers@https://s3.example.com`. `bucket` has the options of
    every bucket; each may have an endpoint of its own.
    """
    by_region: dict[str, Store] = {}
    for word in environment.words(name):
        match = _ONE.fullmatch(word)
        if match is None or match[1] in by_region:
            raise ImproperlyConfigured(
                f"{name} must name each region once, as eu-west=/srv/files or "
                f"us-east=s3:bucket@https://server; {word!r} is not."
            )
        by_region[match[1]] = _folder(match[2]) if match[2] else _bucket(match[3], match[4], bucket)
    return by_region


def _folder(path: str) -> Store:
    return {
        "BACKEND": "research.storage.object_store.AtomicFileStorage",
        "OPTIONS": {"location": str(Path(path).resolve())},
    }


def _bucket(name: str, address: str | None, options: Mapping[str, object]) -> Store:
    own: Store = {"bucket_name": name, **({"endpoint_url": address} if address else {})}
    return {"BACKEND": "research.storage.s3_object_store.S3Objects", "OPTIONS": {**options, **own}}
