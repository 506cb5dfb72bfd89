"""The port of a server, taken before anything else is begun."""

from __future__ import annotations

import errno
import socket

from ventiuna.server.settings import Settings, SettingsError


def listen(settings: Settings) -> socket.socket:
    """A socket that takes connections; raises `SettingsError` where it can't."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Explicit, because asyncio sets TCP_NODELAY only for sockets that declare themselves TCP.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((settings.host, settings.port))
    except OSError as error:
        made.close()
        if error.errno == errno.EADDRINUSE:
            raise SettingsError(
                f"port {settings.port}: something listens there already. Give another one with "
                "--port; 0 takes a free one."
            ) from None
        raise SettingsError(f"{settings.host}, port {settings.port}: {error.strerror}.") from None
    made.listen(socket.SOMAXCONN)
    return made
