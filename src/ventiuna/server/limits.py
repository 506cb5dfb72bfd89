"""How often one address may ask: all processes of a house count together."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from ventiuna.server.problems import too_many
from ventiuna.table.persons import allowances
from ventiuna.table.store.opening import Store

IPV6_HOUSEHOLD = 64  # one household has as many addresses as it wants below this


class RateLimit:
    """So many in a period from each address; a pause gives them back bit by bit."""

    def __init__(
        self, store: Store, what: str, most: int, seconds: float, now: Callable[[], int]
    ) -> None:
        self._store = store
        self._what = what
        self._most = most
        self._per = round(seconds * 1000)
        self._now = now  # milliseconds since 1970

    def take(self, address: str) -> None:
        """Count one, in a thread: it asks the database; raises when there are too many."""
        with self._store.write() as connection:
            wait = allowances.take(
                connection,
                self._what,
                household(address),
                most=self._most,
                per=self._per,
                now=self._now(),
            )
        if wait:
            sentence = f"Too many {self._what} from your address: wait a while."
            raise too_many(sentence, wait / 1000)


def household(address: str) -> str:
    """An IPv4 address, or the network that one IPv6 household has."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        if mapped is not None:
            return str(mapped)
        return str(ipaddress.ip_network((found, IPV6_HOUSEHOLD), strict=False))
    return str(found)
