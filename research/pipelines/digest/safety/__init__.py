"""The safety rules of digests: instructions for work that hurts people when it is done wrong are not repeated.

A sentence is looked at in its surroundings. Where these are about dangerous work, only what states something or warns
of something passes: whatever could be read as telling how the work is done is left out.
"""

from research.pipelines.digest.safety.fields import FIELD_WORDS, DangerArea, fields_in
from research.pipelines.digest.safety.judging import Danger, danger_in

__all__ = ["FIELD_WORDS", "Danger", "DangerArea", "danger_in", "fields_in"]
