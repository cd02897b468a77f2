"""The account behind a token: its user, workspace, limits and credits."""

from django.http import HttpRequest
from ninja import Router

from research.integrations.api.api_auth import NEEDS, caller_of
from research.integrations.api.api_lookup import find
from research.integrations.api.api_schemas import AccountOut, CreditsOut, TokenOut
from research.llm.budgets import credit_history, credits
from research.llm.budgets.budget_limits import most
from research.models import ApiToken, Scope, Tenant

router = Router(tags=["account"])
LIMITS = ("runs", "posts_a_minute", "starts_a_minute", "exports_an_hour", "sources", "words")


@router.get(
    "/account",
    response=AccountOut,
    auth=NEEDS[Scope.READ],
    summary="Read the account and its remaining credits",
)
def read_account(request: HttpRequest) -> AccountOut:
    caller = caller_of(request)
    credits.grant_of_the_month()
    token = find(ApiToken.objects.all(), caller.token_id)
    return AccountOut(
        user=caller.user().get_username(),
        workspace=find(Tenant.objects.all(), caller.tenant_id).name,
        role=caller.role,
        credits=CreditsOut.model_validate(credit_history.balances()),
        token=TokenOut(name=token.name, scopes=token.scope_list, expires_at=token.expires_at),
        limits={name: most(name) for name in LIMITS},
    )
