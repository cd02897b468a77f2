"""Describe the results of testing a model server: what works, and what is used in its place otherwise."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from pydantic import JsonValue

from exports.stored.translate_exported_sentences import translate_stored_text
from research.llm.model_check_results import Probe, ProbeResult, ProbeVerdict, Reason, can_write

NAMES: Mapping[Probe, Promise] = {
    Probe.SERVER: lazy("Server"),
    Probe.MODELS: lazy("List of models"),
    Probe.CHAT: lazy("Chat"),
    Probe.JSON: lazy("JSON"),
    Probe.TOOLS: lazy("Tools"),
    Probe.EMBEDDINGS: lazy("Embeddings"),
    Probe.IMAGES: lazy("Pictures"),
    Probe.SPEED: lazy("Speed"),
    Probe.CONTEXT: lazy("Context length"),
}
WORKS: Mapping[Probe, Promise] = {
    Probe.SERVER: lazy("It answers."),
    Probe.MODELS: lazy("Listed models: %(count)s."),
    Probe.CHAT: lazy("The model writes."),
    Probe.JSON: lazy("The model answers in JSON of the form that is asked for."),
    Probe.TOOLS: lazy("The model calls tools: agents search and read by themselves."),
    Probe.EMBEDDINGS: lazy(
        "It has embeddings of %(dimensions)s dimensions (%(model)s). The site’s settings say which ones the library"
        " uses."
    ),
    Probe.IMAGES: lazy("It can draw pictures. The site’s settings say which model draws for slides."),
    Probe.SPEED: lazy("%(tokens_a_second)s tokens a second."),
    Probe.CONTEXT: lazy("%(tokens)s tokens."),
}
# How JSON is requested, by the name of the method.
FORMS: Mapping[str, Promise] = {
    "json_schema": lazy("The server enforces the schema."),
    "json_mode_with_schema": lazy("The server enforces the schema."),
    "tool_call": lazy("The server knows no such form: the answer is asked for as the call of a tool."),
    "json_mode": lazy(
        "The server enforces JSON but no schema: an answer that does not fit is asked for again."
    ),
    "words": lazy(
        "The server enforces no form: the prompt asks for JSON, and an answer that does not fit is asked for again."
    ),
}
WITHOUT: Mapping[Probe, Promise] = {
    Probe.MODELS: lazy("Enter the model’s name yourself."),
    Probe.TOOLS: lazy("Fixed searches are used instead of agents."),
    Probe.EMBEDDINGS: lazy("The built-in embeddings are used instead."),
    Probe.IMAGES: lazy("Slides get no generated pictures from it."),
}
REASONS: Mapping[Reason, Promise] = {
    Reason.UNREACHABLE: lazy(
        "Nothing answers at this address. Is the server running, and are host and port right? In a container,"
        " localhost is the container itself."
    ),
    Reason.REFUSED_ADDRESS: lazy("This address cannot be used here."),
    Reason.NO_HOST: lazy("There is no host of this name. Check the spelling of the address."),
    Reason.TLS: lazy("No safe connection: the server’s certificate is not trusted, or it speaks plain http."),
    Reason.TIMEOUT: lazy(
        "No answer within %(seconds)s seconds. The server may be busy, or still be loading the model: test again in a"
        " minute. If that does not help, use a smaller model."
    ),
    Reason.WEB_PAGE: lazy(
        "The server sent a web page instead of an API’s answer. Addresses of APIs usually end in /v1."
    ),
    Reason.NOT_AN_API: lazy("The answer is not that of an OpenAI-compatible API."),
    Reason.KEY: lazy("The server does not accept the key."),
    Reason.NO_KEY: lazy("The server asks for a key."),
    Reason.NO_MODEL: lazy("The server knows no model “%(model)s”."),
    Reason.PATH: lazy(
        "There is no API at this address (HTTP %(status)s). Addresses of APIs usually end in /v1."
    ),
    Reason.QUOTA: lazy("The account at the provider has no credit left."),
    Reason.BUSY: lazy("The server received too many requests. Try again in a minute."),
    Reason.SERVER_ERROR: lazy("The server failed (HTTP %(status)s). Its own log says why."),
    Reason.NOT_OFFERED: lazy("The server does not offer this."),
    Reason.USELESS: lazy("The model answered, but not in the requested format."),
    Reason.SLOW: lazy("Slow: %(tokens_a_second)s tokens a second."),
    Reason.SMALL: lazy(
        "Only %(tokens)s tokens: prompts with long sources may not fit. 16,000 or more is better."
    ),
    Reason.UNKNOWN: lazy("Unknown."),
}


def words_of(finding: ProbeResult) -> str:
    """Describe a result in one or two sentences."""
    values = {name: _format_value(value) for name, value in finding.values.items()}
    if finding.verdict is ProbeVerdict.WORKS:
        return " ".join(_describe_success(finding, values))
    return " ".join(_describe_problem(finding, values))


def _describe_success(finding: ProbeResult, values: Mapping[str, str]) -> Sequence[str]:
    words = [_fill_template(WORKS[finding.probe], values)]
    if finding.probe is Probe.JSON and values.get("form") in FORMS:
        words.append(str(FORMS[values["form"]]))
    if finding.probe is Probe.JSON and finding.values.get("turns") == 2:
        words.append(_("It succeeded at the second attempt."))
    if finding.probe is Probe.CONTEXT:
        words += _describe_slots(finding, values)
    return words


def _describe_slots(finding: ProbeResult, values: Mapping[str, str]) -> Sequence[str]:
    if finding.values.get("at_once") == 1:
        return [_("The server answers one request at a time, so that is how it is called.")]
    if "at_once" in values:
        return [_("The server answers %(at_once)s requests at once, so no more are sent.") % values]
    return []


def _describe_problem(finding: ProbeResult, values: Mapping[str, str]) -> Sequence[str]:
    reason = finding.reason or Reason.UNKNOWN
    if reason is Reason.SLOW and "tokens_a_second" not in values:
        return [
            _fill_template(
                lazy("The test was stopped after %(seconds)s seconds: the server is too slow."), values
            )
        ]
    words = [_fill_template(REASONS[reason], values)]
    if finding.probe is Probe.CONTEXT:
        words += _describe_slots(finding, values)
    if reason is Reason.REFUSED_ADDRESS and values.get("told"):
        words = [translate_stored_text(values["told"])]
    if values.get("meant"):
        words.append(_("Try %(address)s.") % {"address": values["meant"]})
    if values.get("near"):
        words.append(_("It lists: %(names)s.") % {"names": values["near"]})
    if finding.verdict is ProbeVerdict.MISSING and finding.probe in WITHOUT and reason is not Reason.NO_MODEL:
        words.append(str(WITHOUT[finding.probe]))
    if finding.probe is Probe.JSON:
        words.append(_("Reports are put together from the sources’ own sentences instead."))
    return words


def _fill_template(words: Promise, values: Mapping[str, str]) -> str:
    """Fill in a template; a missing value becomes a dash, as an older release may have stored fewer."""
    return str(words) % _WithDashes(values)


class _WithDashes(dict[str, str]):
    def __missing__(self, _name: str) -> str:
        return "–"


def _format_value(value: JsonValue) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int | float):
        return number_format(Decimal(str(value)), use_l10n=True, force_grouping=True)
    return str(value)


def verdict_of(findings: Sequence[ProbeResult]) -> str:
    """Return the overall result as one sentence; empty if nothing was tested."""
    if not findings:
        return ""
    if can_write(findings):
        return _("This model can write reports.")
    if any(finding.verdict is ProbeVerdict.FAILED for finding in findings):
        return _("This model cannot write reports as it is set up now.")
    return ""
