"""The safety rules of digests: instructions for work that can injure people if done wrong are not repeated.

A sentence is judged by its function: advice on a dangerous act is left out; warnings, refusals, precautions, advice to
call a professional and statements of fact are allowed, whatever the question is about.
"""

from research.pipelines.digest.safety.digest_dangerous_fields import FIELD_WORDS, DangerArea, fields_in
from research.pipelines.digest.safety.digest_dangerous_meaning import ContextSentence, find_dangers
from research.pipelines.digest.safety.judge_digest_safety import Danger, danger_in, is_warning

__all__ = [
    "FIELD_WORDS",
    "ContextSentence",
    "Danger",
    "DangerArea",
    "danger_in",
    "fields_in",
    "find_dangers",
    "is_warning",
]
