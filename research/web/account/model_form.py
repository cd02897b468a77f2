"""The form of a workspace's model connection."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from research.fetching.model_server_ssrf_guard import model_server_rules, parse_server_url
from research.fetching.strict_urls import UrlRefused
from research.llm.save_model_connection import MAX_KEY, EnteredModels, normal_url
from research.llm.server_presets import PLACEHOLDER
from research.models import AgentRole, ModelConnection
from research.models.model_connection_models import MAX_CONTEXT_TOKENS, MAX_MODEL_LENGTH, MAX_SERVER_URL

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

MIN_CONTEXT_TOKENS = 512
REGION = re.compile(r"[a-z0-9-]{1,20}")
ROLES: Mapping[AgentRole, "_StrPromise"] = {
    AgentRole.PLANNER: lazy("Planner"),
    AgentRole.RESEARCHER: lazy("Researcher"),
    AgentRole.EXTRACTOR: lazy("Extractor: reads the sources, most calls"),
    AgentRole.ANALYZER: lazy("Analyzer"),
    AgentRole.WRITER: lazy("Writer"),
    AgentRole.VERIFIER: lazy("Verifier"),
    AgentRole.ORCHESTRATOR: lazy("Orchestrator"),
    AgentRole.EXECUTOR: lazy("Executor: computes"),
}
PLAIN = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false", "dir": "ltr"}


def _address_field(
    *, required: bool, label: "_StrPromise", help_text: "_StrPromise | str" = ""
) -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=help_text,
        required=required,
        max_length=MAX_SERVER_URL,
        error_messages={"required": lazy("Enter the server’s address, or choose one of the servers above.")},
        widget=forms.TextInput(attrs={**PLAIN, "inputmode": "url"}),
    )


def _key_field(label: "_StrPromise") -> forms.CharField:
    return forms.CharField(
        label=label,
        required=False,
        max_length=MAX_KEY,
        widget=forms.PasswordInput(attrs={**PLAIN, "autocomplete": "new-password"}),
    )


def _model_field(label: "_StrPromise", *, required: bool = False) -> forms.CharField:
    return forms.CharField(
        label=label,
        required=required,
        max_length=MAX_MODEL_LENGTH,
        error_messages={"required": lazy("Choose a model, or enter its name as the server lists it.")},
        widget=forms.TextInput(attrs={**PLAIN, "list": "model-names"}),
    )


class ModelForm(forms.Form):
    base_url = _address_field(required=True, label=lazy("Address"))
    key = _key_field(lazy("Key"))
    no_key = forms.BooleanField(label=lazy("No key: delete the saved one"), required=False)
    model = _model_field(lazy("Model"), required=True)
    fallback_model = _model_field(lazy("Fallback model"))
    fallback_url = _address_field(required=False, label=lazy("Its address, if it is on another server"))
    fallback_key = _key_field(lazy("Its key"))
    context_length = forms.IntegerField(
        label=lazy("Context length in tokens"),
        required=False,
        min_value=MIN_CONTEXT_TOKENS,
        max_value=MAX_CONTEXT_TOKENS,
        help_text=lazy("A test fills it in if the server reports it."),
    )
    regions = forms.CharField(
        label=lazy("Regions"),
        required=False,
        max_length=200,
        help_text=lazy(
            "The region of the server, such as eu-west or us-east. A workspace whose data must stay in one region "
            "sends nothing to a server in another. Leave this empty if you do not know."
        ),
        widget=forms.TextInput(attrs=PLAIN),
    )

    def __init__(self, *args: object, saved: ModelConnection | None = None, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        for role, name in ROLES.items():
            self.fields[f"role_{role.value}"] = _model_field(name)
        self.fields["base_url"].help_text = lazy("The address of any OpenAI-compatible API; most end in /v1.")
        self.fields["fallback_model"].help_text = lazy(
            "Used when the first model still fails after its retries, before rules take over."
        )
        self._offer_saved_key("key", saved.key_hint if saved and saved.sealed_key else "")
        self._offer_saved_key(
            "fallback_key", saved.fallback_key_hint if saved and saved.sealed_fallback_key else ""
        )
        if saved is None or not saved.sealed_key:
            del self.fields["no_key"]

    def _offer_saved_key(self, name: str, hint: str) -> None:
        if hint:
            words = _(
                "Saved; it ends in %(hint)s. Leave this empty to keep it. It is used only for this server."
            )
            self.fields[name].help_text = words % {"hint": hint}
        elif name == "key":
            self.fields[name].help_text = _("Servers on your own machine usually need none.")

    @property
    def role_fields(self) -> Iterator[BoundField]:
        return (self[f"role_{role.value}"] for role in ROLES)

    @property
    def is_refined(self) -> bool:
        """Return True if a field in the folded part is filled in or wrong. A test fills in the context length."""
        names = ("fallback_model", "fallback_url", "regions")
        fields = (*self.role_fields, *map(self.__getitem__, names))
        return bool(self["context_length"].errors) or any(field.errors or field.value() for field in fields)

    def clean_base_url(self) -> str:
        return validate_address(str(self.cleaned_data["base_url"]))

    def clean_fallback_url(self) -> str:
        given = str(self.cleaned_data["fallback_url"])
        return validate_address(given) if given else ""

    def clean_key(self) -> str:
        return validate_key(str(self.cleaned_data["key"]))

    def clean_fallback_key(self) -> str:
        return validate_key(str(self.cleaned_data["fallback_key"]))

    def clean_regions(self) -> list[str]:
        given = [word.strip() for word in str(self.cleaned_data["regions"]).split(",") if word.strip()]
        for word in given:
            if not REGION.fullmatch(word):
                raise forms.ValidationError(
                    _(
                        "“%(word)s” is not a region. Use up to 20 lowercase letters, digits and hyphens, as "
                        "in eu-west."
                    )
                    % {"word": word}
                )
        return given

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("fallback_url") and not cleaned.get("fallback_model"):
            self.add_error("fallback_model", _("Enter the name of the model at the other address."))
        for name, field in self.fields.items():
            value = cleaned.get(name)
            is_name = "list" in field.widget.attrs
            if is_name and isinstance(value, str) and not value.isprintable():
                self.add_error(name, _("A model name cannot contain control characters."))
        return cleaned

    def fill_in_model(self, name: str) -> str:
        """Return the field of the model with this name in it, which htmx puts in the place of the one on the page."""
        field, bound = self.fields["model"], self["model"]
        attributes = {"id": bound.id_for_label, "required": True, "hx-swap-oob": "true"}
        rendered: str = field.widget.render(bound.html_name, name, attributes)
        return rendered

    @property
    def entered_models(self) -> EnteredModels:
        """Return the input of a valid form."""
        given = self.cleaned_data
        return EnteredModels(
            base_url=given["base_url"],
            model=given["model"],
            key="" if given.get("no_key") else given["key"] or None,
            role_models={
                role.value: given[f"role_{role.value}"] for role in ROLES if given[f"role_{role.value}"]
            },
            fallback_model=given["fallback_model"],
            fallback_url=given["fallback_url"],
            fallback_key=given["fallback_key"] or None,
            regions=given["regions"],
            context_length=given["context_length"],
        )


def initial_of(row: ModelConnection) -> dict[str, object]:
    return {
        "base_url": row.base_url,
        "model": row.model,
        "fallback_model": row.fallback_model,
        "fallback_url": row.fallback_url,
        "context_length": row.context_length,
        "regions": ", ".join(row.regions),
        **{f"role_{role}": model for role, model in row.role_models.items()},
    }


def validate_address(given: str) -> str:
    """Return the address in the form in which it is stored. Raises ValidationError."""
    if PLACEHOLDER in given:
        raise forms.ValidationError(_("Put your resource’s name in place of YOUR-RESOURCE."))
    if not re.match(r"https?://", given, re.IGNORECASE):
        raise forms.ValidationError(
            _("Begin the address with http:// or https://, as in https://api.openai.com/v1.")
        )
    if "?" in given or "#" in given:
        raise forms.ValidationError(_("Remove “?” or “#” and everything after it from the address."))
    try:
        target = parse_server_url(given)
        _check_number(target.host)
    except UrlRefused as refused:
        raise forms.ValidationError(_refusal(str(refused))) from refused
    return normal_url(target.url)


def _check_number(host: str) -> None:
    """Check a host given as an IP address; a name is checked when it is connected to. Raises UrlRefused."""
    with suppress(ValueError):
        address = ip_address(host)
        if address.is_unspecified:
            raise UrlRefused("it stands for all addresses of a machine; for this machine use 127.0.0.1")
        if reason := model_server_rules().refusal(address):
            raise UrlRefused(reason)


def _refusal(reason: str) -> str:
    words = _("This address cannot be used: %(reason)s.") % {"reason": reason}
    if model_server_rules().allow_own:
        return words
    hint = _(
        "Servers in this site’s own network can be used only if the operator allows them "
        "(PLUMBLINE_MODEL_PRIVATE_ADDRESSES)."
    )
    return f"{words} {hint}"


def validate_key(given: str) -> str:
    """Check that a key can be sent in a header. Raises ValidationError."""
    key = given.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise forms.ValidationError(
            _("A key can contain only ASCII letters, digits and symbols, and no spaces.")
        )
    return key
