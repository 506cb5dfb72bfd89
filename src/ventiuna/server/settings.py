"""Server settings from arguments and environment; unsafe combinations are rejected."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import urlsplit

from ventiuna.errors import VentiunaError

PREFIX = "VENTIUNA_"
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
LAST_PORT = 65_535
_YES, _NO = ("1", "yes", "true", "on"), ("0", "no", "false", "off", "")


class SettingsError(VentiunaError, ValueError):
    """An invalid setting, or an unsafe way to run."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """All settings. Each environment variable is VENTIUNA_ plus the setting's name in capitals."""

    database: str = ""  # a SQLite file or postgresql://…
    host: str = "127.0.0.1"
    port: int = 8021
    tls_certificate: str = ""  # PEM files
    tls_key: str = ""
    behind_proxy: bool = False  # a TLS proxy with trusted X-Forwarded headers
    proxies: tuple[str, ...] = ("127.0.0.1",)  # addresses of that proxy
    origins: tuple[str, ...] = ()  # public addresses, such as https://play.example
    house_key_file: str = ""
    house_key: str = field(default="", repr=False)  # the key's digits, if there is no key file
    seal_to: str = field(default="", repr=False)  # file or database that gets a copy of each seal
    coaches: int = 2  # workers that analyze hands
    jobs: int = 2  # concurrent simulations
    jobs_per_person: int = 2  # concurrent simulations
    job_rounds: int = 100_000_000  # maximum rounds in a simulation
    body_bytes: int = 65_536
    welcome: int = 100_000  # cents of play money for each newcomer
    bot_pause: int = 900  # average thinking time of a bot, in milliseconds
    guests_per_hour: int = 20  # per client address
    own_tables: int = 200  # open private tables; 0 if none are allowed
    own_tables_per_hour: int = 60  # per client address
    log_ins_per_minute: int = 10  # per client address; also tries of class codes
    sockets_per_address: int = 500  # open at a time, per client address and process
    test: bool = False  # allows shoes to be dealt from known entropy

    def __post_init__(self) -> None:
        if not 0 <= self.port <= LAST_PORT:
            raise SettingsError(
                f"The port must be 0 to {LAST_PORT} (0 picks a free one), not {self.port}."
            )
        for name in (
            "coaches",
            "jobs",
            "jobs_per_person",
            "job_rounds",
            "body_bytes",
            "sockets_per_address",
        ):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} must be 1 or more, not {getattr(self, name)}.")
        if bool(self.tls_certificate) != bool(self.tls_key):
            raise SettingsError(
                "TLS needs both tls_certificate and tls_key. Set the other one too."
            )
        for origin in self.origins:
            _check_origin(origin)
        if not self.is_loopback:
            self._check_public()

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def has_tls(self) -> bool:
        return bool(self.tls_certificate)

    @property
    def is_secure(self) -> bool:
        """Whether browsers connect over HTTPS."""
        return self.has_tls or self.behind_proxy

    def _check_public(self) -> None:
        if self.test:
            raise SettingsError(f"Test mode works only on 127.0.0.1, not on host {self.host}.")
        if not self.is_secure:
            raise SettingsError(
                f"On host {self.host}, passwords need TLS because others can connect. Set "
                "tls_certificate and tls_key, or behind_proxy if a proxy provides TLS."
            )
        has_key = bool(self.house_key_file or self.house_key)
        if not has_key or not self.origins:
            lacking = "origins" if has_key else "house_key_file or VENTIUNA_HOUSE_KEY"
            raise SettingsError(
                f"On host {self.host}, {lacking} must be set because others can connect."
            )


def settings_from(
    environment: Mapping[str, str] | None = None,
    **changes: str | int | bool | tuple[str, ...] | None,
) -> ServerSettings:
    """Settings from arguments, then the environment, then defaults."""
    environment = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    for one in fields(ServerSettings):
        value = changes.pop(one.name, None)
        written = environment.get(PREFIX + one.name.upper())
        if value is not None:
            values[one.name] = value
        elif written is not None:
            values[one.name] = _read(one.name, str(one.type), written)
    if changes:
        raise SettingsError(f"There is no setting {next(iter(changes))}.")
    return ServerSettings(**values)


def _read(name: str, kind: str, text: str) -> str | int | bool | tuple[str, ...]:
    if kind == "bool":
        if text.lower() not in (*_YES, *_NO):
            raise SettingsError(f"{PREFIX}{name.upper()} must be yes or no, not {text!r}.")
        return text.lower() in _YES
    if kind == "int":
        if not text.isdecimal() or len(text) > 12:
            raise SettingsError(f"{PREFIX}{name.upper()} must be a whole number, not {text!r}.")
        return int(text)
    if kind.startswith("tuple"):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return text


def is_loopback(host: str) -> bool:
    """Whether this is a name or address of the local machine."""
    name = host.strip("[]").lower()
    if name in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _check_origin(origin: str) -> None:
    parts = urlsplit(origin)
    is_plain = parts.scheme in ("http", "https") and parts.netloc and "@" not in parts.netloc
    if not is_plain or parts.path or parts.query or parts.fragment:
        raise SettingsError(
            f"The origin {origin!r} must look like https://play.example, without a path."
        )
