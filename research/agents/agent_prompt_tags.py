"""The template tag of prompts: `{% data chunk.text id=chunk.id %}` puts source text into a fenced block."""

from django import template
from django.template import Context

from research.agents.agent_prompt_data_blocks import Fence, SourceText

register = template.Library()
FENCE = "_fence"


@register.simple_tag(takes_context=True)
def data(context: Context, text: SourceText, **labels: str | int | float) -> str:
    fence = context[FENCE]
    if not isinstance(fence, Fence) or not isinstance(text, SourceText):
        raise TypeError("only source text goes into a data block")
    return fence.block(text, {name: str(value) for name, value in labels.items()})
