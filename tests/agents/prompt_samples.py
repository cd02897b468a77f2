"""Values that each prompt can be rendered with, by its name."""

from collections.abc import Mapping

SAMPLES: Mapping[str, Mapping[str, object]] = {
    "finish": {},
}
