"""Forms of the workspace page and of invitations."""

import unicodedata
from collections.abc import Mapping

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy

from research.accounts.workspaces.workspace_members import MAX_NAME
from research.models import Role

# Alphabets with letters that look alike: a name that mixes them can imitate another.
LOOKALIKE_SCRIPTS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})
MAX_ADDRESS = 254  # characters (RFC 5321)
ROLES: Mapping[Role, Promise] = {
    Role.VIEWER: lazy("Viewer: reads"),
    Role.REVIEWER: lazy("Reviewer: also decides what runs ask"),
    Role.MEMBER: lazy("Member: also asks questions, and changes the library and schedules"),
    Role.OWNER: lazy("Owner: also manages members"),
}
SHORT_ROLES: Mapping[Role, Promise] = {
    Role.VIEWER: lazy("Viewer"),
    Role.REVIEWER: lazy("Reviewer"),
    Role.MEMBER: lazy("Member"),
    Role.OWNER: lazy("Owner"),
}


def scripts_of(name: str) -> frozenset[str]:
    """Return the lookalike alphabets of the name's letters, by their names in Unicode."""
    return frozenset(unicodedata.name(letter, "").partition(" ")[0] for letter in name) & LOOKALIKE_SCRIPTS


class NameForm(forms.Form):
    name = forms.CharField(
        label=lazy("Name"),
        max_length=MAX_NAME,
        error_messages={"required": lazy("Give the workspace a name.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )


class EraseForm(forms.Form):
    """The typed name of the workspace, so that nobody erases it by mistake."""

    name = forms.CharField(
        label=lazy("Type the name of the workspace"),
        max_length=MAX_NAME,
        error_messages={"required": lazy("Type its name to erase it.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )


class InviteForm(forms.Form):
    email = forms.EmailField(
        label=lazy("E-mail address"),
        max_length=MAX_ADDRESS,
        error_messages={"required": lazy("Enter the address to send the invitation to.")},
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    role = forms.ChoiceField(
        label=lazy("Role"),
        choices=list(ROLES.items()),
        initial=Role.MEMBER.value,
        widget=forms.RadioSelect,
    )


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=lazy("Role"), choices=list(SHORT_ROLES.items()))


class NewAccountForm(forms.Form):
    """A new account for an invited person; the address is that of the invitation."""

    username = forms.CharField(
        label=lazy("Name to sign in with"),
        max_length=150,
        error_messages={"required": lazy("Choose a name to sign in with.")},
        widget=forms.TextInput(attrs={"autocomplete": "username", "dir": "auto"}),
    )
    password = forms.CharField(
        label=lazy("Password"),
        max_length=4096,
        strip=False,
        error_messages={"required": lazy("Choose a password.")},
        help_text=lazy("At least 10 characters, and not a common password."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, email: str, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # passes Django's own arguments through
        self.email = email

    def clean_username(self) -> str:
        """Normalize the name, so that no other spelling of an existing name is accepted."""
        name: str = User.normalize_username(self.cleaned_data["username"])
        if "@" in name and name.casefold() != self.email.casefold():
            raise ValidationError(lazy("You can use an e-mail address as a name only if it is your own."))
        if len(scripts_of(name)) > 1:
            raise ValidationError(lazy("Use letters of only one alphabet in the name."))
        checked: str = get_adapter().clean_username(name)
        return checked

    def clean(self) -> None:
        password = self.cleaned_data.get("password")
        if not password:
            return
        person = User(username=self.cleaned_data.get("username", ""), email=self.email)
        try:
            get_adapter().clean_password(password, person)
        except ValidationError as weak:
            self.add_error("password", weak)
