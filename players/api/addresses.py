"""Where a request comes from, for counting: a whole IPv6 network counts as one."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from rest_framework.request import Request

IPV6_PREFIX = 64
"""A household is given so much at least; whoever counts single addresses counts nobody twice."""


def client_address(request: HttpRequest | Request) -> str:
    """The address of the client; behind a proxy, the one that the proxy saw."""
    address = str(request.META.get("REMOTE_ADDR", ""))
    if settings.TAKI_BEHIND_PROXY:
        forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")
        address = forwarded[-1].strip() or address
    return address


def address_block(address: str) -> str:
    """What counts as one client: an IPv4 address, or the /64 of an IPv6 one."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ip_network((parsed, IPV6_PREFIX), strict=False))
    return str(parsed)


def address_key(request: HttpRequest | Request) -> str:
    """A keyed hash of the client's address: an address is personal data."""
    block = address_block(client_address(request))
    return salted_hmac("players.api.address", block, algorithm="sha256").hexdigest()
