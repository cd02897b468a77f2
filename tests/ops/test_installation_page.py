"""The operator's page in the admin."""

import pytest
from django.db import OperationalError

from research.models import Role, State
from research.ops.alerts import RULES, alerts
from research.ops.metrics import MEANINGS, MetricSample, figures
from tests.people import join
from tests.worlds import make_report

ADDRESS = "/admin/installation/"


@pytest.fixture
def operator():
    return join("operator", role=Role.OWNER, is_staff=True, is_superuser=True)


@pytest.mark.django_db
def test_it_tells_all_figures_and_what_to_look_at(operator, valkey):
    make_report(operator, state=State.READING)
    page = operator.sign_in().get(ADDRESS).content.decode()
    for meaning in MEANINGS.values():
        assert str(meaning.text) in page
    assert "No worker has responded on this queue" in page


@pytest.mark.django_db
def test_only_superusers_see_what_is_of_all_workspaces():
    staff = join("staff", role=Role.OWNER, is_staff=True)
    assert staff.sign_in().get(ADDRESS).status_code == 403
    assert "Installation" not in staff.sign_in().get("/admin/").content.decode()


@pytest.mark.django_db
def test_without_figures_it_says_so(operator, monkeypatch):
    def raise_gone() -> list[MetricSample]:
        raise OperationalError("gone")

    monkeypatch.setattr(figures, "latest", raise_gone)
    assert "cannot be computed" in operator.sign_in().get(ADDRESS).content.decode()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_an_alert_is_raised_above_its_threshold_and_not_at_it(rule):
    at, above = (MetricSample(rule.figure, "reading", rule.above + more) for more in (0, 0.5))
    assert alerts([at], [rule]) == []
    assert [alert.label for alert in alerts([above], [rule])] == ["reading"]


def test_every_rule_looks_at_a_figure_there_is():
    assert {rule.figure for rule in RULES} <= set(MEANINGS)
    assert len({rule.name for rule in RULES}) == len(RULES)
