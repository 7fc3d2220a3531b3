"""Sets of addresses, as a host names them."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network
LOOPBACK = "127.0.0.0/8 ::1"


class Networks:
    """A set of addresses, written as addresses and networks with spaces between."""

    def __init__(self, text: str = "") -> None:
        """Raises ValueError."""
        self._networks: Sequence[Network] = [
            ip_network(each, strict=False) for each in text.split()
        ]

    def __contains__(self, address: str) -> bool:
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if isinstance(found, IPv6Address) and found.ipv4_mapped:
            found = found.ipv4_mapped
        return any(found in network for network in self._networks)

    def __repr__(self) -> str:
        return " ".join(map(str, self._networks))
