"""A house from its settings: the database, its key, its source of chance."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ventiuna.server.settings import Settings, SettingsError
from ventiuna.table.house.houses import house_id
from ventiuna.table.house.lost_keys import REMEDY, OtherKey, check_key, has_open_shoes
from ventiuna.table.play.shoes import HouseShoes
from ventiuna.table.shoes.entropy import Entropy, OsEntropy, check_entropy
from ventiuna.table.shoes.house_key import HouseKey, given_key, key_beside, key_file
from ventiuna.table.store.opening import Store, open_store
from ventiuna.table.writing.transaction import House


@dataclass(frozen=True, slots=True)
class OpenHouse:
    """A house that can be played in; close its store when done."""

    store: Store
    house: House
    key: HouseKey


def open_house(settings: Settings, entropy: Entropy | None = None) -> OpenHouse:
    """Open the house's database, or create a house in it if it is empty.

    Refuses a key that doesn't open the shoes of the open tables.
    """
    chance = entropy or OsEntropy()
    check_entropy(chance, settings.test)
    store = open_store(settings.database)
    try:
        with store.read() as connection:
            key = _key(settings, may_make=not has_open_shoes(connection))
            shoes = HouseShoes(key, chance)
            check_key(connection, shoes)
        with store.write() as connection:
            name = house_id(connection)
    except BaseException:
        store.close()
        raise
    return OpenHouse(store, House(name, shoes), key)


def _key(settings: Settings, may_make: bool) -> HouseKey:
    given = given_key(settings.house_key_file, settings.house_key)
    if given is not None:
        return given
    if "://" in settings.database:
        raise SettingsError(
            "house_key_file must be set with PostgreSQL: a file of 64 hexadecimal digits that "
            "only you may read. Or put the digits in VENTIUNA_HOUSE_KEY."
        )
    database = Path(settings.database)
    if not may_make and not key_file(database).exists():
        raise OtherKey(
            f"The house key is missing. Put {key_file(database).name} back beside the database. "
            f"{REMEDY}"
        )
    return key_beside(database)
