"""The admin: every table is there, can be searched, and history cannot be changed."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse
from django.utils.translation import override

from citations.models import DomainRule
from research.admin.admin_labels import APPS, COLUMNS, TABLES
from research.admin.base_admin import HistoryAdmin
from research.db.tenancy import tenant_context
from research.models import (
    CreditEntry,
    LanguageModel,
    Membership,
    ModelCall,
    Run,
    Schedule,
    State,
    UserSettings,
)
from tests.people import join
from tests.web.growing import fill_admin
from tests.web.pages import tree, words
from tests.worlds import finish, make_report

OURS = [model for app in APPS for model in apps.get_app_config(app).get_models()]


@pytest.fixture
def staff(db):
    return join("grace", is_staff=True, is_superuser=True)


@pytest.fixture
def client(staff):
    return staff.sign_in()


@pytest.fixture
def full(staff):
    """Fill most tables with at least one row."""
    world = make_report(staff)
    fill_admin(world, 1)
    return world


def address(model, page, *args):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def first(model, staff):
    with tenant_context(staff.tenant.pk):
        return model._default_manager.first()


def test_every_table_is_in_the_admin():
    assert [model for model in OURS if not admin.site.is_registered(model)] == []


def test_every_name_of_a_table_or_column_is_there_for_translators():
    with override("en"):
        columns, tables = set(map(str, COLUMNS)), set(map(str, TABLES))
        names = {
            str(field.verbose_name)
            for model in OURS
            for field in model._meta.fields
            if field._verbose_name is None
        }
        titles = {
            str(name) for our in OURS for name in (our._meta.verbose_name, our._meta.verbose_name_plural)
        }
    assert names - columns == set()
    assert titles - tables == set()


def test_the_admin_speaks_german_down_to_its_columns(client, full):
    page = client.get(address(Run, "changelist"), headers={"Accept-Language": "de"})
    heads = [one.text_content().strip() for one in tree(page).xpath("//*[@id='result_list']/thead//th")]
    assert {"Frage", "Art", "Stand", "Besitzer", "Kosten in US-Dollar", "Angelegt am"} <= set(heads)
    assert "Sucht in: Frage, Fehlermeldung" in words(page)


def test_every_list_opens_and_can_be_searched_and_every_choice_of_its_filters_has_a_name(client, full):
    for model in OURS:
        page = address(model, "changelist")
        shown = client.get(page)
        assert shown.status_code == 200, page
        names = tree(shown).xpath("//*[@id='changelist-filter']//li/a")
        assert all(link.text_content().strip() for link in names), page
        assert client.get(page, {"q": "heat pumps"}).status_code == 200, page


def test_every_row_opens(client, full, staff):
    for model in OURS:
        if row := first(model, staff):
            assert client.get(address(model, "change", row.pk)).status_code == 200, model


def test_rows_are_added_only_where_that_makes_sense(client, full):
    for model in OURS:
        may_add = model in (
            CreditEntry,  # a grant
            DomainRule,
            LanguageModel,
            Membership,
            Schedule,
        )
        assert client.get(address(model, "add")).status_code == (200 if may_add else 403), model


def test_history_cannot_be_changed_or_deleted(client, full, staff):
    for model in OURS:
        row = first(model, staff)
        if row and isinstance(admin.site._registry[model], HistoryAdmin):
            assert client.post(address(model, "change", row.pk), {}).status_code == 403, model
            assert client.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403, model


def test_the_admin_shows_only_its_own_tenants_rows(full, client):
    other = join("bob", is_staff=True, is_superuser=True).sign_in()
    page = other.get(reverse("admin:research_run_changelist")).content
    assert b"heat pumps" not in page
    assert b"heat pumps" in client.get(reverse("admin:research_run_changelist")).content


def test_the_state_of_a_run_is_not_changed_by_hand(client, full, staff):
    with tenant_context(staff.tenant.pk):
        finish(full.run, State.READING)
    page = client.get(address(Run, "change", full.run.pk)).content.decode()
    assert 'name="state"' not in page
    assert 'name="version"' not in page


def test_encrypted_bodies_and_keys_are_not_shown(client, full, staff):
    with tenant_context(staff.tenant.pk):
        call = ModelCall.objects.get()
    page = client.get(address(ModelCall, "change", call.pk)).content.decode()
    content = page[page.index('id="content-main"') :]  # the menu beside it names tables
    assert "request_body" not in content
    assert "secret" not in content


RULE = {
    "domain": "https://www.Nordhaus.example/about",
    "tier": "2",
    "source_type": "industry",
    "publisher": "",
    "reason": "",
}


def test_a_rule_is_kept_by_the_host_of_whatever_address_is_given(client, staff):
    assert client.post(address(DomainRule, "add"), RULE).status_code == 302
    with tenant_context(staff.tenant.pk):
        [rule] = DomainRule.objects.as_rules()
    assert (rule.pattern, rule.tier) == ("nordhaus.example", 2)


@pytest.mark.parametrize(
    "fault", [{"domain": "not a domain"}, {"tier": "7"}, {"source_type": "rumour"}, {"domain": "http://[::1"}]
)
def test_a_rule_that_makes_no_sense_is_refused(client, staff, fault):
    page = client.post(address(DomainRule, "add"), RULE | fault)
    assert (page.status_code, bool(page.context["errors"])) == (200, True)


def test_a_second_rule_for_a_domain_is_refused(client, staff):
    client.post(address(DomainRule, "add"), RULE)
    assert "already" in client.post(address(DomainRule, "add"), RULE).content.decode()


def test_the_rule_of_a_host_goes_before_that_of_its_domain(staff):
    with tenant_context(staff.tenant.pk):
        for domain in ("example.org", "docs.example.org"):
            DomainRule.objects.create(domain=domain, tier=3)
        assert [rule.pattern for rule in DomainRule.objects.as_rules()] == ["docs.example.org", "example.org"]


def test_what_a_run_cost_and_gave_up_is_not_written_by_hand(client, full):
    page = tree(client.get(reverse("admin:research_run_change", args=[full.run.pk])))
    written = set(page.xpath("//*[@id='run_form']//*[self::input or self::textarea or self::select]/@name"))
    assert "topic" in written
    assert not {"state", "cost_usd", "degradations", "failure_code", "estimate"} & written


def test_a_list_says_what_its_search_looks_at_and_finds_rows_by_the_question_of_their_run(client, full):
    page = client.get(reverse("admin:research_step_changelist"), {"q": "heat pumps"})
    assert "run topic" in tree(page).xpath("string(//*[@id='searchbar_helptext'])")
    assert tree(page).xpath("//*[@id='result_list']/tbody/tr")
    nothing = client.get(reverse("admin:research_step_changelist"), {"q": "nuclear"})
    assert not tree(nothing).xpath("//*[@id='result_list']")
    assert "0 rows found" in words(nothing)


def test_lists_can_be_narrowed_to_the_last_days(client, full):
    page = tree(client.get(reverse("admin:research_source_changelist")))
    assert "Past 7 days" in page.xpath("//*[@id='changelist-filter']//a/text()")


def test_each_half_of_a_moment_has_its_name(client, full):
    page = tree(client.get(f"/admin/research/run/{full.run.pk}/change/"))
    fields = page.xpath("//p[@class='datetime']//input")
    assert fields
    assert {field.get("aria-label") for field in fields} == {"Date", "Time"}


def test_related_rows_are_found_by_typing(client, full):
    form = tree(client.get(reverse("admin:research_schedule_add")))
    found = form.xpath("//select[contains(@class, 'admin-autocomplete')]/@name")
    assert sorted(found) == ["last_run", "owner"]
    answer = client.get(
        reverse("admin:autocomplete"),
        {"term": "heat", "app_label": "research", "model_name": "schedule", "field_name": "last_run"},
    )
    assert [row["id"] for row in answer.json()["results"]] == [str(full.run.pk)]


def test_nobody_finds_rows_of_another_tenant_by_typing(full):
    other = join("bob", is_staff=True, is_superuser=True).sign_in()
    answer = other.get(
        reverse("admin:autocomplete"),
        {"term": "heat", "app_label": "research", "model_name": "schedule", "field_name": "last_run"},
    )
    assert answer.json()["results"] == []


def test_the_settings_of_a_user_are_changed_but_not_made(client, full, staff):
    row = UserSettings.objects.get()
    page = address(UserSettings, "change", row.pk)
    sent = {"theme": "light", "language": "", "single_keys": "on", "mail_asked": "on"}
    assert client.post(page, sent).status_code == 302
    row.refresh_from_db()
    assert (row.theme, row.mail_asked, row.mail_failures) == ("light", True, False)
