"""How often one address may ask: buckets that fill with time."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from ventiuna.server.problems import too_many

MOST_ADDRESSES = 20_000
IPV6_HOUSEHOLD = 64  # one household has as many addresses as it wants below this


class RateLimit:
    """So many in a period from each address; a pause gives them back bit by bit."""

    def __init__(
        self,
        most: int,
        seconds: float,
        what: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = float(most)
        self._rate = most / seconds
        self._what = what
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # by last use
        self._lock = Lock()

    def take(self, address: str) -> None:
        """Count one; raises when there are too many."""
        key = household(address)
        with self._lock:
            now = self._clock()
            left, since = self._left.pop(key, (self._most, now))
            left = min(self._most, left + (now - since) * self._rate)
            granted = left >= 1
            self._left[key] = (left - 1 if granted else left, now)
            if len(self._left) > MOST_ADDRESSES:
                self._left.popitem(last=False)
        if not granted:
            sentence = f"Too many {self._what} from your address: wait a while."
            raise too_many(sentence, (1 - left) / self._rate)


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
