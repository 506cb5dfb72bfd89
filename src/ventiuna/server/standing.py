"""Log-outs and new roles reach sockets that are open, whichever process heard of them.

A socket asks for a token once, when it opens. Without a look now and then somebody who logged out
everywhere would play on, and an operator who was dismissed could still call rounds off.
"""

from __future__ import annotations

from ventiuna.server.actors import actor_of
from ventiuna.server.hub import Close
from ventiuna.server.tables import Tables
from ventiuna.table.people import revoked_tokens, with_good_tokens


async def check_standing(tables: Tables) -> None:
    """Let those go who logged out; all others have the role that they were given."""
    people = [
        (client, client.token, int(client.actor.person))
        for client in tables.hub.clients()
        if client.actor is not None and client.token is not None
    ]
    if not people:
        return
    tokens = {token for _, token, _ in people}
    numbers = {number for _, _, number in people}
    now = tables.clock.now()
    revoked = await tables.read(lambda one: revoked_tokens(one, tokens))
    good = await tables.read(lambda one: with_good_tokens(one, numbers, now))
    for client, token, number in people:
        if token in revoked or number not in good:
            client.close(Close.NOT_ALLOWED)
        else:
            client.actor = actor_of(good[number])
