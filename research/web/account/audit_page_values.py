"""Labels of the audit trail's values, in the reader's language: the type of thing, and its changes."""

from collections.abc import Iterator, Mapping

from django import forms
from django.apps import apps
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from pydantic import JsonValue

from research.models import AuditEntry, Role
from research.web.account.settings_page import SettingsForm
from research.web.account.workspace_forms import SHORT_ROLES

Word = str | Promise
# Keyed by URL name, for types that are not tables: labels of tables are in `research.admin.admin_labels`.
THINGS: Mapping[str, Word] = {
    "admin": lazy("page of the admin"),
    "check": lazy("test of a model"),
    "file": lazy("file"),
    "keys": lazy("data keys"),
    "link": lazy("link"),
    "picture": lazy("picture"),
    "question": lazy("question"),
}
NAMES: Mapping[str, Word] = {
    "act": lazy("Step"),
    "address": lazy("Address"),
    "ending": lazy("End of the key"),
    "fallback": lazy("Fallback model"),
    "model": lazy("Model"),
    "changed": lazy("Changed"),
    "done": lazy("Now"),
    "invitation": lazy("Invited as"),
    "kind": lazy("Kind"),
    "name": lazy("Name"),
    "role": lazy("Role"),
    "sent": lazy("Times sent"),
    "step": lazy("At"),
    "url": lazy("Address"),
}
# Buttons of pages that have several, which share one page name.
STEPS: Mapping[str, Word] = {
    "accept": lazy("accepted"),
    "add": lazy("added"),
    "chart": lazy("chart drawn"),
    "claim": lazy("claim added"),
    "column": lazy("column taken"),
    "delete": lazy("deleted"),
    "down": lazy("moved down"),
    "draw": lazy("picture asked for"),
    "drawn": lazy("picture placed"),
    "edit": lazy("edited"),
    "field": lazy("column added"),
    "goal": lazy("goal restated"),
    "layout": lazy("layout changed"),
    "pilot": lazy("five rows first"),
    "redeliver": lazy("sent again"),
    "reject": lazy("rejected"),
    "release": lazy("held rows released"),
    "remove": lazy("removed"),
    "replan": lazy("planned again"),
    "restore": lazy("brought back"),
    "retire": lazy("secret retired"),
    "retry": lazy("failures tried again"),
    "rows": lazy("rows added"),
    "save": lazy("saved"),
    "secret": lazy("secret added"),
    "skip": lazy("skipped"),
    "split": lazy("split as proposed"),
    "start": lazy("started"),
    "theme": lazy("theme renewed"),
    "undo": lazy("undone"),
    "unpicture": lazy("picture taken away"),
    "up": lazy("moved up"),
    "words": lazy("words changed"),
}
_VALUES: Mapping[str, Mapping[str, Word]] = {
    "act": STEPS,
    "done": {"on": lazy("in use"), "off": lazy("not in use"), "new": lazy("created again")},
    "kind": {
        "totp": lazy("authenticator app"),
        "recovery_codes": lazy("recovery codes"),
        "webauthn": lazy("security key"),
    },
    "role": {role.value: SHORT_ROLES[role] for role in Role},
    "step": {"second factor": lazy("second step")},
}


def thing(type_: str) -> Word:
    """Return the label of the type of thing that a row is about; an unknown type is returned as it is."""
    tables = (model._meta.verbose_name for model in apps.get_models() if model._meta.model_name == type_)
    return THINGS.get(type_) or next(tables, None) or type_


def changes(entry: AuditEntry) -> Iterator[tuple[Word, Word, Word]]:
    """Yield the name of each changed value with its value before and after; "" if there is none."""
    fields = SettingsForm().fields
    for name in dict.fromkeys([*entry.before, *entry.after]):
        field = fields.get(name)
        before, after = (
            _value(name, field, values[name]) if name in values else ""
            for values in (entry.before, entry.after)
        )
        yield (field.label if field and field.label else NAMES.get(name, name)), before, after


def _value(name: str, field: forms.Field | None, value: JsonValue) -> Word:
    text = str(value)
    if isinstance(field, forms.BooleanField):
        return _("Yes") if text == "True" else _("No")
    if isinstance(field, forms.ChoiceField):
        words: Mapping[str, Word] = dict(field.widget.choices)
        return words.get(text, text)
    return _VALUES.get(name, {}).get(text, text)
