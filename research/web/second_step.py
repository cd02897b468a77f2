"""The page that asks for the code of the second factor."""

from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.base.views import AuthenticateView
from django.http import HttpResponse

from research.web.audit_signals import second_step_failed


class SecondStep(AuthenticateView):  # type: ignore[misc]  # has no types
    """allauth's; a wrong code stands in the audit trail."""

    def form_invalid(self, form: AuthenticateForm) -> HttpResponse:
        second_step_failed(self.request, self.stage.login.user)
        response: HttpResponse = super().form_invalid(form)
        return response
