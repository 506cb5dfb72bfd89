"""A server is configured by arguments and environment, and unsafe settings are refused."""

from __future__ import annotations

import pytest

from ventiuna.server.settings import ServerSettings, SettingsError, is_loopback, settings_from


def test_by_default_it_listens_on_this_machine() -> None:
    settings = settings_from({})
    assert settings == ServerSettings()
    assert settings.is_loopback
    assert not settings.is_secure


def test_arguments_win_over_the_environment() -> None:
    environment = {
        "VENTIUNA_PORT": "9000",
        "VENTIUNA_DATABASE": "house.sqlite",
        "VENTIUNA_BEHIND_PROXY": "yes",
        "VENTIUNA_ORIGINS": "https://a.example, https://b.example",
    }
    settings = settings_from(environment, port=9001, database=None)
    assert (settings.port, settings.database) == (9001, "house.sqlite")
    assert settings.behind_proxy
    assert settings.origins == ("https://a.example", "https://b.example")


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"VENTIUNA_PORT": "many"}, "VENTIUNA_PORT must be a whole number, not 'many'"),
        ({"VENTIUNA_PORT": "70000"}, "not 70000"),
        ({"VENTIUNA_TEST": "perhaps"}, "must be yes or no"),
        ({"VENTIUNA_JOBS": "0"}, "jobs must be 1 or more, not 0"),
        ({"VENTIUNA_TLS_KEY": "key.pem"}, "needs both"),
        ({"VENTIUNA_ORIGINS": "play.example"}, "must look like https://play.example"),
        ({"VENTIUNA_ORIGINS": "https://play.example/"}, "without a path"),
    ],
)
def test_an_unusable_setting_is_reported(environment: dict[str, str], told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        settings_from(environment)


SAFE: dict[str, str | bool | tuple[str, ...]] = {
    "host": "0.0.0.0",
    "behind_proxy": True,
    "house_key_file": "key",
    "origins": ("https://play.example",),
}


def test_serving_other_machines_requires_every_safety_setting() -> None:
    assert settings_from({}, **SAFE).is_secure
    for lacking, told in (
        ("behind_proxy", "passwords need TLS"),
        ("house_key_file", "house_key_file or VENTIUNA_HOUSE_KEY must be set"),
        ("origins", "origins must be set"),
    ):
        less = {name: value for name, value in SAFE.items() if name != lacking}
        with pytest.raises(SettingsError, match=told):
            settings_from({}, **less)
    with pytest.raises(SettingsError, match="works only on"):
        settings_from({}, **SAFE, test=True)
    less = {name: value for name, value in SAFE.items() if name != "house_key_file"}
    settings = settings_from({"VENTIUNA_HOUSE_KEY": "ab" * 32}, **less)
    assert "abab" not in repr(settings)


def test_which_hosts_are_this_machine() -> None:
    assert all(map(is_loopback, ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "10.0.0.1", "localhost.evil.example", ""]))
