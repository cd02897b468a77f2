"""Addresses of well-known model servers, and what each of them needs."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy

PLACEHOLDER = "YOUR-RESOURCE"


@dataclass(frozen=True, slots=True)
class Preset:
    """A well-known server. `needs` says in one line what it requires first."""

    key: str
    name: str
    base_url: str
    needs: Promise


PRESETS: Sequence[Preset] = (
    Preset(
        "ollama",
        "Ollama",
        "http://localhost:11434/v1",
        lazy(
            "No key. Start it with OLLAMA_CONTEXT_LENGTH=16384 ollama serve, and fetch a model with ollama pull qwen3."
        ),
    ),
    Preset(
        "llamacpp",
        "llama.cpp",
        "http://localhost:8080/v1",
        lazy("No key. Start it with llama-server -m model.gguf -c 16384."),
    ),
    Preset(
        "lmstudio",
        "LM Studio",
        "http://localhost:1234/v1",
        lazy(
            "No key. Load a model with a context length of 16,000 or more and start the server under “Developer”."
        ),
    ),
    Preset(
        "vllm",
        "vLLM",
        "http://localhost:8001/v1",
        lazy(
            "A key only if it was started with --api-key. Start it with vllm serve MODEL --port 8001: port 8000 is this"
            " site’s own."
        ),
    ),
    Preset(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        lazy("A key from platform.openai.com, with credit on its account. A model such as gpt-5-mini."),
    ),
    Preset(
        "azure",
        "Azure OpenAI",
        f"https://{PLACEHOLDER}.openai.azure.com/openai/v1",
        lazy(
            "Put your resource’s name in place of YOUR-RESOURCE. The key is the resource’s; the model is the name of"
            " your deployment."
        ),
    ),
    Preset(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        lazy("A key from openrouter.ai. Model names begin with their maker, as in openai/gpt-5-mini."),
    ),
)


def preset_called(key: str) -> Preset | None:
    return next((preset for preset in PRESETS if preset.key == key), None)
