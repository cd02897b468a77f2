"""IP addresses that a source must not have: an explicit list of networks to which no connection is made.

Python's `is_global` is not used: it differs between versions, and takes NAT64 of a metadata address,
::127.0.0.1, fec0::/10 and 3fff::/20 for public (spec: security.md, SSRF). Source: the IANA special-purpose
address registries.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address as IPv4
from ipaddress import IPv6Address as IPv6

from django.conf import settings

Address = IPv4 | IPv6
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_DENIED_4 = """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
    203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
    168.63.129.16/32
"""  # the last one: Azure's platform host, in a public range
# Everything but 2000::/3, the only range allocated for global unicast, and the special-purpose ranges in it:
# protocol assignments with Teredo and ORCHID (2001::/23), documentation (2001:db8::/32, 3fff::/20), 6to4
# (2002::/16), AS112.
_DENIED_6 = """
    ::/3 4000::/2 8000::/1
    2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20
"""
# Private networks in which people run model servers: private use, shared address space (overlay networks),
# loopback.
_OWN = """
    10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16
    ::1/128 fc00::/7
"""
_METADATA = "fd00:ec2::254/128 100.100.100.200/32"  # of clouds, in private ranges
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")


def networks(text: str | Iterable[str]) -> tuple[Network, ...]:
    """Parse networks in CIDR notation. Raises ValueError if one is invalid or has host bits set."""
    return tuple(map(ipaddress.ip_network, text.split() if isinstance(text, str) else text))


_DENIED = networks(_DENIED_4) + networks(_DENIED_6)
_OWN_NETWORKS, _METADATA_HOSTS = networks(_OWN), networks(_METADATA)


@lru_cache(maxsize=4096)
def unwrap_ipv4(address: Address) -> Address:
    """Return the IPv4 address that packets really go to, if the IPv6 address is mapped or NAT64.

    Any other address is unchanged.
    """
    if isinstance(address, IPv6) and (address in _MAPPED or address in _NAT64):
        return IPv4(int(address) & 0xFFFF_FFFF)
    return address


def find_embedded_addresses(address: Address) -> tuple[Address, ...]:
    """Return the address and every IPv4 address in it: mapped, NAT64, compatible, 6to4, Teredo."""
    found: list[Address] = [address, unwrap_ipv4(address)]
    if isinstance(address, IPv6):
        if int(address) < 1 << 32:
            found.append(IPv4(int(address)))
        found += [address.sixtofour] if address.sixtofour else []
        found += list(address.teredo or ())
    return tuple(found)


@dataclass(frozen=True, slots=True)
class AddressRules:
    """Rules for the addresses that may be connected to.

    `denied` are the operator's networks beyond the built-in ones.

    `allow_own` also allows loopback and private addresses, but not hosts that hand out a cloud's credentials.
    `any_port` allows ports other than those of web pages.
    """

    allow_loopback: bool = False
    denied: tuple[Network, ...] = ()
    allow_own: bool = False
    any_port: bool = False

    def refusal(self, address: Address) -> str | None:
        """Return the reason why the address must not be connected to; None if it may be."""
        if self.allow_loopback and is_loopback(address):
            return None
        if self.allow_own and self._is_own(unwrap_ipv4(address)):
            return None
        for each in find_embedded_addresses(address):
            # A mapped or NAT64 address is itself in a denied range; the address embedded in it decides.
            if each is address and unwrap_ipv4(address) != address:
                continue
            network = next((denied for denied in (*_DENIED, *self.denied) if _holds(denied, each)), None)
            if network is not None:
                return f"{each} is in {network}, which is not on the public internet"
        return None

    def _is_own(self, address: Address) -> bool:
        denied = (*_METADATA_HOSTS, *self.denied)
        return any(_holds(network, address) for network in _OWN_NETWORKS) and not any(
            _holds(network, address) for network in denied
        )


def address_rules() -> AddressRules:
    """Return the rules in the settings."""
    return AddressRules(settings.PLUMBLINE_ALLOW_LOOPBACK, settings.PLUMBLINE_DENIED_NETWORKS)


def is_loopback(address: Address) -> bool:
    """Return True for 127.0.0.0/8 and ::1, also mapped.

    NAT64 of them is not loopback: it leads to another machine.
    """
    if isinstance(address, IPv6) and address in _NAT64:
        return False
    return unwrap_ipv4(address).is_loopback


def _holds(network: Network, address: Address) -> bool:
    return network.version == address.version and address in network
