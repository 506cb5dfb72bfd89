"""Persons of the house as the tables know them."""

from __future__ import annotations

from ventiuna.table.persons.people import Person
from ventiuna.table.play.carrying_out import Actor, Role


def actor_of(person: Person) -> Actor:
    return Actor(f"person/{person.id}", Role(str(person.role)), str(person.id), person.name)
