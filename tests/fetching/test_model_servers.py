"""Addresses of model servers that are dialled for the owners of workspaces."""

import ipaddress

import pytest

from research.fetching.model_server_ssrf_guard import model_server_rules, parse_server_url
from research.fetching.strict_urls import UrlRefused

OWN = (
    "127.0.0.1",
    "::1",
    "10.1.2.3",
    "172.16.0.9",
    "192.168.1.20",
    "100.101.102.103",
    "fd12:3456::1",
    "::ffff:10.0.0.1",
)
NEVER = (
    "169.254.169.254", "fe80::1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "fd00:ec2::254", "100.100.100.200",
    "168.63.129.16", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe",
)  # fmt: skip


@pytest.mark.parametrize("address", OWN)
def test_own_networks_are_dialled_where_the_operator_allows_it(settings, address):
    for is_allowed in (False, True):
        settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = is_allowed
        refusal = model_server_rules().refusal(ipaddress.ip_address(address))
        assert (refusal is None) is is_allowed


@pytest.mark.parametrize("address", NEVER)
def test_what_hands_out_credentials_or_is_no_host_is_never_dialled(settings, address):
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = True
    assert model_server_rules().refusal(ipaddress.ip_address(address))


def test_the_operators_denied_networks_stay_denied(settings):
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = True
    settings.PLUMBLINE_DENIED_NETWORKS = (ipaddress.ip_network("10.9.0.0/16"),)
    rules = model_server_rules()
    assert rules.refusal(ipaddress.ip_address("10.9.1.1"))
    assert rules.refusal(ipaddress.ip_address("10.8.1.1")) is None


@pytest.mark.parametrize(
    "url", ["http://ollama:11434/v1", "http://localhost:1234/v1", "http://gpu.internal/v1"]
)
def test_names_of_a_local_network_need_the_same_permission(settings, url):
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = True
    assert parse_server_url(url).url == url
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = False
    with pytest.raises(UrlRefused):
        parse_server_url(url)


def test_any_port_of_a_public_host_will_do(settings):
    settings.PLUMBLINE_MODEL_PRIVATE_ADDRESSES = False
    assert parse_server_url("https://models.example:4711/v1").port == 4711
